//===- StatisticsModels.cpp - Sums, means and deviations over time --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over many rows are f64 on every machine: a variance is the difference of
// two numbers that may be nearly equal.
//
//===----------------------------------------------------------------------===//

#include "KernelModels.h"

#include "nnet3/Arithmetic/BackwardInterface.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Arithmetic/RowEmission.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// Base class of both components.
template <typename Model, typename OpTy>
struct Base : public RowKernelInterface::ExternalModel<Model, OpTy> {
  bool isRowKernel(Operation *, bool) const { return true; }
  RowReads getRowReads(Operation *) const { return RowReads::Range; }
};

/// The number of rows, their sum, and the sum of their squares (spec:
/// components.md 6.26).
struct ExtractionModel : public Base<ExtractionModel, StatisticsExtractionOp> {
  void emitRow(Operation *op, RowEmission &row) const {
    auto statistics = cast<StatisticsExtractionOp>(op);
    const int64_t dim = statistics.getInputDim();
    const bool withSquares = statistics.getIncludeVariance();
    const unsigned numSums = withSquares ? 2 : 1;
    ScalarArithmetic &a = row;
    Value numRows = a.narrow(row.getNumRows());
    row.forEach(1, [&](Value c) { row.store(numRows, c); });
    row.forEach(dim, [&](Value c) {
      auto sums = row.sumRows(numSums, [&] {
        Value x = a.widen(row.load(c));
        SmallVector<Value> values = {x};
        if (withSquares)
          values.push_back(a.multiply(x, x));
        return values;
      });
      for (auto [i, sum] : llvm::enumerate(sums))
        row.store(a.narrow(sum), a.shift(c, 1 + i * dim));
    });
  }
};

/// Means and standard deviations from a count and sums (spec: components.md
/// 6.27).
struct PoolingModel : public Base<PoolingModel, StatisticsPoolingOp> {
  void emitRow(Operation *op, RowEmission &row) const {
    auto pooling = cast<StatisticsPoolingOp>(op);
    const int64_t numMeans = pooling.getInputDim() - 1;
    const int64_t first = pooling.getNumLogCountFeatures();
    ScalarArithmetic &a = row;
    Value count = sumColumn(row, a.index(0));
    if (first > 0) {
      Value log = a.log(a.narrow(count));
      row.forEach(first, [&](Value c) { row.store(log, c); });
    }
    auto mean = [&](Value column) {
      return a.narrow(a.divide(sumColumn(row, column), count));
    };
    if (!pooling.getOutputStddevs())
      return row.forEach(numMeans, [&](Value c) {
        row.store(mean(a.shift(c, 1)), a.shift(c, first));
      });
    const int64_t dim = numMeans / 2;
    Value floor = a.real(pooling.getVarianceFloor().convertToFloat());
    row.forEach(dim, [&](Value c) {
      Value ofFrames = mean(a.shift(c, 1));
      Value ofSquares = mean(a.shift(c, 1 + dim));
      // Rounded like the square of a single frame, so that a single frame has
      // variance 0.
      Value square = a.widen(a.multiply(ofFrames, ofFrames));
      Value variance = a.subtract(a.widen(ofSquares), square);
      row.store(ofFrames, a.shift(c, first));
      row.store(a.narrow(a.sqrt(a.larger(floor, variance))),
                a.shift(c, first + dim));
    });
  }

private:
  static Value sumColumn(RowEmission &row, Value column) {
    auto load = [&]() -> SmallVector<Value> { return {row.load(column)}; };
    return row.sumRows(1, load)[0];
  }
};

template <typename Model, typename OpTy>
struct BackwardBase
    : public BackwardKernelInterface::ExternalModel<Model, OpTy> {
  RowReads getDerivativeReads(Operation *) const { return RowReads::Range; }
};

/// dx = sum of dy + 2 x sum of the derivatives of squares.
struct ExtractionBackward
    : public BackwardBase<ExtractionBackward, StatisticsExtractionOp> {
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    auto extraction = cast<StatisticsExtractionOp>(op);
    const int64_t dim = extraction.getInputDim();
    const unsigned numSums = extraction.getIncludeVariance() ? 2 : 1;
    row.forEach(dim, [&](Value c) {
      auto sums = row.sumRows(
          numSums,
          [&] {
            SmallVector<Value> derivs;
            for (unsigned i = 0; i < numSums; ++i)
              derivs.push_back(row.loadDerivative(row.shift(c, 1 + i * dim)));
            return derivs;
          },
          &RowOperands::derivative);
      Value dx = row.narrow(sums[0]);
      if (numSums > 1) {
        Value x = row.load(c);
        dx = row.multiplyAdd(row.add(x, x), row.narrow(sums[1]), dx);
      }
      row.store(dx, c);
    });
  }
};

/// The factors of a row are the derivatives of its statistics; each input row
/// gets the sum over the output rows that read it. The count has no derivative.
struct PoolingBackward
    : public BackwardBase<PoolingBackward, StatisticsPoolingOp> {
  int64_t getFactorColumns(Operation *op) const {
    return cast<StatisticsPoolingOp>(op).getInputDim() - 1;
  }
  RowReads getFactorReads(Operation *) const { return RowReads::Range; }
  void emitFactors(Operation *op, RowEmission &row) const {
    auto pooling = cast<StatisticsPoolingOp>(op);
    const int64_t numMeans = getFactorColumns(op);
    const int64_t first = pooling.getNumLogCountFeatures();
    Value zero = row.index(0);
    Value count = first > 0 ? row.exp(row.loadOutput(zero))
                            : row.narrow(row.sumRows(1, [&]() {
                                return SmallVector<Value>{row.load(zero)};
                              })[0]);
    auto getDeriv = [&](Value c) {
      return row.divide(row.loadDerivative(row.shift(c, first)), count);
    };
    if (!pooling.getOutputStddevs())
      return row.forEach(numMeans, [&](Value c) { row.store(getDeriv(c), c); });
    const int64_t dim = numMeans / 2;
    row.forEach(dim, [&](Value c) {
      Value mean = row.loadOutput(row.shift(c, first));
      Value stddev = row.loadOutput(row.shift(c, first + dim));
      Value half = row.multiply(getDeriv(row.shift(c, dim)), row.number(0.5f));
      Value ofSquares = row.divide(half, stddev);
      Value ofMean = row.multiply(row.add(mean, mean), ofSquares);
      row.store(row.subtract(getDeriv(c), ofMean), c);
      row.store(ofSquares, row.shift(c, dim));
    });
  }
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    row.forEach(1, [&](Value c) { row.store(row.number(0), c); });
    row.forEach(getFactorColumns(op), [&](Value c) {
      auto load = [&] { return SmallVector<Value>{row.loadFactor(c)}; };
      row.store(row.narrow(row.sumRows(1, load, &RowOperands::factors)[0]),
                row.shift(c, 1));
    });
  }
};

} // namespace

void mlir::nnet3::attachStatisticsModels(MLIRContext &context) {
  StatisticsExtractionOp::attachInterface<ExtractionModel, ExtractionBackward>(
      context);
  StatisticsPoolingOp::attachInterface<PoolingModel, PoolingBackward>(context);
}

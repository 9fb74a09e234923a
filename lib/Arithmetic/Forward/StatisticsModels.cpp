//===- StatisticsModels.cpp - Sums, means and deviations over time --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over many rows are f64 on every machine: a variance is the difference of
// two numbers that may be nearly equal.
//
//===----------------------------------------------------------------------===//

#include "KernelModels.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Arithmetic/RowEmission.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// What both components have in common.
template <typename Model, typename OpTy>
struct Base : public RowKernelInterface::ExternalModel<Model, OpTy> {
  bool isRowKernel(Operation *, bool) const { return true; }
  RowReads getRowReads(Operation *) const { return RowReads::Range; }
};

/// The number of rows, their sum, and that of their squares (spec:
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
      // Rounded as the square of a single frame is, whose variance is then
      // 0.
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

} // namespace

void mlir::nnet3::attachStatisticsModels(MLIRContext &context) {
  StatisticsExtractionOp::attachInterface<ExtractionModel>(context);
  StatisticsPoolingOp::attachInterface<PoolingModel>(context);
}

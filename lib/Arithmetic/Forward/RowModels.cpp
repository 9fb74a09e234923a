//===- RowModels.cpp - Components that combine the columns of a row -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ColumnStretches.h"
#include "KernelModels.h"
#include "RowArithmetic.h"

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;

namespace {

template <typename Model, typename OpTy>
using Base = RowKernelInterface::ExternalModel<Model, OpTy>;

/// exp(x - max) and its sum (spec: components.md 6.30).
struct SoftmaxModel : public Base<SoftmaxModel, SoftmaxOp> {
  bool isRowKernel(Operation *, bool) const { return true; }
  void emitRow(Operation *op, RowEmission &row) const {
    const int64_t dim = cast<SoftmaxOp>(op).getDim();
    RowArithmetic a(row);
    Value largest = row.max(dim, [&](Value c) { return row.load(c); });
    Value sum = row.sum(dim, [&](Value c) {
      Value power = a.exp(a.subtract(row.load(c), largest));
      row.store(power, c);
      return power;
    });
    Value factor = a.divide(a.number(1), sum);
    row.forEach(dim, [&](Value c) {
      Value scaled = a.multiply(row.loadOutput(c), factor);
      row.store(a.larger(a.number(1e-20f), scaled), c);
    });
  }
};

/// (spec: components.md 6.10)
struct LogSoftmaxModel : public Base<LogSoftmaxModel, LogSoftmaxOp> {
  bool isRowKernel(Operation *, bool) const { return true; }
  void emitRow(Operation *op, RowEmission &row) const {
    const int64_t dim = cast<LogSoftmaxOp>(op).getDim();
    RowArithmetic a(row);
    Value largest = row.max(dim, [&](Value c) { return row.load(c); });
    auto shifted = [&](Value c) { return a.subtract(row.load(c), largest); };
    Value logSum =
        a.log(row.sum(dim, [&](Value c) { return a.exp(shifted(c)); }));
    row.forEach(dim,
                [&](Value c) { row.store(a.subtract(shifted(c), logSum), c); });
  }
};

/// Each block of columns, a part, scaled to a given r.m.s. (spec: components.md
/// 6.29).
struct NormalizeModel : public Base<NormalizeModel, NormalizeOp> {
  static int64_t getBlockDim(NormalizeOp op) {
    return op.getBlockDim().value_or(op.getInputDim());
  }
  bool isRowKernel(Operation *, bool) const { return true; }
  int64_t getNumParts(Operation *op) const {
    auto normalize = cast<NormalizeOp>(op);
    return normalize.getInputDim() / getBlockDim(normalize);
  }
  void emitRow(Operation *op, RowEmission &row) const {
    auto normalize = cast<NormalizeOp>(op);
    const int64_t dim = getBlockDim(normalize);
    const bool withLog = normalize.getAddLogStddev();
    const float rms = normalize.getTargetRms().convertToFloat();
    RowArithmetic a(row);
    Value from = a.scale(row.getPart(), dim);
    Value to = a.scale(row.getPart(), dim + withLog);
    Value squares = row.sum(dim, [&](Value c) {
      Value x = row.load(a.shift(from, c));
      return a.multiply(x, x);
    });
    Value power = a.max(a.multiply(squares, a.number(1 / (dim * rms * rms))),
                        a.number(std::ldexp(1.0f, -66)));
    Value factor = a.divide(a.number(1), a.sqrt(power));
    row.forEach(dim, [&](Value c) {
      row.store(a.multiply(row.load(a.shift(from, c)), factor), a.shift(to, c));
    });
    if (!withLog)
      return;
    Value log = a.add(a.number(std::log(rms)),
                      a.multiply(a.number(0.5f), a.log(power)));
    row.forEach(1,
                [&](Value c) { row.store(log, a.shift(to, a.shift(c, dim))); });
  }
};

/// (spec: components.md 6.12)
struct PermuteModel : public Base<PermuteModel, PermuteOp> {
  static ColumnStretches getStretches(Operation *op) {
    return ColumnStretches(cast<PermuteOp>(op).getColumnMap());
  }
  bool isRowKernel(Operation *, bool) const { return true; }
  SmallVector<SmallVector<int64_t>> getKernelIndexes(Operation *op) const {
    return {getStretches(op).begins};
  }
  void emitRow(Operation *op, RowEmission &row) const {
    getStretches(op).emitCopy(row, /*list=*/0);
  }
};

/// Adds to the output (spec: components.md 6.36).
struct SumBlockModel : public Base<SumBlockModel, SumBlockOp> {
  bool isRowKernel(Operation *, bool) const { return true; }
  void emitRow(Operation *op, RowEmission &row) const {
    auto sums = cast<SumBlockOp>(op);
    const int64_t dim = sums.getOutputDim();
    RowArithmetic a(row);
    row.forEach(dim, [&](Value c) {
      Value sum = row.load(c);
      for (int64_t at = dim; at < int64_t(sums.getInputDim()); at += dim)
        sum = a.add(sum, row.load(a.shift(c, at)));
      sum = a.multiply(sum, a.number(sums.getScale().convertToFloat()));
      row.store(a.add(row.loadOutput(c), sum), c);
    });
  }
};

/// (spec: components.md 6.35)
struct SumGroupModel : public Base<SumGroupModel, SumGroupOp> {
  bool isRowKernel(Operation *, bool) const { return true; }
  /// Where each group begins, and the last one ends.
  SmallVector<SmallVector<int64_t>> getKernelIndexes(Operation *op) const {
    SmallVector<int64_t> begins = {0};
    for (int64_t size : cast<SumGroupOp>(op).getSizes())
      begins.push_back(begins.back() + size);
    return {begins};
  }
  void emitRow(Operation *op, RowEmission &row) const {
    const ArrayRef<int64_t> sizes = cast<SumGroupOp>(op).getSizes();
    const int64_t typical = llvm::sum_of(sizes) / int64_t(sizes.size());
    RowArithmetic a(row);
    row.forEachOf(sizes.size(), 1, [&](Value group, Value c) {
      Value begin = row.loadIndex(0, group);
      Value end = row.loadIndex(0, a.shift(group, 1));
      Value sum = row.sumBetween(
          begin, end, typical, [&](Value column) { return row.load(column); });
      row.store(sum, a.shift(group, c));
    });
  }
};

} // namespace

void mlir::nnet3::attachRowModels(MLIRContext &context) {
  SoftmaxOp::attachInterface<SoftmaxModel>(context);
  LogSoftmaxOp::attachInterface<LogSoftmaxModel>(context);
  NormalizeOp::attachInterface<NormalizeModel>(context);
  PermuteOp::attachInterface<PermuteModel>(context);
  SumBlockOp::attachInterface<SumBlockModel>(context);
  SumGroupOp::attachInterface<SumGroupModel>(context);
}

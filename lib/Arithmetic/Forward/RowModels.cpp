//===- RowModels.cpp - Components that combine the columns of a row -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ColumnSlices.h"
#include "KernelModels.h"

#include "nnet3/Arithmetic/BackwardInterface.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Arithmetic/RowEmission.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;

namespace {

template <typename Model, typename OpTy>
using Base = RowKernelInterface::ExternalModel<Model, OpTy>;
template <typename Model, typename OpTy>
using BackwardBase = BackwardKernelInterface::ExternalModel<Model, OpTy>;

/// y = exp(x - max) / sum (spec: components.md 6.30).
struct SoftmaxModel : public Base<SoftmaxModel, SoftmaxOp> {
  bool isRowKernel(Operation *, bool) const { return true; }
  void emitRow(Operation *op, RowEmission &row) const {
    const int64_t dim = cast<SoftmaxOp>(op).getDim();
    ScalarArithmetic &a = row;
    Value largest = row.max(dim, [&](Value c) { return row.load(c); });
    Value sum = row.sum(dim, [&](Value c) {
      Value power = a.exp(a.subtract(row.load(c), largest));
      row.store(power, c);
      return power;
    });
    Value factor = a.divide(a.number(1), sum);
    row.forEach(dim, [&](Value c) {
      Value scaled = a.multiply(row.loadStored(c), factor);
      row.store(a.larger(a.number(1e-20f), scaled), c);
    });
  }
};

/// dx = y (dy - y . dy) (spec: components.md 6.30).
struct SoftmaxBackward : public BackwardBase<SoftmaxBackward, SoftmaxOp> {
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    const int64_t dim = cast<SoftmaxOp>(op).getDim();
    Value dot = row.sum(dim, [&](Value c) {
      return row.multiply(row.loadOutput(c), row.loadDerivative(c));
    });
    row.forEach(dim, [&](Value c) {
      row.store(row.multiply(row.loadOutput(c),
                             row.subtract(row.loadDerivative(c), dot)),
                c);
    });
  }
};

/// Spec: components.md 6.10.
struct LogSoftmaxModel : public Base<LogSoftmaxModel, LogSoftmaxOp> {
  bool isRowKernel(Operation *, bool) const { return true; }
  void emitRow(Operation *op, RowEmission &row) const {
    const int64_t dim = cast<LogSoftmaxOp>(op).getDim();
    ScalarArithmetic &a = row;
    Value largest = row.max(dim, [&](Value c) { return row.load(c); });
    auto shifted = [&](Value c) { return a.subtract(row.load(c), largest); };
    Value logSum =
        a.log(row.sum(dim, [&](Value c) { return a.exp(shifted(c)); }));
    row.forEach(dim,
                [&](Value c) { row.store(a.subtract(shifted(c), logSum), c); });
  }
};

/// dx = dy - exp(y) sum(dy) (spec: components.md 6.10).
struct LogSoftmaxBackward
    : public BackwardBase<LogSoftmaxBackward, LogSoftmaxOp> {
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    const int64_t dim = cast<LogSoftmaxOp>(op).getDim();
    Value sum = row.sum(dim, [&](Value c) { return row.loadDerivative(c); });
    row.forEach(dim, [&](Value c) {
      row.store(row.subtract(row.loadDerivative(c),
                             row.multiply(row.exp(row.loadOutput(c)), sum)),
                c);
    });
  }
};

int64_t getBlockDim(NormalizeOp op) {
  return op.getBlockDim().value_or(op.getInputDim());
}

/// The smallest power of a block, 2^-66; smaller ones are raised to it.
constexpr float kPowerFloor = 0x1p-66f;

/// The scale of the block that is the row's current part: its sum of squares,
/// that times `norm` (the power), the power with floor, and the inverse square
/// root of that.
struct BlockPower {
  BlockPower(NormalizeOp op, RowEmission &row) {
    const int64_t dim = getBlockDim(op);
    const float rms = op.getTargetRms().convertToFloat();
    Value from = row.scale(row.getPart(), dim);
    squares = row.sum(dim, [&](Value c) {
      Value x = row.load(row.shift(from, c));
      return row.multiply(x, x);
    });
    norm = 1 / (dim * rms * rms);
    power = row.multiply(squares, row.number(norm));
    floored = row.max(power, row.number(kPowerFloor));
    factor = row.divide(row.number(1), row.sqrt(floored));
  }
  float norm;
  Value squares, power, floored, factor;
};

/// Scales each block of columns (a part) to a given r.m.s. (spec: components.md
/// 6.29).
struct NormalizeModel : public Base<NormalizeModel, NormalizeOp> {
  bool isRowKernel(Operation *, bool) const { return true; }
  int64_t getNumParts(Operation *op) const {
    auto normalize = cast<NormalizeOp>(op);
    return normalize.getInputDim() / getBlockDim(normalize);
  }
  void emitRow(Operation *op, RowEmission &row) const {
    auto normalize = cast<NormalizeOp>(op);
    const int64_t dim = getBlockDim(normalize);
    const bool withLog = normalize.getAddLogStddev();
    ScalarArithmetic &a = row;
    Value from = a.scale(row.getPart(), dim);
    Value to = a.scale(row.getPart(), dim + withLog);
    const BlockPower power(normalize, row);
    row.forEach(dim, [&](Value c) {
      row.store(a.multiply(row.load(a.shift(from, c)), power.factor),
                a.shift(to, c));
    });
    if (!withLog)
      return;
    const float rms = normalize.getTargetRms().convertToFloat();
    Value log = a.add(a.number(std::log(rms)),
                      a.multiply(a.number(0.5f), a.log(power.floored)));
    row.forEach(1,
                [&](Value c) { row.store(log, a.shift(to, a.shift(c, dim))); });
  }
};

/// dx = f dy + g x for each block, where f is the scale of x. g x is the
/// derivative through f, if the power is above the floor, and through the
/// appended logarithm.
struct NormalizeBackward : public BackwardBase<NormalizeBackward, NormalizeOp> {
  int64_t getNumBackwardParts(Operation *op) const {
    return cast<NormalizeOp>(op).getInputDim() /
           getBlockDim(cast<NormalizeOp>(op));
  }
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    auto normalize = cast<NormalizeOp>(op);
    const int64_t dim = getBlockDim(normalize);
    const bool withLog = normalize.getAddLogStddev();
    Value from = row.scale(row.getPart(), dim);
    Value to = row.scale(row.getPart(), dim + withLog);
    auto x = [&](Value c) { return row.load(row.shift(from, c)); };
    auto dy = [&](Value c) { return row.loadDerivative(row.shift(to, c)); };
    const BlockPower power(normalize, row);
    Value dot =
        row.sum(dim, [&](Value c) { return row.multiply(x(c), dy(c)); });
    Value factor = power.factor;
    Value cube = row.multiply(factor, row.multiply(factor, factor));
    Value scale = row.selectGreater(
        power.power, row.number(kPowerFloor),
        row.multiply(row.multiply(cube, row.number(-power.norm)), dot),
        row.number(0));
    if (withLog)
      scale = row.add(
          scale,
          row.divide(dy(row.index(dim)),
                     row.max(power.squares, row.number(dim * kPowerFloor))));
    row.forEach(dim, [&](Value c) {
      row.store(row.add(row.multiply(factor, dy(c)), row.multiply(scale, x(c))),
                row.shift(from, c));
    });
  }
};

/// Spec: components.md 6.12.
struct PermuteModel : public Base<PermuteModel, PermuteOp> {
  static ColumnSlices getSlices(Operation *op) {
    return ColumnSlices(cast<PermuteOp>(op).getColumnMap());
  }
  bool isRowKernel(Operation *, bool) const { return true; }
  SmallVector<SmallVector<int64_t>> getKernelIndexes(Operation *op) const {
    return {getSlices(op).begins};
  }
  void emitRow(Operation *op, RowEmission &row) const {
    getSlices(op).emitCopy(row, /*list=*/0,
                           [&](Value c) { return row.load(c); });
  }
};

/// Applies the inverse permutation to the derivative.
struct PermuteBackward : public BackwardBase<PermuteBackward, PermuteOp> {
  static ColumnSlices getSlices(Operation *op) {
    const ArrayRef<int64_t> columns = cast<PermuteOp>(op).getColumnMap();
    SmallVector<int64_t> inverse(columns.size());
    for (auto [to, from] : llvm::enumerate(columns))
      inverse[from] = to;
    return ColumnSlices(inverse);
  }
  SmallVector<SmallVector<int64_t>> getBackwardIndexes(Operation *op) const {
    return {getSlices(op).begins};
  }
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    getSlices(op).emitCopy(row, /*list=*/0,
                           [&](Value c) { return row.loadDerivative(c); });
  }
};

/// Sums blocks of columns and adds to the output (spec: components.md 6.36).
struct SumBlockModel : public Base<SumBlockModel, SumBlockOp> {
  bool isRowKernel(Operation *, bool) const { return true; }
  void emitRow(Operation *op, RowEmission &row) const {
    auto sums = cast<SumBlockOp>(op);
    const int64_t dim = sums.getOutputDim();
    ScalarArithmetic &a = row;
    row.forEach(dim, [&](Value c) {
      Value sum = row.load(c);
      for (int64_t at = dim; at < int64_t(sums.getInputDim()); at += dim)
        sum = a.add(sum, row.load(a.shift(c, at)));
      sum = a.multiply(sum, a.number(sums.getScale().convertToFloat()));
      row.store(a.add(row.loadStored(c), sum), c);
    });
  }
};

struct SumBlockBackward : public BackwardBase<SumBlockBackward, SumBlockOp> {
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    auto sums = cast<SumBlockOp>(op);
    const int64_t dim = sums.getOutputDim();
    row.forEach(dim, [&](Value c) {
      Value dx = row.multiply(row.loadDerivative(c),
                              row.number(sums.getScale().convertToFloat()));
      for (int64_t at = 0; at < int64_t(sums.getInputDim()); at += dim)
        row.store(dx, row.shift(c, at));
    });
  }
};

/// Spec: components.md 6.35.
struct SumGroupModel : public Base<SumGroupModel, SumGroupOp> {
  bool isRowKernel(Operation *, bool) const { return true; }
  /// The first column of each group, and the end of the last one.
  SmallVector<SmallVector<int64_t>> getKernelIndexes(Operation *op) const {
    SmallVector<int64_t> begins = {0};
    for (int64_t size : cast<SumGroupOp>(op).getSizes())
      begins.push_back(begins.back() + size);
    return {begins};
  }
  void emitRow(Operation *op, RowEmission &row) const {
    const ArrayRef<int64_t> sizes = cast<SumGroupOp>(op).getSizes();
    const int64_t typical = llvm::sum_of(sizes) / int64_t(sizes.size());
    ScalarArithmetic &a = row;
    row.forEachOf(sizes.size(), 1, [&](Value group, Value c) {
      Value begin = row.loadIndex(0, group);
      Value end = row.loadIndex(0, a.shift(group, 1));
      Value sum = row.sumBetween(
          begin, end, typical, [&](Value column) { return row.load(column); });
      row.store(sum, a.shift(group, c));
    });
  }
};

/// The derivative of each element is that of its group's sum.
struct SumGroupBackward : public BackwardBase<SumGroupBackward, SumGroupOp> {
  SmallVector<SmallVector<int64_t>> getBackwardIndexes(Operation *op) const {
    SmallVector<int64_t> groups;
    for (auto [group, size] : llvm::enumerate(cast<SumGroupOp>(op).getSizes()))
      groups.append(size, group);
    return {groups};
  }
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    const int64_t dim = cast<ComponentOpInterface>(op).getComponentInputDim();
    row.forEachOf(dim, 1, [&](Value c, Value) {
      row.store(row.loadDerivative(row.loadIndex(0, c)), c);
    });
  }
};

} // namespace

void mlir::nnet3::attachRowModels(MLIRContext &context) {
  SoftmaxOp::attachInterface<SoftmaxModel, SoftmaxBackward>(context);
  LogSoftmaxOp::attachInterface<LogSoftmaxModel, LogSoftmaxBackward>(context);
  NormalizeOp::attachInterface<NormalizeModel, NormalizeBackward>(context);
  PermuteOp::attachInterface<PermuteModel, PermuteBackward>(context);
  SumBlockOp::attachInterface<SumBlockModel, SumBlockBackward>(context);
  SumGroupOp::attachInterface<SumGroupModel, SumGroupBackward>(context);
}

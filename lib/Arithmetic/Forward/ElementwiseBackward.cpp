//===- ElementwiseBackward.cpp - Backward passes of elementwise components ===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelModels.h"

#include "nnet3/Arithmetic/BackwardInterface.h"
#include "nnet3/Arithmetic/RowEmission.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

template <typename Model, typename OpTy>
using Base = BackwardKernelInterface::ExternalModel<Model, OpTy>;

float getScale(NoOpOp op) { return op.getBackpropScale().convertToFloat(); }
float getScale(FixedBiasOp) { return 1; }
// Where they draw no masks.
float getScale(GeneralDropoutOp) { return 1; }
float getScale(SpecAugmentTimeMaskOp) { return 1; }

/// dx = s dy.
template <typename OpTy>
struct ScalarModel : public Base<ScalarModel<OpTy>, OpTy> {
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    auto component = cast<OpTy>(op);
    row.forEach(component.getDim(), [&](Value c) {
      row.store(
          row.multiply(row.loadDerivative(c), row.number(getScale(component))),
          c);
    });
  }
};

//===----------------------------------------------------------------------===//
// Scales and offsets
//===----------------------------------------------------------------------===//

/// dx = s dy, where s is the first kernel vector.
template <typename Model, typename OpTy>
struct ScaledModel : public Base<Model, OpTy> {
  unsigned getNumBackwardVectors(Operation *) const { return 1; }
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    row.forEach(cast<OpTy>(op).getDim(), [&](Value c) {
      row.store(row.multiply(row.loadDerivative(c), row.loadVector(0, c)), c);
    });
  }
};

struct FixedScaleModel : public ScaledModel<FixedScaleModel, FixedScaleOp> {};

/// (spec: components.md 6.7)
struct BatchNormModel : public ScaledModel<BatchNormModel, BatchNormOp> {
  bool hasBackwardKernel(Operation *op) const {
    return cast<BatchNormOp>(op).getTestMode();
  }
};

/// The derivative of a scale is a sum of x dy.
template <typename OpTy>
struct ScaleModel : public ScaledModel<ScaleModel<OpTy>, OpTy> {
  SmallVector<StringRef> getSums(Operation *) const { return {"scales"}; }
  int64_t getSumColumns(Operation *op) const { return cast<OpTy>(op).getDim(); }
  SmallVector<Value> emitSums(Operation *, RowEmission &row, Value c) const {
    return {row.multiply(row.load(c), row.loadDerivative(c))};
  }
};

/// Sums of blocks of columns.
template <typename Model, typename OpTy>
struct BlockSums : public Base<Model, OpTy> {
  int64_t getSumColumns(Operation *op) const {
    auto component = cast<OpTy>(op);
    return component.getBlockDim().value_or(component.getDim());
  }
  int64_t getSumBlocks(Operation *op) const {
    return cast<OpTy>(op).getDim() / getSumColumns(op);
  }
};

/// (spec: components.md 6.32)
struct OffsetModel : public BlockSums<OffsetModel, PerElementOffsetOp> {
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    row.forEach(cast<PerElementOffsetOp>(op).getDim(),
                [&](Value c) { row.store(row.loadDerivative(c), c); });
  }
  SmallVector<StringRef> getSums(Operation *) const { return {"offsets"}; }
  SmallVector<Value> emitSums(Operation *, RowEmission &row, Value c) const {
    return {row.loadDerivative(c)};
  }
};

/// The input is found from the output, x = (y - b) / s (spec: components.md
/// 6.14). Where s is so small that the forward pass takes another, dx has s
/// itself, the third vector.
struct ScaleAndOffsetModel
    : public BlockSums<ScaleAndOffsetModel, ScaleAndOffsetOp> {
  unsigned getNumBackwardVectors(Operation *) const { return 3; }
  void emitBackwardRow(Operation *op, RowEmission &row) const {
    row.forEach(cast<ScaleAndOffsetOp>(op).getDim(), [&](Value c) {
      row.store(row.multiply(row.loadDerivative(c), row.loadVector(2, c)), c);
    });
  }
  SmallVector<StringRef> getSums(Operation *) const {
    return {"scales", "offsets"};
  }
  SmallVector<Value> emitSums(Operation *, RowEmission &row, Value c) const {
    Value dy = row.loadDerivative(c);
    Value x = row.divide(row.subtract(row.loadOutput(c), row.loadVector(1, c)),
                         row.loadVector(0, c));
    return {row.multiply(x, dy), dy};
  }
};

} // namespace

void mlir::nnet3::attachElementwiseBackward(MLIRContext &context) {
  NoOpOp::attachInterface<ScalarModel<NoOpOp>>(context);
  FixedBiasOp::attachInterface<ScalarModel<FixedBiasOp>>(context);
  GeneralDropoutOp::attachInterface<ScalarModel<GeneralDropoutOp>>(context);
  SpecAugmentTimeMaskOp::attachInterface<ScalarModel<SpecAugmentTimeMaskOp>>(
      context);
  FixedScaleOp::attachInterface<FixedScaleModel>(context);
  BatchNormOp::attachInterface<BatchNormModel>(context);
  PerElementScaleOp::attachInterface<ScaleModel<PerElementScaleOp>>(context);
  NaturalGradientPerElementScaleOp::attachInterface<
      ScaleModel<NaturalGradientPerElementScaleOp>>(context);
  PerElementOffsetOp::attachInterface<OffsetModel>(context);
  ScaleAndOffsetOp::attachInterface<ScaleAndOffsetModel>(context);
}

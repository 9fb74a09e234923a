//===- BackwardModels.cpp - Backward passes as generated code -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Forward/KernelModels.h"

#include "nnet3/Arithmetic/BackwardInterface.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;

#include "nnet3/Arithmetic/BackwardInterface.cpp.inc"

namespace {

template <typename Model, typename OpTy>
using Base = BackwardKernelInterface::ExternalModel<Model, OpTy>;

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

/// dx = f'(x) dy, where f' is found from y.
template <typename Model, typename OpTy>
struct NonlinearModel : public Base<Model, OpTy> {
  void emitBackwardRow(Operation *op, BackwardEmission &row) const {
    row.forEach(cast<OpTy>(op).getDim(), [&](Value c) {
      row.store(Model::emit(row, row.loadOutput(c), row.loadDerivative(c)), c);
    });
  }
};

/// (spec: components.md 6.6)
struct ReluModel : public NonlinearModel<ReluModel, RectifiedLinearOp> {
  static Value emit(BackwardEmission &row, Value y, Value dy) {
    Value zero = row.number(0);
    return row.selectGreater(y, zero, dy, zero);
  }
};

/// (spec: components.md 6.17)
struct SigmoidModel : public NonlinearModel<SigmoidModel, SigmoidOp> {
  static Value emit(BackwardEmission &row, Value y, Value dy) {
    return row.multiply(dy, row.multiply(y, row.subtract(row.number(1), y)));
  }
};

/// (spec: components.md 6.18)
struct TanhModel : public NonlinearModel<TanhModel, TanhOp> {
  static Value emit(BackwardEmission &row, Value y, Value dy) {
    return row.multiply(dy, row.subtract(row.number(1), row.multiply(y, y)));
  }
};

float getScale(NoOpOp op) { return op.getBackpropScale().convertToFloat(); }
float getScale(FixedBiasOp) { return 1; }
// Where they draw no masks.
float getScale(GeneralDropoutOp) { return 1; }
float getScale(SpecAugmentTimeMaskOp) { return 1; }

/// dx = s dy.
template <typename OpTy>
struct ScalarModel : public Base<ScalarModel<OpTy>, OpTy> {
  void emitBackwardRow(Operation *op, BackwardEmission &row) const {
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
  void emitBackwardRow(Operation *op, BackwardEmission &row) const {
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
  int64_t getSumColumns(Operation *op, unsigned) const {
    return cast<OpTy>(op).getDim();
  }
  Value emitSum(Operation *, BackwardEmission &row, unsigned, Value c) const {
    return row.multiply(row.loadInput(c), row.loadDerivative(c));
  }
};

/// (spec: components.md 6.32)
struct OffsetModel : public Base<OffsetModel, PerElementOffsetOp> {
  void emitBackwardRow(Operation *op, BackwardEmission &row) const {
    row.forEach(cast<PerElementOffsetOp>(op).getDim(),
                [&](Value c) { row.store(row.loadDerivative(c), c); });
  }
  SmallVector<StringRef> getSums(Operation *) const { return {"offsets"}; }
  int64_t getSumColumns(Operation *op, unsigned) const {
    auto component = cast<PerElementOffsetOp>(op);
    return component.getBlockDim().value_or(component.getDim());
  }
  int64_t getSumBlocks(Operation *op, unsigned sum) const {
    return cast<PerElementOffsetOp>(op).getDim() / getSumColumns(op, sum);
  }
  Value emitSum(Operation *, BackwardEmission &row, unsigned, Value c) const {
    return row.loadDerivative(c);
  }
};

/// The input is found from the output, x = (y - b) / s (spec: components.md
/// 6.14). Where s is so small that the forward pass takes another, dx has s
/// itself, the third vector.
struct ScaleAndOffsetModel
    : public Base<ScaleAndOffsetModel, ScaleAndOffsetOp> {
  unsigned getNumBackwardVectors(Operation *) const { return 3; }
  void emitBackwardRow(Operation *op, BackwardEmission &row) const {
    row.forEach(cast<ScaleAndOffsetOp>(op).getDim(), [&](Value c) {
      row.store(row.multiply(row.loadDerivative(c), row.loadVector(2, c)), c);
    });
  }
  SmallVector<StringRef> getSums(Operation *) const {
    return {"scales", "offsets"};
  }
  int64_t getSumColumns(Operation *op, unsigned) const {
    auto component = cast<ScaleAndOffsetOp>(op);
    return component.getBlockDim().value_or(component.getDim());
  }
  int64_t getSumBlocks(Operation *op, unsigned sum) const {
    return cast<ScaleAndOffsetOp>(op).getDim() / getSumColumns(op, sum);
  }
  Value emitSum(Operation *, BackwardEmission &row, unsigned sum,
                Value c) const {
    Value dy = row.loadDerivative(c);
    if (sum == 1)
      return dy;
    Value x = row.divide(row.subtract(row.loadOutput(c), row.loadVector(1, c)),
                         row.loadVector(0, c));
    return row.multiply(x, dy);
  }
};

//===----------------------------------------------------------------------===//
// Rows and blocks
//===----------------------------------------------------------------------===//

/// dx = y (dy - y . dy) (spec: components.md 6.30).
struct SoftmaxModel : public Base<SoftmaxModel, SoftmaxOp> {
  void emitBackwardRow(Operation *op, BackwardEmission &row) const {
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

/// dx = dy - exp(y) sum(dy) (spec: components.md 6.10).
struct LogSoftmaxModel : public Base<LogSoftmaxModel, LogSoftmaxOp> {
  void emitBackwardRow(Operation *op, BackwardEmission &row) const {
    const int64_t dim = cast<LogSoftmaxOp>(op).getDim();
    Value sum = row.sum(dim, [&](Value c) { return row.loadDerivative(c); });
    row.forEach(dim, [&](Value c) {
      row.store(row.subtract(row.loadDerivative(c),
                             row.multiply(row.exp(row.loadOutput(c)), sum)),
                c);
    });
  }
};

/// dx = f dy + g x for each block, where f scales x, and g is what x changes of
/// f, if its power is above the floor, and of the logarithm (spec:
/// components.md 6.29).
struct NormalizeModel : public Base<NormalizeModel, NormalizeOp> {
  void emitBackwardRow(Operation *op, BackwardEmission &row) const {
    auto normalize = cast<NormalizeOp>(op);
    const int64_t dim = normalize.getInputDim();
    const int64_t blockDim = normalize.getBlockDim().value_or(dim);
    const int64_t outBlock = blockDim + normalize.getAddLogStddev();
    const float rms = normalize.getTargetRms().convertToFloat();
    const float norm = 1 / (blockDim * rms * rms);
    const float floor = std::ldexp(1.0f, -66);
    for (int64_t block = 0; block < dim / blockDim; ++block) {
      auto x = [&](Value c) {
        return row.loadInput(row.shift(c, block * blockDim));
      };
      auto dy = [&](Value c) {
        return row.loadDerivative(row.shift(c, block * outBlock));
      };
      Value squares =
          row.sum(blockDim, [&](Value c) { return row.multiply(x(c), x(c)); });
      Value dot =
          row.sum(blockDim, [&](Value c) { return row.multiply(x(c), dy(c)); });
      Value power = row.multiply(squares, row.number(norm));
      Value factor = row.divide(row.number(1),
                                row.sqrt(row.max(power, row.number(floor))));
      Value cube = row.multiply(factor, row.multiply(factor, factor));
      Value xScale = row.selectGreater(
          power, row.number(floor),
          row.multiply(row.multiply(cube, row.number(-norm)), dot),
          row.number(0));
      row.forEach(blockDim, [&](Value c) {
        Value scale = xScale;
        if (normalize.getAddLogStddev())
          scale = row.add(
              scale,
              row.divide(loadLogDerivative(row, block * outBlock + blockDim),
                         row.max(squares, row.number(blockDim * floor))));
        row.store(
            row.add(row.multiply(factor, dy(c)), row.multiply(scale, x(c))),
            row.shift(c, block * blockDim));
      });
    }
  }

private:
  static Value loadLogDerivative(BackwardEmission &row, int64_t column) {
    return row.loadDerivative(
        arith::ConstantIndexOp::create(row.getBuilder(), row.getLoc(), column));
  }
};

/// (spec: components.md 6.36)
struct SumBlockModel : public Base<SumBlockModel, SumBlockOp> {
  void emitBackwardRow(Operation *op, BackwardEmission &row) const {
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

/// Each factor gets the product of the others (spec: components.md 6.19).
struct ProductModel : public Base<ProductModel, ElementwiseProductOp> {
  void emitBackwardRow(Operation *op, BackwardEmission &row) const {
    auto product = cast<ElementwiseProductOp>(op);
    const int64_t dim = product.getOutputDim();
    const int64_t blocks = product.getInputDim() / dim;
    row.forEach(dim, [&](Value c) {
      for (int64_t block = 0; block < blocks; ++block) {
        Value dx = row.loadDerivative(c);
        for (int64_t other = 0; other < blocks; ++other)
          if (other != block)
            dx = row.multiply(dx, row.loadInput(row.shift(c, other * dim)));
        row.store(dx, row.shift(c, block * dim));
      }
    });
  }
};

} // namespace

void mlir::nnet3::attachBackwardModels(MLIRContext &context) {
  RectifiedLinearOp::attachInterface<ReluModel>(context);
  SigmoidOp::attachInterface<SigmoidModel>(context);
  TanhOp::attachInterface<TanhModel>(context);
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
  SoftmaxOp::attachInterface<SoftmaxModel>(context);
  LogSoftmaxOp::attachInterface<LogSoftmaxModel>(context);
  NormalizeOp::attachInterface<NormalizeModel>(context);
  SumBlockOp::attachInterface<SumBlockModel>(context);
  ElementwiseProductOp::attachInterface<ProductModel>(context);
}

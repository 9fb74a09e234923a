//===- ScaleAndOffsetComponent.cpp - Trained scales and offsets -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.14. The vectors repeat over the blocks of a row.
//
//===----------------------------------------------------------------------===//

#include "core/ComponentAttributes.h"
#include "cpu/RowCommands.h"
#include "cpu/math/Rows.h"
#include "cpu/math/VectorMath.h"
#include "cpu/math/VectorUpdate.h"

#include <algorithm>
#include <cmath>

namespace nnet3 {
namespace rt {
namespace {

/// Positions of the parameters and of their preconditioners.
enum Parameter { kScales, kOffsets };

/// Scales whose magnitude is below 1e-4 are raised to it, keeping the sign, so
/// that the backward pass can divide by them.
float clampScale(float scale) {
  const float kLeast = 1e-4f;
  if (std::fabs(scale) >= kLeast)
    return scale;
  return scale < 0 ? -kLeast : kLeast;
}

class ScaleAndOffsetComponent : public Component {
public:
  explicit ScaleAndOffsetComponent(const ScaleAndOffsetAttributes &attributes);

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override {
    Component::plan(inRows, outRows, precomputed, errors);
    auto plan = planVectorUpdate(outRows, outputDim(), blockDim,
                                 uint64_t(blockDim), errors);
    plan->scratchBytes = sizeof(float) * uint64_t(blockDim);
    return plan;
  }

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override {
    const float *scales = context.parameters[kScales].data;
    const float *offsets = context.parameters[kOffsets].data;
    auto *clamped = static_cast<float *>(context.scratch);
    std::transform(scales, scales + blockDim, clamped, clampScale);
    forEachBlock(in, out, blockDim, blockDim, [&](const float *x, float *y) {
      vecScaleOffset(blockDim, x, clamped, offsets, y);
    });
  }

  void backprop(const CommandPlan *plan, const BackpropOperands &operands,
                const RunContext &context) const override;

private:
  void update(const BackpropOperands &operands,
              const RunContext &context) const;
  void setInput(const RunContext &context, MatrixView blocks) const;

  int32_t blockDim;
};

ScaleAndOffsetComponent::ScaleAndOffsetComponent(
    const ScaleAndOffsetAttributes &attributes)
    : Component(attributes), blockDim(attributes.blockDim()) {
  addVector("scales", attributes.scales(), blockDim);
  addVector("offsets", attributes.offsets(), blockDim);
  setUpdateOptions(readUpdateOptions(attributes));
  NaturalGradientOptions options;
  options.rank = attributes.rank();
  // Kaldi's update period of 4 is not stored in model files, so that models
  // that were read have 1.
  options.updatePeriod = 1;
  if (attributes.useNaturalGradient()) {
    addPreconditioner(options);
    addPreconditioner(options);
  }
}

void ScaleAndOffsetComponent::backprop(const CommandPlan *,
                                       const BackpropOperands &operands,
                                       const RunContext &context) const {
  if (operands.update)
    update(operands, context);
  if (!operands.inDeriv.data)
    return;
  const float *scales = context.parameters[kScales].data;
  forEachBlock(
      operands.outDeriv, operands.inDeriv, blockDim, blockDim,
      [&](const float *dy, float *dx) { vecMul(blockDim, dy, scales, dx); });
}

/// Recomputes the input from the output before the parameters change.
void ScaleAndOffsetComponent::update(const BackpropOperands &operands,
                                     const RunContext &context) const {
  const ConstMatrixView &dy = operands.outDeriv;
  float *values = static_cast<float *>(context.scratch) + blockDim;
  const MatrixView rows(values, dy.rows, dy.cols, dy.cols);
  const MatrixView blocks = rowsInScratch(values, dy, blockDim);
  copyMatrix(rows, operands.outValue, 1.0f);
  setInput(context, blocks);
  for (int32_t r = 0; r < rows.rows; ++r)
    vecMul(rows.cols, rows.row(r), dy.row(r), rows.row(r));
  updateVector(*operands.update, kScales, blocks);
  copyMatrix(rows, dy, 1.0f);
  updateVector(*operands.update, kOffsets, blocks);
}

/// Converts blocks of the output to blocks of the input, in place.
void ScaleAndOffsetComponent::setInput(const RunContext &context,
                                       MatrixView blocks) const {
  const float *scales = context.parameters[kScales].data;
  const float *offsets = context.parameters[kOffsets].data;
  auto *inverse = static_cast<float *>(context.scratch);
  std::transform(scales, scales + blockDim, inverse,
                 [](float scale) { return 1 / clampScale(scale); });
  for (int32_t r = 0; r < blocks.rows; ++r)
    vecNormalize(blockDim, blocks.row(r), offsets, inverse, blocks.row(r));
}

} // namespace

std::unique_ptr<Component> create(const ScaleAndOffsetAttributes &attributes) {
  return std::make_unique<ScaleAndOffsetComponent>(attributes);
}

} // namespace rt
} // namespace nnet3

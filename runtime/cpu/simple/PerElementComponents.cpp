//===- PerElementComponents.cpp - A scale or offset per column ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FixedScale, FixedBias, PerElementScale, NaturalGradientPerElementScale,
// PerElementOffset (spec: components.md 6.20, 6.31-6.34). The vectors repeat
// over the blocks of a row.
//
//===----------------------------------------------------------------------===//

#include "AffineMap.h"
#include "core/ComponentAttributes.h"
#include "cpu/RowCommands.h"
#include "cpu/math/Rows.h"
#include "cpu/math/VectorMath.h"
#include "cpu/math/VectorUpdate.h"

#include <string>

namespace nnet3 {
namespace rt {
namespace {

/// A component with a vector: a parameter if it is trained, otherwise constant.
class VectorComponent : public Component {
public:
  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override {
    Component::plan(inRows, outRows, precomputed, errors);
    if (!isTrained())
      return nullptr;
    return planVectorUpdate(outRows, outputDim(), blockDim, 0, errors);
  }

  void train(const UpdateOptions &options) { setUpdateOptions(options); }
  void train(const UpdateOptions &options,
             const NaturalGradientOptions &naturalGradient) {
    setUpdateOptions(options);
    addPreconditioner(naturalGradient);
  }

protected:
  template <typename Attributes>
  VectorComponent(const Attributes &attributes, const char *name,
                  const float *values, int32_t blockDim)
      : Component(attributes), blockDim(blockDim), fixed(values) {
    if (isTrained())
      addVector(name, values, blockDim);
  }

  bool isTrained() const { return properties() & kUpdatableComponent; }
  const float *vector(const RunContext &context) const {
    return isTrained() ? context.parameters[0].data : fixed;
  }

  int32_t blockDim;

private:
  const float *fixed;
};

class ScaleComponent : public VectorComponent {
public:
  template <typename Attributes>
  explicit ScaleComponent(const Attributes &attributes)
      : VectorComponent(attributes, "scales", attributes.scales(),
                        attributes.dim()) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override {
    scale(in, vector(context), out);
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &context) const override {
    if (isTrained() && operands.update)
      update(operands, context);
    if (operands.inDeriv.data)
      scale(operands.outDeriv, vector(context), operands.inDeriv);
  }

private:
  void scale(ConstMatrixView in, const float *scales, MatrixView out) const {
    for (int32_t r = 0; r < in.rows; ++r)
      vecMul(in.cols, in.row(r), scales, out.row(r));
  }

  void update(const BackpropOperands &operands,
              const RunContext &context) const {
    const MatrixView derivs =
        rowsInScratch(context.scratch, operands.outDeriv, blockDim);
    for (int32_t r = 0; r < derivs.rows; ++r)
      vecMul(derivs.cols, operands.inValue.row(r), operands.outDeriv.row(r),
             derivs.row(r));
    updateVector(*operands.update, 0, derivs);
  }
};

class OffsetComponent : public VectorComponent {
public:
  template <typename Attributes>
  OffsetComponent(const Attributes &attributes, const float *offsets,
                  int32_t blockDim)
      : VectorComponent(attributes, "offsets", offsets, blockDim) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override {
    const float *offsets = vector(context);
    forEachBlock(in, out, blockDim, blockDim, [&](const float *x, float *y) {
      vecAdd(blockDim, x, offsets, y);
    });
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &context) const override {
    const ConstMatrixView &outDeriv = operands.outDeriv;
    if (isTrained() && operands.update) {
      const MatrixView derivs =
          rowsInScratch(context.scratch, outDeriv, blockDim);
      copyMatrix(
          MatrixView(derivs.data, outDeriv.rows, outDeriv.cols, outDeriv.cols),
          outDeriv, 1.0f);
      updateVector(*operands.update, 0, derivs);
    }
    if (operands.inDeriv.data)
      copyMatrix(operands.inDeriv, outDeriv, 1.0f);
  }
};

} // namespace

std::unique_ptr<Component> create(const FixedScaleAttributes &attributes) {
  return std::make_unique<ScaleComponent>(attributes);
}

std::unique_ptr<Component> create(const PerElementScaleAttributes &attributes) {
  auto component = std::make_unique<ScaleComponent>(attributes);
  component->train(readUpdateOptions(attributes));
  return component;
}

std::unique_ptr<Component>
create(const NaturalGradientPerElementScaleAttributes &attributes) {
  auto component = std::make_unique<ScaleComponent>(attributes);
  component->train(readUpdateOptions(attributes),
                   checkedPreconditioner(
                       attributes, attributes.rank(), attributes.updatePeriod(),
                       attributes.alpha(), attributes.numSamplesHistory()));
  return component;
}

std::unique_ptr<Component> create(const FixedBiasAttributes &attributes) {
  return std::make_unique<OffsetComponent>(attributes, attributes.bias(),
                                           attributes.dim());
}

std::unique_ptr<Component>
create(const PerElementOffsetAttributes &attributes) {
  auto component = std::make_unique<OffsetComponent>(
      attributes, attributes.offsets(), attributes.blockDim());
  const UpdateOptions update = readUpdateOptions(attributes);
  NaturalGradientOptions options;
  options.rank = 20;
  options.updatePeriod = 4;
  if (attributes.useNaturalGradient())
    component->train(update, options);
  else
    component->train(update);
  return component;
}

} // namespace rt
} // namespace nnet3

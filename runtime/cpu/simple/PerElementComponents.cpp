//===- PerElementComponents.cpp - A scale or offset per column ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FixedScale, FixedBias, PerElementScale, NaturalGradientPerElementScale,
// PerElementOffset (spec: components.md 6.20, 6.31-6.34). The vectors repeat
// over the blocks of a row.
//
//===----------------------------------------------------------------------===//

#include "cpu/Registry.h"
#include "cpu/RowCommands.h"
#include "cpu/math/Rows.h"
#include "cpu/math/VectorMath.h"
#include "cpu/math/VectorUpdate.h"

#include <string>

namespace nnet3 {
namespace rt {
namespace {

/// The vector of a component: a parameter where it is trained, otherwise its
/// own.
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
  VectorComponent(int32_t dim, const char *name, const float *values,
                  int32_t blockDim, uint32_t properties)
      : Component(dim, dim, properties), blockDim(blockDim), fixed(values) {
    if (properties & kUpdatableComponent)
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
  ScaleComponent(int32_t dim, const float *scales, uint32_t properties)
      : VectorComponent(dim, "scales", scales, dim, properties) {}

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
  OffsetComponent(int32_t dim, int32_t blockDim, const float *offsets,
                  uint32_t properties)
      : VectorComponent(dim, "offsets", offsets, blockDim, properties) {}

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

constexpr uint32_t kInPlace =
    kSimpleComponent | kPropagateInPlace | kBackpropInPlace;
constexpr uint32_t kTrainedScale =
    kInPlace | kUpdatableComponent | kBackpropNeedsInput;

std::unique_ptr<ScaleComponent> makeScale(AttributeReader &attributes,
                                          uint32_t properties) {
  const int32_t dim = attributes.dim("dim");
  return std::make_unique<ScaleComponent>(
      dim, attributes.tensor("scales", {dim}), properties);
}

std::unique_ptr<Component> createFixedScale(AttributeReader &attributes) {
  return makeScale(attributes, kInPlace);
}

std::unique_ptr<Component> createPerElementScale(AttributeReader &attributes) {
  auto component = makeScale(attributes, kTrainedScale);
  component->train(readUpdateOptions(attributes));
  return component;
}

std::unique_ptr<Component>
createNaturalGradientScale(AttributeReader &attributes) {
  auto component = makeScale(attributes, kTrainedScale);
  NaturalGradientOptions options;
  options.rank = attributes.dim("rank", 8);
  options.updatePeriod = attributes.dim("update_period", 10);
  options.numSamplesHistory =
      static_cast<float>(attributes.real("num_samples_history", 2000));
  options.alpha = static_cast<float>(attributes.real("alpha", 4));
  if (!(options.numSamplesHistory > 0 && options.numSamplesHistory <= 1e6f) ||
      !(options.alpha >= 0))
    attributes.fail("expects num_samples_history in (0, 1e6] and alpha of at "
                    "least 0");
  component->train(readUpdateOptions(attributes), options);
  return component;
}

std::unique_ptr<Component> createFixedBias(AttributeReader &attributes) {
  const int32_t dim = attributes.dim("dim");
  return std::make_unique<OffsetComponent>(
      dim, dim, attributes.tensor("bias", {dim}), kInPlace);
}

std::unique_ptr<Component> createPerElementOffset(AttributeReader &attributes) {
  const int32_t dim = attributes.dim("dim");
  const int32_t blockDim = readBlockDim(attributes, dim);
  auto component = std::make_unique<OffsetComponent>(
      dim, blockDim, attributes.tensor("offsets", {blockDim}),
      kInPlace | kUpdatableComponent |
          (blockDim < dim ? uint32_t(kOutputContiguous) : 0u));
  const UpdateOptions update = readUpdateOptions(attributes);
  NaturalGradientOptions options;
  options.rank = 20;
  options.updatePeriod = 4;
  if (attributes.flag("use_natural_gradient", true))
    component->train(update, options);
  else
    component->train(update);
  return component;
}

constexpr ComponentFactory kFactories[] = {
    {"FixedScaleComponent", createFixedScale},
    {"FixedBiasComponent", createFixedBias},
    {"PerElementScaleComponent", createPerElementScale},
    {"NaturalGradientPerElementScaleComponent", createNaturalGradientScale},
    {"PerElementOffsetComponent", createPerElementOffset}};

} // namespace

FactoryTable perElementFactories() { return makeTable(kFactories); }

} // namespace rt
} // namespace nnet3

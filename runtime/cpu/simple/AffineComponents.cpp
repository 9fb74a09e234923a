//===- AffineComponents.cpp - Affine maps of rows -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Affine, NaturalGradientAffine, FixedAffine, Linear (spec: components.md
// 6.2-6.5). Weights have one row per output unit.
//
//===----------------------------------------------------------------------===//

#include "AffineMap.h"
#include "cpu/Registry.h"

#include <vector>

namespace nnet3 {
namespace rt {
namespace {

/// Affine, NaturalGradientAffine and, without a bias, Linear.
class AffineComponent : public Component {
public:
  /// \p preconditioners are those of the input and of the output derivative,
  /// or none.
  AffineComponent(const char *weightsName, ConstMatrixView weights,
                  const float *bias,
                  const std::vector<NaturalGradientOptions> &preconditioners,
                  const UpdateOptions &updateOptions, uint32_t properties)
      : Component(weights.cols, weights.rows, properties),
        hasBias(bias != nullptr) {
    addMatrix(weightsName, weights);
    if (bias)
      addVector("bias_params", bias, weights.rows);
    for (const NaturalGradientOptions &options : preconditioners)
      addPreconditioner(options);
    setUpdateOptions(updateOptions);
  }

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override {
    Component::plan(inRows, outRows, precomputed, errors);
    auto plan = std::make_unique<CommandPlan>();
    plan->backpropScratchBytes = affineUpdateScratch(
        outRows, inputDim(), outputDim(), hasBias, !preconditioners().empty());
    return plan;
  }

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override {
    affineForward(wholeInput(), in, context.parameters[0],
                  hasBias ? context.parameters[1].data : nullptr, out);
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &context) const override {
    if (operands.inDeriv.data)
      affineInDeriv(wholeInput(), operands.outDeriv, context.parameters[0],
                    operands.inDeriv);
    if (operands.update)
      affineUpdate(wholeInput(), operands.inValue, operands.outDeriv,
                   context.scratch, *operands.update);
  }

private:
  bool hasBias;
};

class FixedAffineComponent : public Component {
public:
  FixedAffineComponent(ConstMatrixView weights, const float *bias)
      : Component(weights.cols, weights.rows, kSimpleComponent | kBackpropAdds),
        weights(weights), bias(bias) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    affineForward(wholeInput(), in, weights, bias, out);
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &) const override {
    if (operands.inDeriv.data)
      affineInDeriv(wholeInput(), operands.outDeriv, weights, operands.inDeriv);
  }

private:
  ConstMatrixView weights;
  const float *bias;
};

/// A matrix attribute with one row per output unit.
ConstMatrixView readWeights(AttributeReader &attributes, const char *name) {
  const int32_t in = attributes.dim("input_dim");
  const int32_t out = attributes.dim("output_dim");
  return ConstMatrixView(attributes.tensor(name, {out, in}), out, in, in);
}

constexpr uint32_t kTrained = kSimpleComponent | kUpdatableComponent |
                              kBackpropNeedsInput | kBackpropAdds;

std::vector<NaturalGradientOptions>
readPreconditioners(AttributeReader &attributes, ConstMatrixView weights) {
  return {
      readPreconditioner(attributes, "rank_in", "alpha", weights.cols, 20),
      readPreconditioner(attributes, "rank_out", "alpha", weights.rows, 80)};
}

template <bool isPreconditioned>
std::unique_ptr<Component> createAffine(AttributeReader &attributes) {
  const ConstMatrixView weights = readWeights(attributes, "linear_params");
  const float *bias = attributes.tensor("bias_params", {weights.rows});
  std::vector<NaturalGradientOptions> preconditioners;
  if (isPreconditioned)
    preconditioners = readPreconditioners(attributes, weights);
  return std::make_unique<AffineComponent>(
      "linear_params", weights, bias, preconditioners,
      readUpdateOptions(attributes), kTrained);
}

std::unique_ptr<Component> createFixedAffine(AttributeReader &attributes) {
  const ConstMatrixView weights = readWeights(attributes, "linear_params");
  return std::make_unique<FixedAffineComponent>(
      weights, attributes.tensor("bias_params", {weights.rows}));
}

std::unique_ptr<Component> createLinear(AttributeReader &attributes) {
  const ConstMatrixView weights = readWeights(attributes, "params");
  std::vector<NaturalGradientOptions> preconditioners;
  if (attributes.flag("use_natural_gradient", true))
    preconditioners = readPreconditioners(attributes, weights);
  return std::make_unique<AffineComponent>(
      "params", weights, nullptr, preconditioners,
      readUpdateOptions(attributes), kTrained | kPropagateAdds);
}

constexpr ComponentFactory kFactories[] = {
    {"AffineComponent", createAffine<false>},
    {"NaturalGradientAffineComponent", createAffine<true>},
    {"FixedAffineComponent", createFixedAffine},
    {"LinearComponent", createLinear}};

} // namespace

FactoryTable affineFactories() { return makeTable(kFactories); }

} // namespace rt
} // namespace nnet3

//===- AffineComponents.cpp - Affine maps of rows -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Affine, NaturalGradientAffine, FixedAffine, Linear (spec: components.md
// 6.2-6.5). Weights have one row per output unit.
//
//===----------------------------------------------------------------------===//

#include "AffineMap.h"
#include "core/ComponentAttributes.h"

#include <vector>

namespace nnet3 {
namespace rt {
namespace {

/// Affine, NaturalGradientAffine and, without a bias, Linear.
class AffineComponent : public Component {
public:
  /// \p preconditioners has one for the input and one for the output
  /// derivative, or is empty.
  template <typename Attributes>
  AffineComponent(const char *weightsName, const Attributes &attributes,
                  const float *weights, const float *bias,
                  const std::vector<NaturalGradientOptions> &preconditioners)
      : Component(attributes), hasBias(bias != nullptr) {
    addMatrix(weightsName,
              ConstMatrixView(weights, outputDim(), inputDim(), inputDim()));
    if (bias)
      addVector("bias_params", bias, outputDim());
    for (const NaturalGradientOptions &options : preconditioners)
      addPreconditioner(options);
    setUpdateOptions(readUpdateOptions(attributes));
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
  explicit FixedAffineComponent(const FixedAffineAttributes &attributes)
      : Component(attributes),
        weights(attributes.linearParams(), outputDim(), inputDim(), inputDim()),
        bias(attributes.biasParams()) {}

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

template <typename Attributes>
std::vector<NaturalGradientOptions>
makePreconditioners(const Attributes &attributes) {
  auto make = [&](int32_t rank) {
    return checkedPreconditioner(attributes, rank, attributes.updatePeriod(),
                                 attributes.alpha(),
                                 attributes.numSamplesHistory());
  };
  return {make(attributes.rankIn()), make(attributes.rankOut())};
}

} // namespace

std::unique_ptr<Component> create(const AffineAttributes &attributes) {
  return std::make_unique<AffineComponent>(
      "linear_params", attributes, attributes.linearParams(),
      attributes.biasParams(), std::vector<NaturalGradientOptions>());
}

std::unique_ptr<Component>
create(const NaturalGradientAffineAttributes &attributes) {
  return std::make_unique<AffineComponent>(
      "linear_params", attributes, attributes.linearParams(),
      attributes.biasParams(), makePreconditioners(attributes));
}

std::unique_ptr<Component> create(const FixedAffineAttributes &attributes) {
  return std::make_unique<FixedAffineComponent>(attributes);
}

std::unique_ptr<Component> create(const LinearAttributes &attributes) {
  return std::make_unique<AffineComponent>("params", attributes,
                                           attributes.params(), nullptr,
                                           makePreconditioners(attributes));
}

} // namespace rt
} // namespace nnet3

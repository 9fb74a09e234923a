//===- ConstantComponents.cpp - Trained constants -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant and ConstantFunction (spec: components.md 6.37, 6.38).
//
//===----------------------------------------------------------------------===//

#include "cpu/Registry.h"
#include "cpu/RowCommands.h"
#include "cpu/math/VectorUpdate.h"

#include <cstring>

namespace nnet3 {
namespace rt {
namespace {

/// A row that does not depend on the input.
class ConstantComponent : public Component {
public:
  ConstantComponent(int32_t inputDim, int32_t outputDim, const float *values,
                    uint32_t properties)
      : Component(inputDim, outputDim, properties), fixed(values) {
    if (isTrained())
      addVector("output", values, outputDim);
  }

  bool isTrained() const { return properties() & kUpdatableComponent; }

  void train(AttributeReader &attributes) {
    setUpdateOptions(readUpdateOptions(attributes));
    if (attributes.flag("use_natural_gradient", true))
      addPreconditioner(NaturalGradientOptions());
  }

  bool readsInput() const override { return properties() & kSimpleComponent; }

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override {
    if (readsInput())
      Component::plan(inRows, outRows, precomputed, errors);
    if (!isTrained())
      return nullptr;
    return planVectorUpdate(outRows, outputDim(), outputDim(), 0, errors);
  }

  void propagate(const CommandPlan *, ConstMatrixView, MatrixView out, void *,
                 const RunContext &context) const override {
    const float *values = isTrained() ? context.parameters[0].data : fixed;
    for (int32_t r = 0; r < out.rows; ++r)
      std::memcpy(out.row(r), values, sizeof(float) * out.cols);
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &context) const override {
    if (operands.inDeriv.data && !(properties() & kBackpropAdds))
      setConst(operands.inDeriv, 0);
    if (!operands.update || !isTrained())
      return;
    const MatrixView derivs =
        rowsInScratch(context.scratch, operands.outDeriv, outputDim());
    copyMatrix(derivs, operands.outDeriv, 1.0f);
    updateVector(*operands.update, 0, derivs);
  }

private:
  const float *fixed;
};

std::unique_ptr<Component> create(AttributeReader &attributes, int32_t inputDim,
                                  int32_t outputDim, uint32_t properties) {
  if (attributes.flag("is_updatable", true))
    properties |= kUpdatableComponent;
  auto component = std::make_unique<ConstantComponent>(
      inputDim, outputDim, attributes.tensor("output", {outputDim}),
      properties);
  if (component->isTrained())
    component->train(attributes);
  return component;
}

std::unique_ptr<Component> createConstant(AttributeReader &attributes) {
  const int32_t dim = attributes.dim("output_dim");
  return create(attributes, dim, dim, 0);
}

std::unique_ptr<Component> createConstantFunction(AttributeReader &attributes) {
  const int32_t in = attributes.dim("input_dim");
  const int32_t out = attributes.dim("output_dim");
  return create(attributes, in, out,
                kSimpleComponent | kBackpropAdds |
                    (in == out ? uint32_t(kPropagateInPlace) : 0u));
}

constexpr ComponentFactory kFactories[] = {
    {"ConstantComponent", createConstant},
    {"ConstantFunctionComponent", createConstantFunction}};

} // namespace

FactoryTable constantFactories() { return makeTable(kFactories); }

} // namespace rt
} // namespace nnet3

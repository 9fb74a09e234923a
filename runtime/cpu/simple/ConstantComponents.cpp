//===- ConstantComponents.cpp - Trained constants -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant and ConstantFunction (spec: components.md 6.37, 6.38).
//
//===----------------------------------------------------------------------===//

#include "core/ComponentAttributes.h"
#include "cpu/RowCommands.h"
#include "cpu/math/VectorUpdate.h"

#include <cstring>

namespace nnet3 {
namespace rt {
namespace {

/// A row that does not depend on the input.
class ConstantComponent : public Component {
public:
  template <typename Attributes>
  explicit ConstantComponent(const Attributes &attributes)
      : Component(attributes), fixed(attributes.output()) {
    if (!isTrained())
      return;
    addVector("output", fixed, outputDim());
    setUpdateOptions(readUpdateOptions(attributes));
    if (attributes.useNaturalGradient())
      addPreconditioner(NaturalGradientOptions());
  }

  bool isTrained() const { return properties() & kUpdatableComponent; }

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

} // namespace

std::unique_ptr<Component> create(const ConstantAttributes &attributes) {
  return std::make_unique<ConstantComponent>(attributes);
}

std::unique_ptr<Component>
create(const ConstantFunctionAttributes &attributes) {
  return std::make_unique<ConstantComponent>(attributes);
}

} // namespace rt
} // namespace nnet3

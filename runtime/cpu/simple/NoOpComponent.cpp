//===- NoOpComponent.cpp - The identity -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.9.
//
//===----------------------------------------------------------------------===//

#include "cpu/Registry.h"
#include "cpu/RowCommands.h"

namespace nnet3 {
namespace rt {
namespace {

class NoOpComponent : public Component {
public:
  NoOpComponent(int32_t dim, float backpropScale)
      : Component(dim, dim,
                  kSimpleComponent | kPropagateInPlace | kBackpropInPlace),
        backpropScale(backpropScale) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    copyMatrix(out, in, 1.0f);
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &) const override {
    if (operands.inDeriv.data)
      copyMatrix(operands.inDeriv, operands.outDeriv, backpropScale);
  }

private:
  float backpropScale;
};

std::unique_ptr<Component> createNoOp(AttributeReader &attributes) {
  return std::make_unique<NoOpComponent>(
      attributes.dim("dim"),
      static_cast<float>(attributes.real("backprop_scale", 1.0)));
}

constexpr ComponentFactory kFactories[] = {{"NoOpComponent", createNoOp}};

} // namespace

FactoryTable noOpFactories() { return makeTable(kFactories); }

} // namespace rt
} // namespace nnet3

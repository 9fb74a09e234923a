//===- NoOpComponent.cpp - The identity -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.9.
//
//===----------------------------------------------------------------------===//

#include "core/ComponentAttributes.h"
#include "cpu/RowCommands.h"

namespace nnet3 {
namespace rt {
namespace {

class NoOpComponent : public Component {
public:
  explicit NoOpComponent(const NoOpAttributes &attributes)
      : Component(attributes), backpropScale(attributes.backpropScale()) {}

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

} // namespace

std::unique_ptr<Component> create(const NoOpAttributes &attributes) {
  return std::make_unique<NoOpComponent>(attributes);
}

} // namespace rt
} // namespace nnet3

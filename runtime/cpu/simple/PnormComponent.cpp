//===- PnormComponent.cpp - 2-norms of groups of columns ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.39.
//
//===----------------------------------------------------------------------===//

#include "cpu/Registry.h"
#include "cpu/math/VectorMath.h"

#include <cmath>
#include <string>

namespace nnet3 {
namespace rt {
namespace {

class PnormComponent : public Component {
public:
  PnormComponent(int32_t inputDim, int32_t outputDim)
      : Component(inputDim, outputDim,
                  kSimpleComponent | kBackpropNeedsInput |
                      kBackpropNeedsOutput),
        size(inputDim / outputDim) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    for (int32_t r = 0; r < out.rows; ++r)
      for (int32_t g = 0; g < out.cols; ++g)
        out.row(r)[g] = std::sqrt(static_cast<float>(
            vecSumSquares(size, in.row(r) + int64_t(g) * size)));
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &) const override {
    const MatrixView &inDeriv = operands.inDeriv;
    for (int32_t r = 0; inDeriv.data && r < inDeriv.rows; ++r)
      for (int32_t g = 0; g < outputDim(); ++g) {
        const float y = operands.outValue.row(r)[g];
        const float scale = y == 0 ? 0 : operands.outDeriv.row(r)[g] / y;
        vecScale(size, scale, operands.inValue.row(r) + int64_t(g) * size,
                 inDeriv.row(r) + int64_t(g) * size);
      }
  }

private:
  int32_t size; ///< of a group
};

std::unique_ptr<Component> createPnorm(AttributeReader &attributes) {
  const int32_t in = attributes.dim("input_dim");
  const int32_t out = attributes.dim("output_dim");
  if (in % out != 0)
    attributes.fail("expects output_dim to divide input_dim, but got " +
                    std::to_string(out) + " and " + std::to_string(in));
  return std::make_unique<PnormComponent>(in, out);
}

constexpr ComponentFactory kFactories[] = {{"PnormComponent", createPnorm}};

} // namespace

FactoryTable pnormFactories() { return makeTable(kFactories); }

} // namespace rt
} // namespace nnet3

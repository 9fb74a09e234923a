//===- PnormComponent.cpp - 2-norms of groups of columns ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.39.
//
//===----------------------------------------------------------------------===//

#include "core/ComponentAttributes.h"
#include "cpu/math/VectorMath.h"

#include <cmath>
#include <string>

namespace nnet3 {
namespace rt {
namespace {

class PnormComponent : public Component {
public:
  explicit PnormComponent(const PnormAttributes &attributes)
      : Component(attributes), size(inputDim() / outputDim()) {}

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

} // namespace

std::unique_ptr<Component> create(const PnormAttributes &attributes) {
  return std::make_unique<PnormComponent>(attributes);
}

} // namespace rt
} // namespace nnet3

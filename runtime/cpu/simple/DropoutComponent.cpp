//===- DropoutComponent.cpp - Independent dropout -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.22. No rescaling by 1 / (1 - p): test mode multiplies
// by 1 - p instead.
//
//===----------------------------------------------------------------------===//

#include "core/ComponentAttributes.h"
#include "cpu/math/Random.h"
#include "cpu/math/Rows.h"
#include "cpu/math/VectorMath.h"

namespace nnet3 {
namespace rt {
namespace {

class DropoutComponent : public Component {
public:
  explicit DropoutComponent(const DropoutAttributes &attributes)
      : Component(attributes), proportion(attributes.dropoutProportion()),
        perFrame(attributes.dropoutPerFrame()),
        testMode(attributes.testMode()) {}

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override {
    Component::plan(inRows, outRows, precomputed, errors);
    auto plan = std::make_unique<CommandPlan>();
    plan->scratchBytes = sizeof(float) * uint64_t(outputDim());
    return plan;
  }

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override {
    if (testMode) {
      forEachElement(in, out, [&](int64_t n, const float *x, float *y) {
        vecScale(n, 1 - proportion, x, y);
      });
      return;
    }
    RandomStream random(context);
    auto *numbers = static_cast<float *>(context.scratch);
    for (int32_t r = 0; r < in.rows; ++r)
      propagateRow(in.row(r), out.row(r), r, random, numbers);
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &) const override {
    const MatrixView &inDeriv = operands.inDeriv;
    for (int32_t r = 0; inDeriv.data && r < inDeriv.rows; ++r)
      vecMulQuotient(inDeriv.cols, operands.outDeriv.row(r),
                     operands.outValue.row(r), operands.inValue.row(r),
                     inDeriv.row(r));
  }

private:
  void propagateRow(const float *x, float *y, int64_t row, RandomStream &random,
                    float *numbers) const {
    if (perFrame) {
      vecScale(outputDim(), random.uniform(row) > proportion ? 1.0f : 0.0f, x,
               y);
      return;
    }
    random.uniform(row * outputDim(), outputDim(), numbers);
    vecKeepAbove(outputDim(), proportion, numbers, x, y);
  }

  float proportion;
  bool perFrame;
  bool testMode;
};

} // namespace

std::unique_ptr<Component> create(const DropoutAttributes &attributes) {
  return std::make_unique<DropoutComponent>(attributes);
}

} // namespace rt
} // namespace nnet3

//===- DropoutComponent.cpp - Independent dropout -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.22. No rescaling by 1 / (1 - p): test mode multiplies
// by 1 - p instead.
//
//===----------------------------------------------------------------------===//

#include "cpu/Registry.h"
#include "cpu/math/Random.h"
#include "cpu/math/Rows.h"
#include "cpu/math/VectorMath.h"

namespace nnet3 {
namespace rt {
namespace {

class DropoutComponent : public Component {
public:
  DropoutComponent(int32_t dim, float proportion, bool perFrame, bool testMode)
      : Component(dim, dim,
                  kSimpleComponent | kBackpropInPlace | kBackpropNeedsInput |
                      kBackpropNeedsOutput | kRandomComponent),
        proportion(proportion), perFrame(perFrame), testMode(testMode) {}

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

std::unique_ptr<Component> createDropout(AttributeReader &attributes) {
  const int32_t dim = attributes.dim("dim");
  const double proportion = attributes.real("dropout_proportion", 0.0);
  if (!(proportion >= 0 && proportion <= 1))
    attributes.fail("expects dropout_proportion in [0, 1], but got " +
                    std::to_string(proportion));
  return std::make_unique<DropoutComponent>(
      dim, static_cast<float>(proportion),
      attributes.flag("dropout_per_frame", false),
      attributes.flag("test_mode", false));
}

constexpr ComponentFactory kFactories[] = {{"DropoutComponent", createDropout}};

} // namespace

FactoryTable dropoutFactories() { return makeTable(kFactories); }

} // namespace rt
} // namespace nnet3

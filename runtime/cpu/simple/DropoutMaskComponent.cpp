//===- DropoutMaskComponent.cpp - Random masks without input --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.21. Reads no input and has no derivative.
//
//===----------------------------------------------------------------------===//

#include "core/ComponentAttributes.h"
#include "cpu/RowCommands.h"
#include "cpu/math/Random.h"

#include <string>

namespace nnet3 {
namespace rt {
namespace {

class DropoutMaskComponent : public Component {
public:
  explicit DropoutMaskComponent(const DropoutMaskAttributes &attributes)
      : Component(attributes), proportion(attributes.dropoutProportion()),
        continuous(attributes.continuous()), testMode(attributes.testMode()) {}

  bool readsInput() const override { return false; }

  std::unique_ptr<CommandPlan> plan(int32_t, int32_t, AttributeReader *,
                                    ErrorSink &) const override {
    return nullptr;
  }

  void propagate(const CommandPlan *, ConstMatrixView, MatrixView out, void *,
                 const RunContext &context) const override {
    if (proportion == 0 || (testMode && continuous))
      return setConst(out, 1);
    if (testMode)
      return setConst(out, 1 - proportion);
    RandomStream random(context);
    for (int32_t r = 0; r < out.rows; ++r) {
      float *mask = out.row(r);
      random.uniform(int64_t(r) * out.cols, out.cols, mask);
      makeMask(out.cols, mask);
    }
    if (!continuous && (out.cols == 2 || out.cols == 3))
      coupleGates(out, random);
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &) const override {
    if (operands.inDeriv.data)
      setConst(operands.inDeriv, 0);
  }

private:
  /// Converts uniform numbers to a mask, in place.
  void makeMask(int32_t n, float *values) const {
    for (int32_t i = 0; i < n; ++i)
      values[i] = continuous ? 1 - 2 * proportion + 4 * proportion * values[i]
                             : (values[i] > proportion ? 1.0f : 0.0f);
  }

  /// Draws the first two columns, which mask the gates i and f of an LSTM, from
  /// one random number per row.
  void coupleGates(MatrixView out, RandomStream &random) const {
    const uint64_t begin = uint64_t(out.rows) * out.cols;
    for (int32_t r = 0; r < out.rows; ++r) {
      const float u = random.uniform(begin + r);
      out.row(r)[0] = u > proportion ? 1.0f : 0.0f;
      out.row(r)[1] = 1 - proportion > u ? 1.0f : 0.0f;
    }
  }

  float proportion;
  bool continuous;
  bool testMode;
};

} // namespace

std::unique_ptr<Component> create(const DropoutMaskAttributes &attributes) {
  return std::make_unique<DropoutMaskComponent>(attributes);
}

} // namespace rt
} // namespace nnet3

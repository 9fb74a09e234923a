//===- SpecAugmentTimeMaskComponent.cpp - Masking of time ranges ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.13. Each sequence alternates between ranges of frames
// that are kept and ranges that are zeroed.
//
//===----------------------------------------------------------------------===//

#include "core/ComponentAttributes.h"
#include "cpu/RowCommands.h"
#include "cpu/math/Random.h"
#include "cpu/math/VectorMath.h"

#include <cmath>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {
namespace {

/// The rows of all sequences, each sorted by time.
struct TimeMaskPlan : CommandPlan {
  RowEntries rows;
  RowEntries lengths;
};

class SpecAugmentTimeMaskComponent : public Component {
public:
  /// No masking if \p longestZeroed is 0.
  SpecAugmentTimeMaskComponent(const SpecAugmentTimeMaskAttributes &attributes,
                               int32_t longestZeroed, int32_t longestKept)
      : Component(attributes), zeroedProportion(attributes.zeroedProportion()),
        longestZeroed(longestZeroed), longestKept(longestKept) {}

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override;

  void propagate(const CommandPlan *plan, ConstMatrixView in, MatrixView out,
                 void *memo, const RunContext &context) const override;
  void backprop(const CommandPlan *plan, const BackpropOperands &operands,
                const RunContext &context) const override;

private:
  float zeroedProportion;
  int32_t longestZeroed;
  int32_t longestKept;
};

std::unique_ptr<CommandPlan>
SpecAugmentTimeMaskComponent::plan(int32_t inRows, int32_t outRows,
                                   AttributeReader *precomputed,
                                   ErrorSink &errors) const {
  Component::plan(inRows, outRows, precomputed, errors);
  if (longestZeroed == 0)
    return nullptr;
  if (!precomputed) {
    errors.fail("needs precomputed indexes");
    return nullptr;
  }
  auto plan = std::make_unique<TimeMaskPlan>();
  plan->rows = precomputed->entries("rows", inRows);
  plan->lengths = precomputed->entriesUpTo("lengths", inRows);
  if (!precomputed->ok())
    return nullptr;
  std::vector<bool> seen(inRows, false);
  bool good = true;
  for (int32_t i = 0; good && i < inRows; ++i) {
    const int32_t row = plan->rows[i];
    good = row >= 0 && row < inRows && !seen[row];
    if (good)
      seen[row] = true;
  }
  int64_t left = inRows;
  for (size_t i = 0; good && i < plan->lengths.size(); ++i) {
    good = plan->lengths[i] > 0 && plan->lengths[i] <= left;
    left -= good ? plan->lengths[i] : 0;
  }
  if (!good || left != 0)
    errors.fail("expects precomputed sequences that hold each of " +
                std::to_string(inRows) + " rows once");
  plan->memoBytes = sizeof(float) * uint64_t(inRows);
  return plan;
}

void SpecAugmentTimeMaskComponent::propagate(const CommandPlan *anyPlan,
                                             ConstMatrixView in, MatrixView out,
                                             void *memo,
                                             const RunContext &context) const {
  if (longestZeroed == 0)
    return copyMatrix(out, in, 1.0f);
  const auto &plan = static_cast<const TimeMaskPlan &>(*anyPlan);
  RandomStream random(context);
  uint32_t at = 0;
  for (uint32_t sequence = 0; sequence < plan.lengths.size(); ++sequence) {
    // A sequence draws at most one number more than it has rows. Its first
    // position does not depend on the draws of other sequences.
    uint64_t position = uint64_t(at) + sequence;
    // As in Kaldi, the first range is *kept* with the probability of zeroing.
    bool kept = random.uniform(position++) < zeroedProportion;
    for (int64_t left = plan.lengths[sequence]; left > 0; kept = !kept) {
      int64_t length =
          random.integer(position++, 1, kept ? longestKept : longestZeroed);
      for (; length > 0 && left > 0; --length, --left) {
        const int64_t row = plan.rows[at++];
        vecScale(in.cols, kept ? 1.0f : 0.0f, in.row(row), out.row(row));
        if (memo)
          static_cast<float *>(memo)[row] = kept ? 1.0f : 0.0f;
      }
    }
  }
}

void SpecAugmentTimeMaskComponent::backprop(const CommandPlan *,
                                            const BackpropOperands &operands,
                                            const RunContext &) const {
  const MatrixView &inDeriv = operands.inDeriv;
  if (!inDeriv.data)
    return;
  if (longestZeroed == 0)
    return copyMatrix(inDeriv, operands.outDeriv, 1.0f);
  const auto *mask = static_cast<const float *>(operands.memo);
  for (int32_t r = 0; r < inDeriv.rows; ++r)
    vecScale(inDeriv.cols, mask[r], operands.outDeriv.row(r), inDeriv.row(r));
}

} // namespace

std::unique_ptr<Component>
create(const SpecAugmentTimeMaskAttributes &attributes) {
  const double zeroed = attributes.zeroedProportion();
  const double longest = attributes.timeMaskMaxFrames();
  if (attributes.testMode() || zeroed == 0)
    return std::make_unique<SpecAugmentTimeMaskComponent>(attributes, 0, 0);
  const double kept = std::floor(longest * (1 - zeroed) / zeroed);
  if (!(kept >= 1 && kept < INT32_MAX && longest <= INT32_MAX))
    attributes.fail("expects zeroed_proportion and time_mask_max_frames that "
                    "leave frames in between");
  if (!attributes.ok())
    return nullptr;
  return std::make_unique<SpecAugmentTimeMaskComponent>(
      attributes, static_cast<int32_t>(longest), static_cast<int32_t>(kept));
}

} // namespace rt
} // namespace nnet3

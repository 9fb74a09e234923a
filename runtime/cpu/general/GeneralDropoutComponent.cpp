//===- GeneralDropoutComponent.cpp - Dropout shared over time -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.8: masks that all frames of a sequence, or groups of
// frames, share, including SpecAugment's frequency masks.
//
//===----------------------------------------------------------------------===//

#include "core/ComponentAttributes.h"
#include "cpu/RowCommands.h"
#include "cpu/math/Random.h"
#include "cpu/math/VectorMath.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace nnet3 {
namespace rt {
namespace {

struct Settings {
  int32_t blockDim;
  float dropoutProportion;
  double specaugmentMaxProportion;
  int32_t specaugmentMaxRegions;
  bool continuous;
  bool testMode;

  bool isIdentity() const {
    return testMode ||
           (dropoutProportion == 0 && specaugmentMaxProportion == 0);
  }
};

/// The mask of each row.
struct GeneralDropoutPlan : CommandPlan {
  RowEntries rows;
  int64_t numMasks = 0;
};

class GeneralDropoutComponent : public Component {
public:
  GeneralDropoutComponent(const GeneralDropoutAttributes &attributes,
                          const Settings &settings)
      : Component(attributes), settings(settings) {}

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override;

  void propagate(const CommandPlan *plan, ConstMatrixView in, MatrixView out,
                 void *memo, const RunContext &context) const override;

  void backprop(const CommandPlan *plan, const BackpropOperands &operands,
                const RunContext &) const override {
    if (operands.inDeriv.data)
      apply(plan, static_cast<const float *>(operands.memo), operands.outDeriv,
            operands.inDeriv);
  }

private:
  void apply(const CommandPlan *plan, const float *masks, ConstMatrixView in,
             MatrixView out) const;
  void makeMask(int64_t mask, RandomStream &random, float *values) const;
  void makeSpecAugmentMask(int64_t mask, RandomStream &random,
                           float *values) const;

  Settings settings;
};

std::unique_ptr<CommandPlan>
GeneralDropoutComponent::plan(int32_t inRows, int32_t outRows,
                              AttributeReader *precomputed,
                              ErrorSink &errors) const {
  Component::plan(inRows, outRows, precomputed, errors);
  if (settings.isIdentity())
    return nullptr;
  if (!precomputed) {
    errors.fail("needs precomputed indexes");
    return nullptr;
  }
  auto plan = std::make_unique<GeneralDropoutPlan>();
  const int32_t numMaskRows = precomputed->integer("num_mask_rows", 1);
  plan->rows = precomputed->entries("indexes", inRows);
  if (!precomputed->ok())
    return nullptr;
  // Masks are numbered in order of first appearance, so that there are at most
  // as many as rows, which bounds the memory.
  for (size_t i = 0; i < plan->rows.size(); ++i) {
    const int64_t mask = plan->rows[i];
    if (mask < 0 || mask >= numMaskRows || mask > plan->numMasks)
      errors.fail("expects mask indexes below " + std::to_string(numMaskRows) +
                  " in order of appearance, but got " + std::to_string(mask));
    plan->numMasks = std::max(plan->numMasks, mask + 1);
    if (!errors.ok())
      return nullptr;
  }
  plan->memoBytes =
      sizeof(float) * uint64_t(plan->numMasks) * settings.blockDim;
  plan->scratchBytes = plan->memoBytes;
  return plan;
}

void GeneralDropoutComponent::propagate(const CommandPlan *plan,
                                        ConstMatrixView in, MatrixView out,
                                        void *memo,
                                        const RunContext &context) const {
  auto *masks = static_cast<float *>(memo ? memo : context.scratch);
  if (!settings.isIdentity()) {
    RandomStream random(context);
    const int64_t numMasks =
        static_cast<const GeneralDropoutPlan *>(plan)->numMasks;
    for (int64_t mask = 0; mask < numMasks; ++mask)
      makeMask(mask, random, masks + mask * settings.blockDim);
  }
  apply(plan, masks, in, out);
}

/// Multiplies each block of each row by the row's mask.
void GeneralDropoutComponent::apply(const CommandPlan *plan, const float *masks,
                                    ConstMatrixView in, MatrixView out) const {
  if (settings.isIdentity())
    return copyMatrix(out, in, 1.0f);
  const RowEntries &rows = static_cast<const GeneralDropoutPlan *>(plan)->rows;
  const int32_t n = settings.blockDim;
  for (int32_t r = 0; r < in.rows; ++r)
    for (int32_t c = 0; c < in.cols; c += n)
      vecMul(n, in.row(r) + c, masks + int64_t(rows[r]) * n, out.row(r) + c);
}

void GeneralDropoutComponent::makeMask(int64_t mask, RandomStream &random,
                                       float *values) const {
  if (settings.specaugmentMaxProportion != 0) {
    makeSpecAugmentMask(mask, random, values);
    return;
  }
  const float p = settings.dropoutProportion;
  const float kept = p < 1 ? 1 / (1 - p) : 0.0f;
  random.uniform(mask * settings.blockDim, settings.blockDim, values);
  for (int32_t i = 0; i < settings.blockDim; ++i) {
    const float u = values[i];
    if (settings.continuous)
      values[i] = 1 - 2 * p + 4 * p * u;
    else
      values[i] = u > p ? kept : 0.0f;
  }
}

/// Zeroes a cyclic range of bins of random length; further regions come from
/// flipping a random half of the bins, which may split a range in two.
void GeneralDropoutComponent::makeSpecAugmentMask(int64_t mask,
                                                  RandomStream &random,
                                                  float *values) const {
  const int32_t bins = settings.blockDim;
  uint64_t position =
      uint64_t(mask) * (2 + uint64_t(settings.specaugmentMaxRegions));
  std::fill(values, values + bins, 1.0f);
  const auto longest = static_cast<int32_t>(
      std::floor(bins * settings.specaugmentMaxProportion + 0.5));
  const int32_t length = random.integer(position++, 0, longest);
  const int32_t start = random.integer(position++, 0, bins - 1);
  for (int32_t i = 0; i < length; ++i)
    values[(int64_t(start) + i) % bins] = 0.0f;
  if (length == 0)
    return;
  const int32_t half = bins / 2;
  for (int32_t region = 1; region < settings.specaugmentMaxRegions; ++region) {
    const int64_t first = random.integer(position++, 0, bins - 1);
    const int64_t last = first + half;
    for (int32_t i = 0; i < half / 2; ++i)
      std::swap(values[(first + i) % bins], values[(last - i) % bins]);
  }
}

} // namespace

std::unique_ptr<Component> create(const GeneralDropoutAttributes &attributes) {
  Settings settings;
  settings.blockDim = attributes.blockDim();
  settings.dropoutProportion = attributes.dropoutProportion();
  settings.specaugmentMaxProportion = attributes.specaugmentMaxProportion();
  settings.specaugmentMaxRegions = attributes.specaugmentMaxRegions();
  settings.continuous = attributes.continuous();
  settings.testMode = attributes.testMode();
  if (settings.specaugmentMaxProportion != 0 && settings.continuous)
    attributes.fail("expects no continuous with specaugment_max_proportion");
  // Each region costs a pass over half of the bins.
  if (settings.specaugmentMaxRegions > 10000)
    attributes.fail("expects specaugment_max_regions of at most 10000");
  return std::make_unique<GeneralDropoutComponent>(attributes, settings);
}

} // namespace rt
} // namespace nnet3

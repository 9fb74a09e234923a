//===- CompositePlan.cpp - Commands of composite components ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompositePlan.h"

#include <algorithm>

namespace nnet3 {
namespace rt {

static CompositePass planPass(const CompositeParts &parts, int32_t rows,
                              ErrorSink &errors) {
  CompositePass pass;
  pass.rows = rows;
  for (const CompositePart &part : parts)
    pass.plans.push_back(part.component->plan(rows, rows, nullptr, errors));
  return pass;
}

std::unique_ptr<CompositePlan> planComposite(const CompositeParts &parts,
                                             size_t numRepeated,
                                             int32_t maxRows, int32_t outRows,
                                             ErrorSink &errors) {
  auto plan = std::make_unique<CompositePlan>();
  const int32_t rows = maxRows > 0 ? std::min(maxRows, outRows) : outRows;
  plan->full = planPass(parts, rows, errors);
  if (outRows % rows != 0)
    plan->rest = planPass(parts, outRows % rows, errors);

  CompositeLayout &layout = plan->layout;
  uint64_t scratch = 0, backpropScratch = 0, widest = 0;
  for (size_t i = 0; i < numRepeated; ++i) {
    const uint64_t bytes =
        sizeof(float) * uint64_t(parts[i].component->outputDim()) * rows;
    // Sums of such sizes fit 64 bits.
    if (bytes > uint64_t(1) << 48) {
      errors.fail("has too many rows for the values between its parts");
      return nullptr;
    }
    widest = std::max(widest, bytes);
    layout.values.push_back(layout.take(bytes));
  }
  for (const CompositePass *pass : {&plan->full, &plan->rest})
    for (const auto &part : pass->plans)
      if (part) {
        scratch = std::max(scratch, part->scratchBytes);
        backpropScratch = std::max(backpropScratch, part->backpropScratchBytes);
      }
  layout.partScratch = layout.take(std::max(scratch, backpropScratch));
  plan->scratchBytes = layout.size;
  for (uint64_t &deriv : layout.derivs)
    deriv = layout.take(widest);
  for (const auto &part : plan->full.plans)
    layout.memos.push_back(layout.take(part ? part->memoBytes : 0));
  plan->backpropScratchBytes = layout.size;
  return plan;
}

} // namespace rt
} // namespace nnet3

//===- CompositePlan.h - Commands of composite components -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes in which a command of a composite computes its rows, and the
// layout of the scratch buffer.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_COMPOSITE_COMPOSITEPLAN_H
#define NNET3_RUNTIME_CPU_COMPOSITE_COMPOSITEPLAN_H

#include "CompositePart.h"

#include <vector>

namespace nnet3 {
namespace rt {

/// Offsets in the scratch buffer, in bytes.
struct CompositeLayout {
  uint64_t size = 0;
  std::vector<uint64_t> values; ///< outputs of the parts
  uint64_t partScratch = 0;
  // For the backward pass only:
  std::vector<uint64_t> memos;
  uint64_t derivs[2] = {0, 0}; ///< of the values, alternating

  uint64_t take(uint64_t bytes) {
    const uint64_t offset = size;
    size += (bytes + 63) / 64 * 64;
    return offset;
  }
};

/// The plans of all parts for `rows` rows.
struct CompositePass {
  int32_t rows = 0;
  std::vector<std::unique_ptr<CommandPlan>> plans;
};

/// Full passes, and one for the remaining rows.
struct CompositePlan : CommandPlan {
  CompositePass full;
  CompositePass rest; ///< for the remaining rows, perhaps none
  CompositeLayout layout;
};

/// Makes the plan for \p rows rows, with at most \p maxRows per pass unless 0.
/// The backward pass recomputes the first \p numRepeated parts. Returns null
/// after an error.
std::unique_ptr<CompositePlan> planComposite(const CompositeParts &parts,
                                             size_t numRepeated,
                                             int32_t maxRows, int32_t rows,
                                             ErrorSink &errors);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_COMPOSITE_COMPOSITEPLAN_H

//===- CompositePlan.h - Commands of composite components -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a command of a composite component takes its rows through the parts, and
// where in scratch memory the values between them live.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_COMPOSITE_COMPOSITEPLAN_H
#define NNET3_RUNTIME_CPU_COMPOSITE_COMPOSITEPLAN_H

#include "CompositePart.h"

#include <vector>

namespace nnet3 {
namespace rt {

/// Where in scratch memory things are, in bytes.
struct CompositeLayout {
  uint64_t size = 0;
  std::vector<uint64_t> values; ///< of what the parts compute
  uint64_t partScratch = 0;
  // Of the backward pass alone:
  std::vector<uint64_t> memos;
  uint64_t derivs[2] = {0, 0}; ///< of the values, in turns

  uint64_t take(uint64_t bytes) {
    const uint64_t offset = size;
    size += (bytes + 63) / 64 * 64;
    return offset;
  }
};

/// The plans of all parts for so many rows.
struct CompositePass {
  int32_t rows = 0;
  std::vector<std::unique_ptr<CommandPlan>> plans;
};

/// Full passes of so many rows that fit, and one for what is left over.
struct CompositePlan : CommandPlan {
  CompositePass full;
  CompositePass rest; ///< for the rows that are left over, perhaps none
  CompositeLayout layout;
};

/// The plan for \p rows rows, at most \p maxRows of them in a pass unless that
/// is 0. The backward pass computes the first \p numRepeated parts once more.
/// Null after an error.
std::unique_ptr<CompositePlan> planComposite(const CompositeParts &parts,
                                             size_t numRepeated,
                                             int32_t maxRows, int32_t rows,
                                             ErrorSink &errors);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_COMPOSITE_COMPOSITEPLAN_H

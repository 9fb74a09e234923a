//===- CompositePart.h - A part of a composite component --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A composite component declares the parameters, statistics and
// preconditioners of its parts as its own, one part after the other.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CPU_COMPOSITE_COMPOSITEPART_H
#define NNET3_RUNTIME_CPU_COMPOSITE_COMPOSITEPART_H

#include "core/ComponentState.h"

#include <memory>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {

struct CompositePart {
  std::unique_ptr<Component> component;
  /// What the names of its attributes begin with, as in "component1.".
  std::string prefix;
  /// Its position among the parts, and where what it declares begins in what
  /// the composite declares.
  size_t index, firstParameter, firstStatistic, firstPreconditioner;

  bool has(uint32_t bits) const {
    return (component->properties() & bits) == bits;
  }

  /// The surroundings of one of the part's commands. Random numbers differ from
  /// those of the other parts.
  RunContext contextOf(const RunContext &whole, void *scratch) const;
};

using CompositeParts = std::vector<CompositePart>;

/// The state of a part, taken out of that of the whole, where it is put back in
/// the end.
class LentState {
public:
  LentState(const CompositePart &part, ComponentState &whole);
  ~LentState();
  LentState(const LentState &) = delete;
  LentState &operator=(const LentState &) = delete;

  ComponentState state;

private:
  const CompositePart &part;
  ComponentState &whole;
};

/// A copy of the statistics and learning rate of a part, without the rest.
ComponentState copyStatistics(const CompositePart &part,
                              const ComponentState &whole);

/// Writes the statistics of a part, and the rest of its training state.
void exportPart(const CompositePart &part, const ComponentState &whole,
                AttributeWriter &writer);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_COMPOSITE_COMPOSITEPART_H

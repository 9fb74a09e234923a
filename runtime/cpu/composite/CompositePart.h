//===- CompositePart.h - A part of a composite component --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A composite declares the parameters, statistics and preconditioners of its
// parts as its own, in the order of the parts.
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
  /// Prefix of its attributes' names, such as "component1.".
  std::string prefix;
  /// Its position among the parts, and the positions of its first declarations
  /// among those of the composite.
  size_t index, firstParameter, firstStatistic, firstPreconditioner;

  bool has(uint32_t bits) const {
    return (component->properties() & bits) == bits;
  }

  /// Returns the context of one of the part's commands. Parts draw different
  /// random numbers.
  RunContext contextOf(const RunContext &whole, void *scratch) const;
};

using CompositeParts = std::vector<CompositePart>;

/// Moves the state of a part out of the composite's state; the destructor moves
/// it back.
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

/// Copies the statistics and the learning rate of a part only.
ComponentState copyStatistics(const CompositePart &part,
                              const ComponentState &whole);

/// Writes the statistics and the other training state of a part.
void exportPart(const CompositePart &part, const ComponentState &whole,
                AttributeWriter &writer);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CPU_COMPOSITE_COMPOSITEPART_H

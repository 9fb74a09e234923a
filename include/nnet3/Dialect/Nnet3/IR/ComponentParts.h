//===- ComponentParts.h - Attributes of components and parts ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_COMPONENTPARTS_H
#define NNET3_DIALECT_NNET3_IR_COMPONENTPARTS_H

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include <optional>
#include <string>

namespace mlir::nnet3 {

/// Calls `fn` for a component, with an empty prefix, and for the parts of a
/// composite component. The prefix, such as "component1." for the first part,
/// distinguishes the attributes of parts in lists of all attributes.
void forEachPart(
    ComponentOpInterface component,
    function_ref<void(ComponentOpInterface part, StringRef prefix)> fn);

/// The number of a part of a composite component, from 0; nullopt for a
/// component of a network.
std::optional<int64_t> getPartNumber(ComponentOpInterface component);

/// The prefix of the attributes of a component or a part.
std::string getPartPrefix(ComponentOpInterface component);

/// Returns the component or part that has the attribute `name`, and removes the
/// prefix from `name`. The part must exist.
ComponentOpInterface findPart(ComponentOpInterface component, StringRef &name);

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_IR_COMPONENTPARTS_H

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
/// composite component. Where attributes of all of them are in one list, their
/// names begin with the prefix: "component1." for the first part.
void forEachPart(
    ComponentOpInterface component,
    function_ref<void(ComponentOpInterface part, StringRef prefix)> fn);

/// The number of a part of a composite component, from 0; none for a component
/// of a network.
std::optional<int64_t> getPartNumber(ComponentOpInterface component);

/// The same of a part or a component: the prefix of its attributes' names.
std::string getPartPrefix(ComponentOpInterface component);

/// The component or part that `name` is an attribute of; drops the prefix from
/// `name`. The part exists.
ComponentOpInterface findPart(ComponentOpInterface component, StringRef &name);

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_IR_COMPONENTPARTS_H

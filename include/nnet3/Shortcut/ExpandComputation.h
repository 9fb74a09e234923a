//===- ExpandComputation.h - From two sequences to many ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_SHORTCUT_EXPANDCOMPUTATION_H
#define NNET3_SHORTCUT_EXPANDCOMPUTATION_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

#include "mlir/IR/Builders.h"

#include <string>

namespace mlir::nnet3 {

/// Expands the computation `mini` of two sequences to `numSequences` sequences
/// (shortcut.md 5): emits one command for each of its commands at the builder's
/// insertion point. `mini` must have been compiled with `expandable`, may have
/// been optimised, and is not changed; it must be in a module with its network.
/// Returns null and sets `reason` if the commands of `mini` cannot be
/// extrapolated.
///
/// Time and memory do not depend on `numSequences`, except for debug
/// information and for sequences in different orders.
ComputationOp expandComputation(OpBuilder &builder, ComputationOp mini,
                                int64_t numSequences, std::string &reason);

} // namespace mlir::nnet3

#endif // NNET3_SHORTCUT_EXPANDCOMPUTATION_H

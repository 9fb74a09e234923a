//===- ExpandComputation.h - From two sequences to many ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_SHORTCUT_EXPANDCOMPUTATION_H
#define NNET3_SHORTCUT_EXPANDCOMPUTATION_H

#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"

#include "mlir/IR/Builders.h"

#include <string>

namespace mlir::nnet3 {

/// Emits, at the builder's insertion point, the commands of `mini` for
/// `numSequences` sequences in place of two (shortcut.md 5): one command for
/// each. `mini` was compiled as `expandable`, and possibly optimised; it stays
/// as it is, and it is in a module with its network, to which the new one also
/// belongs. Null, and the reason, if the commands of `mini` do not show how
/// they go on.
///
/// Takes time and memory that do not depend on `numSequences`, but for debug
/// information, and where sequences are in different orders.
ComputationOp expandComputation(OpBuilder &builder, ComputationOp mini,
                                int64_t numSequences, std::string &reason);

} // namespace mlir::nnet3

#endif // NNET3_SHORTCUT_EXPANDCOMPUTATION_H

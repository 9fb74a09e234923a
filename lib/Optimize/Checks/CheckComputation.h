//===- CheckComputation.h - The checks of a computation ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: optimize.md 2, less what the verifiers of the commands check. Each of
// these emits an error for everything that it finds.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_OPTIMIZE_CHECKCOMPUTATION_H
#define LIB_OPTIMIZE_CHECKCOMPUTATION_H

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"

namespace mlir::nnet3 {

/// Component commands: where they run in place, rows of values and
/// derivatives, what they need, and on which side of the marker they are.
LogicalResult checkComponents(CommandAnalysis &analysis);

/// Each memo is consumed once, by the component that produced it.
LogicalResult checkMemos(const CommandAnalysis &analysis);

/// Copies and additions: none reads what it writes, no row is written twice.
LogicalResult checkCopies(const CommandAnalysis &analysis);

/// Each matrix is used, and not when it is freed.
LogicalResult checkMatrices(const CommandAnalysis &analysis);

/// Compressed matrices: ranges, and when they are decompressed.
LogicalResult checkCompression(CommandAnalysis &analysis);

/// Each variable is written before it is read; with `checkUnused`, none stays
/// without an access.
LogicalResult checkUndefined(const CommandAnalysis &analysis, bool checkUnused);

/// The debug information of each matrix fits it.
LogicalResult checkDebugInfo(const CommandAnalysis &analysis);

/// No variable is written once it has been read.
LogicalResult checkRewrite(const CommandAnalysis &analysis);

/// The number of the only no_operation_marker; -1 if there is none or there
/// are several.
int32_t getMarker(const CommandAnalysis &analysis);

} // namespace mlir::nnet3

#endif // LIB_OPTIMIZE_CHECKCOMPUTATION_H

//===- CheckComputation.h - The checks of a computation ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: optimize.md 2, except for the checks in the verifiers of commands. Each
// function emits an error for everything that it finds.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_OPTIMIZE_CHECKCOMPUTATION_H
#define LIB_OPTIMIZE_CHECKCOMPUTATION_H

#include "nnet3/Dialect/Nnet3/Analysis/CommandAnalysis.h"

namespace mlir::nnet3 {

/// Component commands: running in place, numbers of rows of values and
/// derivatives, required operands, and position relative to the marker.
LogicalResult checkComponents(CommandAnalysis &analysis);

/// Each memo is consumed once, by the component that produced it.
LogicalResult checkMemos(const CommandAnalysis &analysis);

/// Copies and additions do not read rows that they write, and write no row
/// twice.
LogicalResult checkCopies(const CommandAnalysis &analysis);

/// Each matrix is used, and not after it is freed.
LogicalResult checkMatrices(const CommandAnalysis &analysis);

/// Compressed matrices: ranges, and the position of the decompression.
LogicalResult checkCompression(CommandAnalysis &analysis);

/// Each variable is written before it is read; with `checkUnused`, each
/// variable has an access.
LogicalResult checkUndefined(const CommandAnalysis &analysis, bool checkUnused);

/// The debug information of each matrix matches its type.
LogicalResult checkDebugInfo(const CommandAnalysis &analysis);

/// No variable is written after it has been read.
LogicalResult checkRewrite(const CommandAnalysis &analysis);

/// Returns the number of the only no_operation_marker; -1 if there is none or
/// if there are several.
int32_t getMarker(const CommandAnalysis &analysis);

} // namespace mlir::nnet3

#endif // LIB_OPTIMIZE_CHECKCOMPUTATION_H

//===- Views.h - The normal form of views -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_OPTIMIZE_VIEWS_H
#define NNET3_OPTIMIZE_VIEWS_H

#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"

namespace mlir::nnet3 {

/// Brings views into their normal form: each is a view of a matrix, not of a
/// view, and directly follows the matrix's definition. Merges equal views and
/// removes unused ones; adds the number of removed views to `numRemoved`.
/// Returns whether anything changes. A CommandAnalysis remains valid.
bool normalizeViews(ComputationOp computation, int64_t *numRemoved = nullptr);

/// Does the same for `views`, which are all views of some matrices, in the
/// order of the block. Returns the number of removed views, and sets `changed`
/// if a view gets another source or place.
int64_t normalizeViews(ArrayRef<SubMatrixOp> views, bool &changed);

/// Creates a view of rows [`begin`, `begin` + `count`) of `value`.
Value sliceRows(OpBuilder &builder, Location loc, Value value, int64_t begin,
                int64_t count);

} // namespace mlir::nnet3

#endif // NNET3_OPTIMIZE_VIEWS_H

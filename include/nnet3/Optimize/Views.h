//===- Views.h - The normal form of views -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_OPTIMIZE_VIEWS_H
#define NNET3_OPTIMIZE_VIEWS_H

#include "nnet3/Dialect/Nnet3/Analysis/MatrixWindow.h"

namespace mlir::nnet3 {

/// Makes each view a view of a matrix, not of a view, right behind the matrix's
/// definition; merges equal ones and removes those that nothing uses. Counts
/// those that go in `numRemoved`. Returns whether anything changes. An analysis
/// of the commands made before stays right.
bool normalizeViews(ComputationOp computation, int64_t *numRemoved = nullptr);

/// The same for `views`, all those of some matrices, in the order of the block.
/// Returns the number of those that go, and sets `moved` if one is moved.
int64_t normalizeViews(ArrayRef<SubMatrixOp> views, bool &moved);

/// A view of rows [`begin`, `begin` + `count`) of `value`.
Value sliceRows(OpBuilder &builder, Location loc, Value value, int64_t begin,
                int64_t count);

} // namespace mlir::nnet3

#endif // NNET3_OPTIMIZE_VIEWS_H

//===- RowReads.h - The rows that a row reads -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_STREAM_ROWREADS_H
#define NNET3_LIB_STREAM_ROWREADS_H

#include "nnet3/Compile/NodeTable.h"

namespace mlir::nnet3 {

/// Tells rows that are there from others.
using RowPredicate = llvm::function_ref<bool(const Cindex &)>;

/// Whether a row that nobody supplies is computable when those for which
/// `available` holds are there; `used` gets the rows that it then reads.
bool findUsedRows(const NodeTable &nodes, const Cindex &row,
                  RowPredicate available, SmallVectorImpl<Cindex> *used);

/// The same, in terms of the rows that have a matrix of their own: those of
/// inputs and components, behind the descriptors and dim-ranges.
bool findUsedMatrixRows(const NodeTable &nodes, const Cindex &row,
                        RowPredicate available, SmallVectorImpl<Cindex> &used);

/// Whether the node's component reads whichever rows there are in a range of
/// times.
bool readsAnyRows(const NodeTable &nodes, int32_t node);

/// Appends the rows that a row may read. A range may have thousands of rows:
/// only its first and its last are appended.
void getSourceEnds(const NodeTable &nodes, const Cindex &row,
                   SmallVectorImpl<Cindex> &sources);

/// Every row, in the same terms, that a row may read.
void findAllMatrixRows(const NodeTable &nodes, const Cindex &row,
                       SmallVectorImpl<Cindex> &rows);

} // namespace mlir::nnet3

#endif // NNET3_LIB_STREAM_ROWREADS_H

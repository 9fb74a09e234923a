//===- RowReads.h - Rows that a row reads -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_STREAM_ROWREADS_H
#define NNET3_LIB_STREAM_ROWREADS_H

#include "nnet3/Compile/NodeTable.h"

namespace mlir::nnet3 {

/// Returns true for available rows.
using RowPredicate = llvm::function_ref<bool(const Cindex &)>;

/// Returns true if a row that is not given is computable from the rows for
/// which `available` holds. Appends the rows that it then reads to `used`.
bool findUsedRows(const NodeTable &nodes, const Cindex &row,
                  RowPredicate available, SmallVectorImpl<Cindex> *used);

/// Like findUsedRows(), but looks through descriptors and dim-ranges: `used`
/// gets rows of inputs and components, which have a matrix of their own.
bool findUsedMatrixRows(const NodeTable &nodes, const Cindex &row,
                        RowPredicate available, SmallVectorImpl<Cindex> &used);

/// Returns true if the node's component reads all available rows of a range of
/// times.
bool readsAnyRows(const NodeTable &nodes, int32_t node);

/// Appends the rows that a row may read. A range may have thousands of rows, so
/// only its first and its last row are appended.
void getSourceEnds(const NodeTable &nodes, const Cindex &row,
                   SmallVectorImpl<Cindex> &sources);

/// Appends every row of an input or component that a row may read.
void findAllMatrixRows(const NodeTable &nodes, const Cindex &row,
                       SmallVectorImpl<Cindex> &rows);

} // namespace mlir::nnet3

#endif // NNET3_LIB_STREAM_ROWREADS_H

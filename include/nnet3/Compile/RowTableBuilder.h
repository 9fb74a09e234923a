//===- RowTableBuilder.h - Row tables of folded rows ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_ROWTABLEBUILDER_H
#define NNET3_COMPILE_ROWTABLEBUILDER_H

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

namespace mlir::nnet3 {

/// Builds the row table for a destination with rows `dest`. `entries[e]` is the
/// source that entry e of the destination reads, as the number of the source
/// and the entry of its rows; `shift` is added to every row. Neither the size
/// of the table nor the time to build it depends on the number of sequences.
RowTableAttr buildRowTable(MLIRContext *context, ArrayRef<RowRef> entries,
                           const IndexRows &dest,
                           ArrayRef<const IndexRows *> sources,
                           int64_t shift = 0);

/// Whether the table of `entries` is 0, 1, 2, ... over all rows of its only
/// source.
bool isIdentity(ArrayRef<RowRef> entries, const IndexRows &dest,
                const IndexRows &source);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_ROWTABLEBUILDER_H

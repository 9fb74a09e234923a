//===- LoopedLists.h - Lists of integers written as loops -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The encoding of lists of rows and indexes in programs and libraries; the
// runtime's core/LoopedList.h describes it.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_TARGET_PROGRAM_LOOPEDLISTS_H
#define NNET3_TARGET_PROGRAM_LOOPEDLISTS_H

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

#include <vector>

namespace mlir::nnet3 {

using ListCode = std::vector<int32_t>;

/// Encodes the row of each entry of `table`, with -1 for no row. The code is as
/// long as that of the table.
ListCode getRowList(RowTableAttr table);

/// Encodes `numbers[k]` for each entry of `table` with a row of source k, and
/// -1 for no row.
ListCode getSourceList(RowTableAttr table, ArrayRef<int32_t> numbers);

/// Encodes `values`, with loops for regular parts.
ListCode getIntegerList(ArrayRef<int32_t> values);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_PROGRAM_LOOPEDLISTS_H

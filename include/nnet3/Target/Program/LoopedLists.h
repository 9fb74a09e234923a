//===- LoopedLists.h - Lists of integers written as loops -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code that programs and libraries have for lists of rows and indexes; the
// runtime's LoopedList.h explains it.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_TARGET_PROGRAM_LOOPEDLISTS_H
#define NNET3_TARGET_PROGRAM_LOOPEDLISTS_H

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace mlir::nnet3 {

using ListCode = std::vector<int32_t>;

/// The row of each entry of `table`, -1 for no row. The code is as long as the
/// table's.
ListCode getRowList(RowTableAttr table);

/// `numbers[k]` for each entry of `table` whose row is of source k, -1 for no
/// row.
ListCode getSourceList(RowTableAttr table, ArrayRef<int32_t> numbers);

/// The entries of `values`, with loops where they are regular; -1 is a number
/// as any other, or with `hasNone` no row, which loops do not move.
ListCode getIntegerList(ArrayRef<int32_t> values, bool hasNone = false);

/// The entries of the row tables of `module`. Fails with an error if their code
/// is malformed.
FailureOr<std::vector<int32_t>> expandRowTables(ModuleOp module);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_PROGRAM_LOOPEDLISTS_H

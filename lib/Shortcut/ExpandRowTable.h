//===- ExpandRowTable.h - Expanding row tables ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_SHORTCUT_EXPANDROWTABLE_H
#define NNET3_LIB_SHORTCUT_EXPANDROWTABLE_H

#include "SequenceMap.h"
#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

namespace mlir::nnet3 {

/// Expands the row table of a command to all sequences of `map` (shortcut.md
/// 5.3). `table` has an entry for each of the rows `driver`, which names a row
/// of `sources` plus `shift`. Returns null if the entries of the two sequences
/// do not correspond.
RowTableAttr expandRowTable(RowTableAttr table, const SequenceRows &driver,
                            ArrayRef<SequenceRows> sources,
                            const SequenceMap &map, int64_t shift = 0);

/// The ranges of rows of a source.
struct RangeTables {
  RowTableAttr begin, end;
  int64_t step = 1;
};

/// Expands ranges to all sequences. None if the ranges of the two sequences do
/// not correspond, or if the expanded rows are not equally spaced.
std::optional<RangeTables> expandRanges(const RangeTables &ranges,
                                        const SequenceRows &driver,
                                        const SequenceRows &source,
                                        const SequenceMap &map);

} // namespace mlir::nnet3

#endif // NNET3_LIB_SHORTCUT_EXPANDROWTABLE_H

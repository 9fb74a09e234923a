//===- ExpandRowTable.h - Row tables for more sequences ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_SHORTCUT_EXPANDROWTABLE_H
#define NNET3_LIB_SHORTCUT_EXPANDROWTABLE_H

#include "SequenceMap.h"
#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

namespace mlir::nnet3 {

/// The table of a command for all sequences of `map` (shortcut.md 5.3): `table`
/// has an entry for each of the rows `driver`, and names rows of `sources`;
/// `shift` is what its entries are behind the rows meant. Null if the table
/// does not do the same for both sequences.
RowTableAttr expandRowTable(RowTableAttr table, const SequenceRows &driver,
                            ArrayRef<SequenceRows> sources,
                            const SequenceMap &map, int64_t shift = 0);

/// Ranges of rows of a source.
struct RangeTables {
  RowTableAttr begin, end;
  int64_t step = 1;
};

/// The ranges for all sequences; nothing if they are not the same for both, or
/// the rows of one are not equally spaced any more.
std::optional<RangeTables> expandRanges(const RangeTables &ranges,
                                        const SequenceRows &driver,
                                        const SequenceRows &source,
                                        const SequenceMap &map);

} // namespace mlir::nnet3

#endif // NNET3_LIB_SHORTCUT_EXPANDROWTABLE_H

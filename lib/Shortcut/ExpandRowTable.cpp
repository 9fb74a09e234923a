//===- ExpandRowTable.cpp - Expanding row tables --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// buildRowTable makes the table of all sequences from the rows of the first
// one, as in the compiler. So the time does not depend on the number of
// sequences.
//
//===----------------------------------------------------------------------===//

#include "ExpandRowTable.h"
#include "nnet3/Compile/RowTableBuilder.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Returns true if `second` is for n = 1 the same as `first` is for n = 0. Both
/// are rows of whole matrices.
static bool areAlike(const RowRef &first, const RowRef &second,
                     ArrayRef<SequenceRows> sources) {
  if (first.isNone() || second.isNone())
    return first.isNone() && second.isNone();
  const SequenceRows &source = sources[first.source];
  return first.source == second.source && source.sequenceOf(first.row) == 0 &&
         second.row == first.row + source.stride;
}

/// Returns the row that each row with n = 0 of the driver's matrix reads,
/// numbered among the source rows with n = 0. None if the rows with n = 1 do
/// not read the corresponding rows.
static std::optional<SmallVector<RowRef>>
getEntries(RowTableAttr table, const SequenceRows &driver,
           ArrayRef<SequenceRows> sources, int64_t shift) {
  SmallVector<RowRef> rows = table.expand();
  for (RowRef &row : rows)
    if (!row.isNone())
      row.row += sources[row.source].begin - shift;
  auto at = [&](int64_t row) {
    return driver.contains(row) ? rows[row - driver.begin] : RowRef::none();
  };
  SmallVector<RowRef> entries;
  for (int64_t block = 0; block < driver.matrixRows; block += 2 * driver.stride)
    for (int64_t row = block; row < block + driver.stride; ++row) {
      RowRef entry = at(row);
      if (!areAlike(entry, at(row + driver.stride), sources))
        return std::nullopt;
      if (!entry.isNone()) {
        int64_t stride = sources[entry.source].stride;
        entry.row = entry.row / (2 * stride) * stride + entry.row % stride;
      }
      entries.push_back(entry);
    }
  return entries;
}

RowTableAttr mlir::nnet3::expandRowTable(RowTableAttr table,
                                         const SequenceRows &driver,
                                         ArrayRef<SequenceRows> sources,
                                         const SequenceMap &map,
                                         int64_t shift) {
  std::optional<SmallVector<RowRef>> entries =
      getEntries(table, driver, sources, shift);
  if (!entries)
    return nullptr;
  SmallVector<const IndexRows *> sourceRows;
  SmallVector<int64_t> deltas;
  for (const SequenceRows &source : sources) {
    sourceRows.push_back(&map.getIndexRows(source));
    deltas.push_back(shift - map.mapBegin(source));
  }
  RowTableAttr whole = buildRowTable(table.getContext(), *entries,
                                     map.getIndexRows(driver), sourceRows);
  row_table::Code part = row_table::slice(whole.getCode(), map.mapBegin(driver),
                                          map.mapCount(driver));
  return RowTableAttr::get(table.getContext(),
                           ArrayRef<int64_t>(row_table::shifted(part, deltas)));
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

/// A distance of two rows of the same sequence, as a number of blocks and of
/// rows within a block. With more sequences, only the blocks grow.
namespace {
struct Distance {
  int64_t blocks, rows;
};
} // namespace

static std::optional<Distance> splitDistance(int64_t distance, int64_t stride) {
  int64_t blocks = (distance + stride - 1) / (2 * stride);
  int64_t rows = distance - blocks * 2 * stride;
  if (rows >= stride)
    return std::nullopt;
  return Distance{blocks, rows};
}

/// Returns true if the range consists of rows of one sequence that are
/// `distance` apart. If both ends are, so are all rows between them.
static bool isRegular(int64_t first, int64_t last, int64_t step,
                      const Distance &distance, const SequenceRows &source) {
  int64_t steps = (last - first) / step;
  int64_t expected = first % source.stride + steps * distance.rows;
  return steps * step == last - first &&
         source.sequenceOf(first) == source.sequenceOf(last) &&
         last % source.stride == expected;
}

std::optional<RangeTables> mlir::nnet3::expandRanges(const RangeTables &ranges,
                                                     const SequenceRows &driver,
                                                     const SequenceRows &source,
                                                     const SequenceMap &map) {
  std::optional<Distance> distance = splitDistance(ranges.step, source.stride);
  for (auto [begin, end] :
       llvm::zip_equal(ranges.begin.expand(), ranges.end.expand())) {
    int64_t first = source.begin + begin.row, last = source.begin + end.row - 1;
    if (begin.isNone() || first == last)
      continue;
    if (!distance || !isRegular(first, last, ranges.step, *distance, source))
      return std::nullopt;
  }
  RangeTables result;
  result.begin = expandRowTable(ranges.begin, driver, source, map);
  result.end = expandRowTable(ranges.end, driver, source, map, /*shift=*/1);
  if (!result.begin || !result.end)
    return std::nullopt;
  // Without a distance, every range has at most one row.
  result.step = ranges.step;
  if (distance)
    result.step = distance->blocks * map.getNumSequences() * source.stride +
                  distance->rows;
  return result;
}

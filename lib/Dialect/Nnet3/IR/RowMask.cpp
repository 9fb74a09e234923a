//===- RowMask.cpp - Row tables without some of their rows ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/RowMask.h"
#include "TableItem.h"
#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::row_table;

//===----------------------------------------------------------------------===//
// Loops that need not be unrolled
//===----------------------------------------------------------------------===//

namespace {
/// Smallest and largest position of a row in its frame. Outside of the frame if
/// a loop moves rows by steps that are not whole frames.
struct Places {
  int64_t first = INT64_MAX;
  int64_t last = INT64_MIN;

  bool isEmpty() const { return first > last; }
  void add(const Places &other) {
    first = std::min(first, other.first);
    last = std::max(last, other.last);
  }
  void move(int64_t stride, int64_t count) {
    first += std::min<int64_t>(stride * (count - 1), 0);
    last += std::max<int64_t>(stride * (count - 1), 0);
  }
};
} // namespace

static Places getPlaces(ArrayRef<int64_t> code, int64_t source,
                        const RowMask &mask) {
  Places places;
  for (const TableItem &item : getItems(code)) {
    if (item.isRow() && item.source() == source) {
      int64_t place = mask.rowInFrame(item.row());
      places.add({place, place});
    } else if (item.isLoop()) {
      Places body = getPlaces(item.body(), source, mask);
      if (!body.isEmpty() && item.stride() % mask.rowsPerFrame() != 0)
        body.move(item.stride(), item.count());
      places.add(body);
    }
  }
  return places;
}

/// Whether each row of `source` in the loop's body is kept in all rounds or
/// dropped in all rounds.
static bool isSteady(const TableItem &loop, int64_t source,
                     const RowMask &mask) {
  if (mask.isAll() || loop.stride() % mask.period() == 0)
    return true;
  Places places = getPlaces(loop.body(), source, mask);
  if (places.isEmpty())
    return true;
  places.move(loop.stride(), loop.count());
  return places.first >= 0 && places.last < mask.rowsPerFrame();
}

/// Whether this holds for the positions of `count` times `length` entries.
static bool isSteadyAt(int64_t position, int64_t length, int64_t count,
                       const RowMask &mask) {
  return mask.isAll() || length % mask.period() == 0 ||
         mask.rowInFrame(position) + length * count <= mask.rowsPerFrame();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

static Code keepRowsAt(int64_t at, ArrayRef<int64_t> code,
                       ArrayRef<RowMask> sources, const RowMask &position) {
  Code result;
  for (const TableItem &item : getItems(code)) {
    int64_t length = size(item.words);
    if (!item.isLoop()) {
      if (item.isRow() && position.has(at) &&
          sources[item.source()].has(item.row()))
        result.append(item.words.begin(), item.words.end());
      else
        result.push_back(kNone);
      at += length;
      continue;
    }
    int64_t round = length / item.count();
    bool steady = isSteadyAt(at, round, item.count(), position);
    for (auto [source, mask] : llvm::enumerate(sources))
      steady &= isSteady(item, source, mask);
    if (steady)
      appendLoop(result, item.count(), item.stride(),
                 keepRowsAt(at, item.body(), sources, position));
    else
      for (int64_t i = 0; i < item.count(); ++i)
        result.append(keepRowsAt(at + i * round,
                                 shifted(item.body(), i * item.stride()),
                                 sources, position));
    at += length;
  }
  return compress(result);
}

Code row_table::keepRows(ArrayRef<int64_t> code, ArrayRef<RowMask> sources,
                         const RowMask &position) {
  if (position.isAll() &&
      llvm::all_of(sources, [](const RowMask &mask) { return mask.isAll(); }))
    return Code(code);
  return keepRowsAt(0, code, sources, position);
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

namespace {
/// The arguments of keepRanges() that its steps share.
struct RangeFilter {
  int64_t step;
  const RowMask &rows;
  const RowMask &position;
  int64_t part;

  void appendRange(int64_t at, int64_t begin, int64_t end,
                   Ranges &result) const;
  void appendList(int64_t at, ArrayRef<int64_t> begin, ArrayRef<int64_t> end,
                  Ranges &result) const;
  void appendItem(int64_t at, const TableItem &begin, const TableItem &end,
                  Ranges &result) const;
  Ranges keep(int64_t at, ArrayRef<int64_t> begin, ArrayRef<int64_t> end) const;
};
} // namespace

void RangeFilter::appendRange(int64_t at, int64_t begin, int64_t end,
                              Ranges &result) const {
  int64_t first = begin, last;
  for (int64_t remaining = part;; --remaining) {
    while (first < end && !rows.has(first))
      first += step;
    for (last = first; last < end && rows.has(last);)
      last += step;
    if (remaining == 0 || first >= end)
      break;
    first = last;
  }
  if (first >= end || !position.has(at)) {
    result.begin.push_back(kNone);
    result.end.push_back(kNone);
    return;
  }
  result.begin.append({kRow, 0, first});
  result.end.append({kRow, 0, last - step + 1});
}

/// Filters range by range.
void RangeFilter::appendList(int64_t at, ArrayRef<int64_t> begin,
                             ArrayRef<int64_t> end, Ranges &result) const {
  for (auto [first, last] : llvm::zip_equal(expand(begin), expand(end))) {
    if (first.isNone()) {
      result.begin.push_back(kNone);
      result.end.push_back(kNone);
    } else {
      appendRange(at, first.row, last.row, result);
    }
    ++at;
  }
}

/// Keeps loops that move whole ranges if all rounds are filtered equally.
void RangeFilter::appendItem(int64_t at, const TableItem &begin,
                             const TableItem &end, Ranges &result) const {
  int64_t length = size(begin.words);
  if (!begin.isLoop() || !end.isLoop() || begin.count() != end.count())
    return appendList(at, begin.words, end.words, result);
  int64_t round = length / begin.count();
  bool steady = rows.isAll() || begin.stride() % rows.period() == 0 ||
                (step % rows.rowsPerFrame() == 0 && isSteady(begin, 0, rows));
  if (steady && begin.stride() == end.stride() &&
      isSteadyAt(at, round, begin.count(), position)) {
    Ranges body = keep(at, begin.body(), end.body());
    appendLoop(result.begin, begin.count(), begin.stride(), body.begin);
    appendLoop(result.end, end.count(), end.stride(), body.end);
    return;
  }
  for (int64_t i = 0; i < begin.count(); ++i) {
    Ranges body =
        keep(at + i * round, shifted(begin.body(), i * begin.stride()),
             shifted(end.body(), i * end.stride()));
    result.begin.append(body.begin);
    result.end.append(body.end);
  }
}

Ranges RangeFilter::keep(int64_t at, ArrayRef<int64_t> begin,
                         ArrayRef<int64_t> end) const {
  SmallVector<TableItem> beginItems = getItems(begin), endItems = getItems(end);
  Ranges result;
  auto sameSize = [](auto items) {
    return size(std::get<0>(items).words) == size(std::get<1>(items).words);
  };
  if (beginItems.size() == endItems.size() &&
      llvm::all_of(llvm::zip_equal(beginItems, endItems), sameSize))
    for (auto [first, last] : llvm::zip_equal(beginItems, endItems)) {
      appendItem(at, first, last, result);
      at += size(first.words);
    }
  else
    appendList(at, begin, end, result);
  return {compress(result.begin), compress(result.end)};
}

Ranges row_table::keepRanges(const Ranges &ranges, int64_t step,
                             const RowMask &rows, const RowMask &position,
                             int64_t part) {
  return RangeFilter{step, rows, position, part}.keep(0, ranges.begin,
                                                      ranges.end);
}

//===- RowTableAlgebra.cpp - Parts and shapes of row tables ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"
#include "TableItem.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::row_table;

//===----------------------------------------------------------------------===//
// Entries without a row
//===----------------------------------------------------------------------===//

/// Counts the entries without a row before the first row, in the order of
/// `items`; `countOf` counts within an item.
template <typename Range, typename Count>
static int64_t countNone(const Range &items, Count countOf) {
  int64_t total = 0;
  for (const TableItem &item : items) {
    int64_t length = size(item.words), none = countOf(item);
    total += none;
    if (none < length)
      break;
  }
  return total;
}

int64_t row_table::getLeadingNone(ArrayRef<int64_t> code) {
  return countNone(getItems(code), [](const TableItem &item) -> int64_t {
    if (!item.isLoop())
      return item.isNone();
    int64_t none = getLeadingNone(item.body());
    return none == size(item.body()) ? size(item.words) : none;
  });
}

int64_t row_table::getTrailingNone(ArrayRef<int64_t> code) {
  return countNone(llvm::reverse(getItems(code)),
                   [](const TableItem &item) -> int64_t {
                     if (!item.isLoop())
                       return item.isNone();
                     int64_t none = getTrailingNone(item.body());
                     return none == size(item.body()) ? size(item.words) : none;
                   });
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Code row_table::mapRows(ArrayRef<int64_t> code,
                        function_ref<void(int64_t &, int64_t &)> fn) {
  Code result;
  for (const TableItem &item : getItems(code)) {
    if (item.isLoop()) {
      appendLoop(result, item.count(), item.stride(), mapRows(item.body(), fn));
      continue;
    }
    size_t at = result.size();
    result.append(item.words.begin(), item.words.end());
    if (item.isRow())
      fn(result[at + 1], result[at + 2]);
  }
  return result;
}

Code row_table::shifted(ArrayRef<int64_t> code, int64_t delta) {
  return mapRows(code, [&](int64_t &, int64_t &row) { row += delta; });
}

Code row_table::shifted(ArrayRef<int64_t> code, ArrayRef<int64_t> deltas) {
  return mapRows(code,
                 [&](int64_t &source, int64_t &row) { row += deltas[source]; });
}

Code row_table::withOneSource(ArrayRef<int64_t> code) {
  return mapRows(code, [](int64_t &source, int64_t &) { source = 0; });
}

/// Returns entries [begin, end) of a loop.
static Code sliceLoop(const TableItem &loop, int64_t begin, int64_t end) {
  int64_t length = size(loop.body());
  auto part = [&](int64_t round, int64_t from, int64_t to) {
    return shifted(slice(loop.body(), from, to - from), round * loop.stride());
  };
  int64_t first = begin / length, last = end / length;
  if (first == last)
    return part(first, begin % length, end % length);
  Code result;
  if (begin % length != 0)
    result.append(part(first++, begin % length, length));
  if (last > first)
    appendLoop(result, last - first, loop.stride(), part(first, 0, length));
  if (end % length != 0)
    result.append(part(last, 0, end % length));
  return result;
}

Code row_table::slice(ArrayRef<int64_t> code, int64_t begin, int64_t count) {
  Code result;
  int64_t end = begin + count, at = 0;
  for (const TableItem &item : getItems(code)) {
    int64_t length = size(item.words);
    int64_t from = std::max(begin, at), to = std::min(end, at + length);
    if (from < to) {
      if (to - from == length)
        result.append(item.words.begin(), item.words.end());
      else
        result.append(sliceLoop(item, from - at, to - at));
    }
    at += length;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Returns `a` followed by `b` if that is a progression.
static std::optional<Progression> join(const Progression &a,
                                       const Progression &b) {
  int64_t step = b.start - (a.start + (a.count - 1) * a.step);
  if (a.source != b.source || (a.count > 1 && a.step != step) ||
      (b.count > 1 && b.step != step))
    return std::nullopt;
  return Progression{a.source, a.start, a.count + b.count, step};
}

static std::optional<Progression> getProgression(const TableItem &item) {
  if (item.isNone())
    return std::nullopt;
  if (item.isRow())
    return Progression{item.source(), item.row(), 1, 1};
  std::optional<Progression> body = getProgression(item.body());
  if (!body)
    return std::nullopt;
  int64_t count = body->count * item.count();
  if (body->count == 1)
    return Progression{body->source, body->start, count, item.stride()};
  if (item.stride() != body->count * body->step)
    return std::nullopt;
  return Progression{body->source, body->start, count, body->step};
}

Code row_table::encodeRepeated(ArrayRef<RowRef> rows, int64_t block,
                               int64_t count, int64_t stride) {
  if (count == 1)
    return encode(rows);
  Code code;
  for (size_t first = 0; first < rows.size(); first += block)
    appendLoop(code, count, stride, encode(rows.slice(first, block)));
  return compress(code);
}

std::optional<Progression> row_table::getProgression(ArrayRef<int64_t> code) {
  std::optional<Progression> result;
  for (const TableItem &item : getItems(code)) {
    std::optional<Progression> next = ::getProgression(item);
    if (!next)
      return std::nullopt;
    result = result ? join(*result, *next) : next;
    if (!result)
      return std::nullopt;
  }
  return result;
}

/// Appends the runs of `code`; false if there are too many, or if an entry has
/// no row.
static bool appendRuns(ArrayRef<int64_t> code, size_t maxRuns,
                       SmallVectorImpl<Run> &runs) {
  auto append = [&](int64_t source, int64_t count) {
    if (!runs.empty() && runs.back().source == source)
      runs.back().count += count;
    else
      runs.push_back({source,
                      runs.empty() ? 0 : runs.back().begin + runs.back().count,
                      count});
    return runs.size() <= maxRuns;
  };
  for (const TableItem &item : getItems(code)) {
    if (item.isNone())
      return false;
    if (item.isRow()) {
      if (!append(item.source(), 1))
        return false;
      continue;
    }
    SmallVector<Run> body;
    if (!appendRuns(item.body(), maxRuns, body))
      return false;
    int64_t rounds = body.size() == 1 ? 1 : item.count();
    int64_t factor = body.size() == 1 ? item.count() : 1;
    for (int64_t round = 0; round < rounds; ++round)
      for (const Run &run : body)
        if (!append(run.source, run.count * factor))
          return false;
  }
  return true;
}

std::optional<SmallVector<Run>> row_table::getRuns(ArrayRef<int64_t> code,
                                                   size_t maxRuns) {
  SmallVector<Run> runs;
  if (!appendRuns(code, maxRuns, runs))
    return std::nullopt;
  return runs;
}

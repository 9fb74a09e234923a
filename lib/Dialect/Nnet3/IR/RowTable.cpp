//===- RowTable.cpp - Structured tables of source rows --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/RowTable.h"
#include <algorithm>
#include <map>

using namespace mlir::nnet3;
using namespace mlir::nnet3::row_table;
using llvm::ArrayRef;

/// Returns the length in words of the first item of `code`; 0 if malformed.
static size_t itemLength(ArrayRef<int64_t> code) {
  if (code.empty())
    return 0;
  if (code[0] == kNone)
    return 1;
  if (code[0] == kRow)
    return code.size() < 3 ? 0 : 3;
  if (code[0] != kLoop || code.size() < 4 || code[3] <= 0)
    return 0;
  size_t length = 4 + size_t(code[3]);
  return length > code.size() ? 0 : length;
}

/// Whether every entry is "no row".
static bool isAllNone(ArrayRef<int64_t> code) {
  for (size_t i = 0; i < code.size(); i += itemLength(code.drop_front(i)))
    if (code[i] == kRow ||
        (code[i] == kLoop && !isAllNone(code.slice(i + 4, code[i + 3]))))
      return false;
  return true;
}

void row_table::appendLoop(Code &code, int64_t count, int64_t stride,
                           ArrayRef<int64_t> body) {
  if (count != 1) {
    if (isAllNone(body))
      stride = 0;
    llvm::append_values(code, int64_t(kLoop), count, stride,
                        int64_t(body.size()));
  }
  code.append(body.begin(), body.end());
}

/// Returns the first row number in `item`; null if it has none. Items are
/// shifted copies if they are equal after shifting by the difference of these.
static int64_t *firstRow(llvm::MutableArrayRef<int64_t> item) {
  if (item[0] == kRow)
    return &item[2];
  if (item[0] == kNone)
    return nullptr;
  for (size_t i = 4; i < item.size();
       i += itemLength(ArrayRef<int64_t>(item).drop_front(i)))
    if (int64_t *row = firstRow(item.drop_front(i)))
      return row;
  return nullptr;
}

/// Adds `delta` to every row of `code`.
static void shift(llvm::MutableArrayRef<int64_t> code, int64_t delta) {
  for (size_t i = 0; i < code.size();
       i += itemLength(ArrayRef<int64_t>(code).drop_front(i))) {
    if (code[i] == kRow)
      code[i + 2] += delta;
    else if (code[i] == kLoop)
      shift(code.slice(i + 4, code[i + 3]), delta);
  }
}

namespace {
/// An item of a code; items that differ only by a shift have the same shape.
struct ShapedItem {
  ArrayRef<int64_t> words;
  int32_t shape;
  std::optional<int64_t> row; ///< the first row, if it has any
};

/// Finds lists of items that repeat, each time shifted by the same distance.
class ItemLoops {
public:
  explicit ItemLoops(ArrayRef<int64_t> code);

  Code compress() const;

private:
  /// `count` repetitions of `period` items.
  struct Loop {
    size_t period = 1, count = 1;
    int64_t stride = 0;
  };

  std::optional<int64_t> getShift(size_t begin, size_t period) const;
  Loop findLoop(size_t begin, size_t period) const;
  size_t countWords(size_t begin, size_t period) const;

  llvm::SmallVector<ShapedItem> items;
};
} // namespace

ItemLoops::ItemLoops(ArrayRef<int64_t> code) {
  std::map<std::vector<int64_t>, int32_t> shapes;
  while (!code.empty()) {
    ArrayRef<int64_t> words = code.take_front(itemLength(code));
    code = code.drop_front(words.size());
    std::vector<int64_t> shape(words);
    std::optional<int64_t> row;
    if (int64_t *first = firstRow(shape)) {
      row = *first;
      shift(shape, -*first);
    }
    const int32_t next = shapes.size();
    items.push_back(
        {words, shapes.try_emplace(shape, next).first->second, row});
  }
}

/// Returns the shift from `period` items to the next ones; nothing if these are
/// not the same, shifted. Items without rows have any shift.
std::optional<int64_t> ItemLoops::getShift(size_t begin, size_t period) const {
  std::optional<int64_t> delta;
  for (size_t i = begin; i < begin + period; ++i) {
    const ShapedItem &before = items[i], &after = items[i + period];
    if (before.shape != after.shape)
      return std::nullopt;
    if (!before.row)
      continue;
    if (delta && *delta != *after.row - *before.row)
      return std::nullopt;
    delta = *after.row - *before.row;
  }
  return delta.value_or(0);
}

/// Returns the longest loop of `period` items from item `begin` on.
ItemLoops::Loop ItemLoops::findLoop(size_t begin, size_t period) const {
  Loop loop{period};
  for (size_t i = begin; i + 2 * period <= items.size(); i += period) {
    std::optional<int64_t> delta = getShift(i, period);
    if (!delta || (loop.count > 1 && *delta != loop.stride))
      break;
    loop.stride = *delta;
    ++loop.count;
  }
  return loop;
}

size_t ItemLoops::countWords(size_t begin, size_t period) const {
  size_t words = 0;
  for (size_t i = begin; i < begin + period; ++i)
    words += items[i].words.size();
  return words;
}

Code ItemLoops::compress() const {
  // Maximum number of items of a loop.
  constexpr size_t kMaxPeriod = 64;
  Code result;
  for (size_t i = 0; i < items.size();) {
    Loop best = findLoop(i, 1);
    size_t saved = (best.count - 1) * items[i].words.size();
    for (size_t period = 2;
         period <= kMaxPeriod && i + 2 * period <= items.size(); ++period) {
      Loop loop = findLoop(i, period);
      if (loop.count == 1)
        continue;
      const size_t words = (loop.count - 1) * countWords(i, period);
      if (words > saved + 4) {
        saved = words;
        best = loop;
      }
    }
    Code body;
    for (const ShapedItem &item : ArrayRef(items).slice(i, best.period))
      body.append(item.words.begin(), item.words.end());
    appendLoop(result, best.count, best.stride, body);
    i += best.period * best.count;
  }
  return result;
}

Code row_table::compress(ArrayRef<int64_t> code) {
  return ItemLoops(code).compress();
}

/// Encodes runs of rows with equal steps.
static Code encodeRuns(ArrayRef<RowRef> rows) {
  Code runs;
  for (size_t i = 0; i < rows.size();) {
    const RowRef &first = rows[i];
    size_t end = i + 1;
    int64_t step = 0;
    auto continues = [&](size_t j) {
      return rows[j].source == first.source &&
             (first.isNone() || rows[j].row - rows[j - 1].row == step);
    };
    if (end < rows.size() && rows[end].source == first.source) {
      step = first.isNone() ? 0 : rows[end].row - first.row;
      while (end < rows.size() && continues(end))
        ++end;
      // Two rows before a row with another step are encoded as single rows,
      // since the second one may start a longer run.
      if (end - i == 2 && end < rows.size())
        end = i + 1;
    }
    Code item;
    if (first.isNone())
      item.push_back(kNone);
    else
      llvm::append_values(item, int64_t(kRow), int64_t(first.source),
                          first.row);
    appendLoop(runs, end - i, step, item);
    i = end;
  }
  return runs;
}

/// Whether the rows repeat with period `period`, each time shifted by `delta`.
static bool hasPeriod(ArrayRef<RowRef> rows, size_t period, int64_t delta) {
  for (size_t i = period; i < rows.size(); ++i) {
    const RowRef &before = rows[i - period];
    if (rows[i].source != before.source ||
        (!rows[i].isNone() && rows[i].row - before.row != delta))
      return false;
  }
  return true;
}

/// Returns the shortest period of `rows` and the shift per period; the whole
/// length if there is no period.
static std::pair<size_t, int64_t> findPeriod(ArrayRef<RowRef> rows) {
  const auto *first =
      llvm::find_if_not(rows, [](const RowRef &row) { return row.isNone(); });
  size_t offset = first - rows.begin();
  for (size_t period = 2; period <= rows.size() / 2; ++period) {
    if (rows.size() % period != 0 || offset >= period ||
        rows[offset + period].source != first->source)
      continue;
    int64_t delta = rows[offset + period].row - first->row;
    if (hasPeriod(rows, period, delta))
      return {period, delta};
  }
  return {rows.size(), 0};
}

Code row_table::encode(ArrayRef<RowRef> rows) {
  // Codes of up to this many words are not compressed further.
  constexpr size_t kShort = 16;
  Code runs = encodeRuns(rows);
  if (runs.size() <= kShort)
    return runs;
  if (auto [period, delta] = findPeriod(rows); period < rows.size()) {
    Code code;
    appendLoop(code, rows.size() / period, delta,
               encode(rows.take_front(period)));
    return code;
  }
  Code once = compress(runs);
  return once.size() < runs.size() ? compress(once) : runs;
}

std::optional<RowRef> Cursor::next() {
  while (!frames.empty()) {
    Frame &frame = frames.back();
    if (frame.position == frame.items.size()) {
      if (--frame.rounds <= 0) {
        frames.pop_back();
        continue;
      }
      frame.position = 0;
      frame.offset += frame.stride;
      continue;
    }
    ArrayRef<int64_t> item = frame.items.drop_front(frame.position);
    frame.position += itemLength(item);
    if (item[0] == kNone)
      return RowRef::none();
    if (item[0] == kRow)
      return RowRef{int32_t(item[1]), item[2] + frame.offset};
    int64_t offset = frame.offset;
    frames.push_back({item.slice(4, item[3]), 0, item[1], offset, item[2]});
  }
  return std::nullopt;
}

llvm::SmallVector<RowRef> row_table::expand(ArrayRef<int64_t> code) {
  llvm::SmallVector<RowRef> rows;
  rows.reserve(std::max<int64_t>(size(code), 0));
  Cursor cursor(code);
  while (std::optional<RowRef> row = cursor.next())
    rows.push_back(*row);
  return rows;
}

bool row_table::hasNone(ArrayRef<int64_t> code) {
  for (size_t i = 0; i < code.size(); i += itemLength(code.drop_front(i))) {
    if (code[i] == kNone)
      return true;
    if (code[i] == kLoop && hasNone(code.slice(i + 4, code[i + 3])))
      return true;
  }
  return false;
}

static int64_t sizeAtDepth(ArrayRef<int64_t> code, unsigned depth) {
  if (depth > kMaxDepth)
    return -1;
  int64_t total = 0;
  for (size_t i = 0; i < code.size();) {
    size_t length = itemLength(code.drop_front(i));
    if (length == 0)
      return -1;
    int64_t rows = 1;
    if (code[i] == kLoop) {
      int64_t body = sizeAtDepth(code.slice(i + 4, code[i + 3]), depth + 1);
      if (body < 0 || code[i + 1] <= 0 || code[i + 1] > kMaxSize / body)
        return -1;
      rows = body * code[i + 1];
    }
    total += rows;
    if (total > kMaxSize)
      return -1;
    i += length;
  }
  return total;
}

int64_t row_table::size(ArrayRef<int64_t> code) { return sizeAtDepth(code, 0); }

/// Implements forEachRange() for a loop body whose rows are shifted by `low` to
/// `high`.
static bool
visitRanges(ArrayRef<int64_t> code, int64_t low, int64_t high,
            llvm::function_ref<void(int64_t, int64_t, int64_t)> fn) {
  for (size_t i = 0; i < code.size(); i += itemLength(code.drop_front(i))) {
    if (code[i] == kLoop) {
      int64_t stride = code[i + 2];
      if (stride <= -kMaxRow || stride >= kMaxRow)
        return false;
      // Sum of at most kMaxDepth spans of less than 2^57 each.
      int64_t span = (code[i + 1] - 1) * stride;
      if (!visitRanges(code.slice(i + 4, code[i + 3]),
                       low + std::min<int64_t>(span, 0),
                       high + std::max<int64_t>(span, 0), fn))
        return false;
    } else if (code[i] == kRow) {
      int64_t source = code[i + 1], row = code[i + 2];
      if (source < 0 || source >= kMaxSource || row < 0 || row >= kMaxRow ||
          row + low < 0 || row + high >= kMaxRow)
        return false;
      fn(source, row + low, row + high);
    }
  }
  return true;
}

bool row_table::forEachRange(
    ArrayRef<int64_t> code,
    llvm::function_ref<void(int64_t source, int64_t first, int64_t last)> fn) {
  return size(code) >= 0 && visitRanges(code, 0, 0, fn);
}

//===- RowMaskTest.cpp - Row tables without some of their rows ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/RowMask.h"

#include "mlir/Support/LLVM.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::row_table;

namespace {
using Numbers = std::mt19937;

int64_t below(Numbers &numbers, int64_t end) {
  return int64_t(numbers() % uint64_t(end));
}

/// Returns a random code of loops, rows and gaps.
Code randomCode(Numbers &numbers, int depth = 0) {
  Code code;
  for (int64_t i = 1 + below(numbers, 3); i > 0; --i) {
    int64_t kind = below(numbers, depth < 3 ? 4 : 2);
    if (kind == 0)
      code.push_back(kNone);
    else if (kind == 1)
      code.append({kRow, below(numbers, 2), below(numbers, 20)});
    else
      appendLoop(code, 1 + below(numbers, 4), below(numbers, 7),
                 randomCode(numbers, depth + 1));
  }
  return code;
}

RowMask randomMask(Numbers &numbers) {
  if (below(numbers, 4) == 0)
    return RowMask();
  llvm::BitVector frames(1 + below(numbers, 5));
  for (unsigned i = 0; i < frames.size(); ++i)
    frames[i] = below(numbers, 2);
  return RowMask(frames, 1 + below(numbers, 6)).from(below(numbers, 8));
}

std::vector<RowRef> list(ArrayRef<int64_t> code) {
  SmallVector<RowRef> rows = expand(code);
  return {rows.begin(), rows.end()};
}

/// Returns all frames but the first.
RowMask frames(int64_t count, int64_t block) {
  llvm::BitVector frames(count);
  frames.set(1, count - 1);
  return RowMask(frames, block);
}
} // namespace

TEST(RowMaskTest, RowsAgreeWithTheList) {
  Numbers numbers(1);
  for (int i = 0; i < 5000; ++i) {
    Code code = randomCode(numbers);
    RowMask sources[] = {randomMask(numbers), randomMask(numbers)};
    RowMask position = randomMask(numbers);
    std::vector<RowRef> rows = list(code);
    for (size_t at = 0; at < rows.size(); ++at)
      if (!rows[at].isNone() &&
          (!position.has(at) || !sources[rows[at].source].has(rows[at].row)))
        rows[at] = RowRef::none();
    EXPECT_EQ(list(keepRows(code, sources, position)), rows);
  }
}

TEST(RowMaskTest, RangesAgreeWithTheList) {
  Numbers numbers(2);
  for (int i = 0; i < 5000; ++i) {
    int64_t step = 1 + below(numbers, 4);
    // Ends of the same shape as the beginnings, or of one that differs.
    Ranges ranges;
    ranges.begin = randomCode(numbers);
    SmallVector<RowRef> begin = expand(ranges.begin), end = begin;
    bool isRegular = below(numbers, 2);
    int64_t length = 1 + below(numbers, 9);
    for (size_t at = 0; at < begin.size(); ++at)
      if (!begin[at].isNone()) {
        begin[at].source = end[at].source = 0;
        end[at].row += isRegular ? length : 1 + below(numbers, 9);
      }
    ranges.begin = encode(begin);
    ranges.end = encode(end);
    RowMask rows = randomMask(numbers), position = randomMask(numbers);
    std::vector<std::vector<int64_t>> expected(begin.size()),
        actual(begin.size());
    for (size_t at = 0; at < begin.size(); ++at)
      for (int64_t row = begin[at].row;
           !begin[at].isNone() && position.has(at) && row < end[at].row;
           row += step)
        if (rows.has(row))
          expected[at].push_back(row);
    for (int64_t part = 0; part < 10; ++part) {
      Ranges kept = keepRanges(ranges, step, rows, position, part);
      SmallVector<RowRef> first = expand(kept.begin), last = expand(kept.end);
      for (size_t at = 0; at < begin.size(); ++at) {
        ASSERT_EQ(first[at].isNone(), last[at].isNone());
        for (int64_t row = first[at].row;
             !first[at].isNone() && row < last[at].row; row += step)
          actual[at].push_back(row);
      }
    }
    EXPECT_EQ(actual, expected);
  }
}

/// Tables have the same size as for two sequences.
TEST(RowMaskTest, SizeDoesNotDependOnSequences) {
  std::vector<size_t> sizes;
  for (int64_t n : {2, 1000}) {
    int64_t t = 10;
    // Sequences innermost in the source, outermost in the destination.
    Code frame, code, begin, end;
    appendLoop(frame, t, n, {kRow, 0, 0});
    appendLoop(code, n, 1, frame);
    RowMask inner = frames(t, n), outer = frames(t, 1);
    Code kept = keepRows(code, inner, outer);
    sizes.push_back(kept.size());
    EXPECT_EQ(row_table::size(kept), n * t);
    appendLoop(begin, n, 1, {kRow, 0, 0});
    appendLoop(end, n, 1, {kRow, 0, (t - 1) * n + 1});
    Ranges ranges = keepRanges({begin, end}, n, inner, RowMask());
    sizes.push_back(ranges.begin.size() + ranges.end.size());
    EXPECT_EQ(expand(ranges.begin)[1].row, n + 1);
  }
  EXPECT_EQ(sizes[0], sizes[2]);
  EXPECT_EQ(sizes[1], sizes[3]);
}

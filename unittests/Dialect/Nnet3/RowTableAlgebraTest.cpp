//===- RowTableAlgebraTest.cpp - Parts and shapes of row tables -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/RowTableAlgebra.h"

#include "mlir/Support/LLVM.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::row_table;

namespace {
/// Reproducible random numbers.
class Numbers {
public:
  int64_t below(int64_t end) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return int64_t((state >> 33) % uint64_t(end));
  }

private:
  uint64_t state = 11;
};

/// Returns a random code of loops, rows and gaps.
Code randomCode(Numbers &numbers, int depth = 0) {
  Code code;
  for (int64_t i = 1 + numbers.below(3); i > 0; --i) {
    int64_t kind = numbers.below(depth < 3 ? 4 : 2);
    if (kind == 0)
      code.push_back(kNone);
    else if (kind == 1)
      code.append({kRow, numbers.below(2), numbers.below(20)});
    else
      appendLoop(code, 1 + numbers.below(4), numbers.below(4),
                 randomCode(numbers, depth + 1));
  }
  return code;
}

std::vector<RowRef> list(ArrayRef<int64_t> code) {
  SmallVector<RowRef> rows = expand(code);
  return {rows.begin(), rows.end()};
}
} // namespace

TEST(RowTableAlgebraTest, AgreesWithTheList) {
  Numbers numbers;
  for (int i = 0; i < 3000; ++i) {
    Code code = randomCode(numbers);
    std::vector<RowRef> rows = list(code);
    auto isRow = [](const RowRef &row) { return !row.isNone(); };
    EXPECT_EQ(getLeadingNone(code), llvm::find_if(rows, isRow) - rows.begin());
    auto fromBack = llvm::reverse(rows);
    EXPECT_EQ(getTrailingNone(code),
              std::find_if(fromBack.begin(), fromBack.end(), isRow) -
                  fromBack.begin());
    EXPECT_EQ(hasNone(code), !llvm::all_of(rows, isRow));

    int64_t begin = numbers.below(rows.size());
    int64_t count = 1 + numbers.below(rows.size() - begin);
    EXPECT_EQ(list(slice(code, begin, count)),
              std::vector<RowRef>(rows.begin() + begin,
                                  rows.begin() + begin + count));

    std::vector<RowRef> moved = rows, joined = rows;
    for (RowRef &row : moved)
      row.row += row.isNone() ? 0 : 5;
    for (RowRef &row : joined)
      row.source = row.isNone() ? -1 : 0;
    EXPECT_EQ(list(shifted(code, 5)), moved);
    EXPECT_EQ(list(withOneSource(code)), joined);
  }
}

TEST(RowTableAlgebraTest, RepeatedRowsAgreeWithTheList) {
  Numbers numbers;
  for (int i = 0; i < 1000; ++i) {
    int64_t block = 1 + numbers.below(4), count = 1 + numbers.below(5);
    int64_t stride = numbers.below(3);
    std::vector<RowRef> rows, expected;
    for (int64_t e = block * (1 + numbers.below(6)); e > 0; --e)
      rows.push_back({0, numbers.below(2) * 7 + e});
    for (size_t first = 0; first < rows.size(); first += block)
      for (int64_t k = 0; k < count; ++k)
        for (int64_t e = 0; e < block; ++e)
          expected.push_back({0, rows[first + e].row + k * stride});
    EXPECT_EQ(list(encodeRepeated(rows, block, count, stride)), expected);
  }
}

TEST(RowTableAlgebraTest, RepeatedRowsTakeNoRoom) {
  std::vector<RowRef> rows = {{0, 3}, {0, 1}, {0, 8}, {0, 2}};
  for (int64_t block : {1, 2, 4})
    EXPECT_EQ(encodeRepeated(rows, block, 2, 10).size(),
              encodeRepeated(rows, block, 100000, 10).size());
}

TEST(RowTableAlgebraTest, ProgressionsAgreeWithTheList) {
  Numbers numbers;
  int found = 0;
  for (int i = 0; i < 20000; ++i) {
    Code code = randomCode(numbers);
    std::vector<RowRef> rows = list(code);
    bool expected = !rows[0].isNone();
    for (size_t k = 1; k < rows.size(); ++k)
      expected = expected && rows[k].source == rows[0].source &&
                 rows[k].row - rows[k - 1].row == rows[1].row - rows[0].row;
    std::optional<Progression> progression = getProgression(code);
    // A loop of progressions that continue each other has any structure.
    EXPECT_EQ(progression.has_value(), expected);
    if (!progression)
      continue;
    found += rows.size() > 2;
    EXPECT_EQ(progression->start, rows[0].row);
    EXPECT_EQ(progression->count, int64_t(rows.size()));
    if (rows.size() > 1)
      EXPECT_EQ(progression->step, rows[1].row - rows[0].row);
  }
  EXPECT_GT(found, 100);
}

TEST(RowTableAlgebraTest, RunsAgreeWithTheList) {
  Numbers numbers;
  int found = 0;
  for (int i = 0; i < 20000; ++i) {
    Code code = randomCode(numbers);
    std::vector<row_table::Run> expected;
    bool none = false;
    std::vector<RowRef> rows = list(code);
    for (size_t k = 0; k < rows.size(); ++k) {
      none |= rows[k].isNone();
      if (expected.empty() || expected.back().source != rows[k].source)
        expected.push_back({rows[k].source, int64_t(k), 0});
      ++expected.back().count;
    }
    auto runs = getRuns(code, 2);
    ASSERT_EQ(runs.has_value(), !none && expected.size() <= 2);
    if (!runs)
      continue;
    found += runs->size() == 2;
    ASSERT_EQ(runs->size(), expected.size());
    for (auto [run, other] : llvm::zip(*runs, expected)) {
      EXPECT_EQ(run.source, other.source);
      EXPECT_EQ(run.begin, other.begin);
      EXPECT_EQ(run.count, other.count);
    }
  }
  EXPECT_GT(found, 100);
}

//===- RowTableTest.cpp - Tests of structured row tables ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::row_table;

using Rows = SmallVector<RowRef>;

static Rows rowsOf(ArrayRef<int64_t> rows) {
  Rows list;
  for (int64_t row : rows)
    list.push_back(row < 0 ? RowRef::none() : RowRef{0, row});
  return list;
}

/// Returns the rows `offset + (n * numFrames + t) * step` for all n and t, in
/// the order of a caller (n outermost) or of internal matrices (t outermost).
static Rows chunk(int64_t numSequences, int64_t numFrames, int64_t first,
                  int64_t count, bool sequencesOutermost) {
  Rows rows;
  if (sequencesOutermost) {
    for (int64_t n = 0; n < numSequences; ++n)
      for (int64_t t = 0; t < count; ++t)
        rows.push_back({0, n * numFrames + first + t});
    return rows;
  }
  for (int64_t t = 0; t < count; ++t)
    for (int64_t n = 0; n < numSequences; ++n)
      rows.push_back({0, n * numFrames + first + t});
  return rows;
}

static std::string print(ArrayRef<RowRef> rows) {
  MLIRContext context;
  context.loadDialect<Nnet3Dialect>();
  std::string text;
  llvm::raw_string_ostream(text) << RowTableAttr::get(&context, rows);
  return text;
}

TEST(RowTable, EncodesRunsAsLoops) {
  EXPECT_EQ(print(rowsOf({4, 5, 6, 7})), "#nnet3.row_table<4:7>");
  EXPECT_EQ(print(rowsOf({9, 6, 3, 0})), "#nnet3.row_table<9:0:-3>");
  EXPECT_EQ(print(rowsOf({7, 7, 7})), "#nnet3.row_table<3 x 7>");
  EXPECT_EQ(print(rowsOf({-1, -1, -1, 0, 1, 2})),
            "#nnet3.row_table<3 x _, 0:2>");
  EXPECT_EQ(print({{1, 5}, {1, 6}, {1, 7}}), "#nnet3.row_table<5:7 of 1>");
}

TEST(RowTable, EmptyAndSingle) {
  EXPECT_TRUE(encode({}).empty());
  EXPECT_EQ(row_table::size({}), 0);
  EXPECT_EQ(print(rowsOf({3})), "#nnet3.row_table<3>");
  EXPECT_EQ(print(rowsOf({-1})), "#nnet3.row_table<_>");
}

TEST(RowTable, LengthDoesNotGrowWithSequences) {
  for (bool outermost : {false, true}) {
    Code few = encode(chunk(8, 150, 3, 140, outermost));
    Code many = encode(chunk(512, 150, 3, 140, outermost));
    EXPECT_EQ(few.size(), many.size());
    EXPECT_LE(many.size(), 16u);
  }
}

TEST(RowTable, LengthDoesNotGrowWithSequencesInPatterns) {
  // Three frames of each sequence are missing, and every third comes from
  // another matrix.
  auto pattern = [](int64_t numSequences) {
    Rows rows;
    for (int64_t n = 0; n < numSequences; ++n)
      for (int64_t t = 0; t < 30; ++t) {
        if (t < 3)
          rows.push_back(RowRef::none());
        else
          rows.push_back({t % 3 == 0 ? 1 : 0, n * 40 + t});
      }
    return encode(rows);
  };
  EXPECT_EQ(pattern(8).size(), pattern(512).size());
}

/// Returns a list with regular parts: runs, repetitions, single rows and gaps,
/// from up to three sources.
static Rows randomRows(std::mt19937 &random) {
  auto draw = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  Rows rows;
  for (int64_t part = 0, parts = draw(0, 6); part < parts; ++part) {
    int64_t kind = draw(0, 4), count = draw(1, 12);
    if (kind == 0) {
      rows.append(count, RowRef::none());
    } else if (kind == 1 && !rows.empty()) {
      Rows before = rows;
      int64_t delta = draw(0, 20);
      for (int64_t i = 0; i < count; ++i)
        for (RowRef row : before)
          rows.push_back(row.isNone()
                             ? row
                             : RowRef{row.source, row.row + delta * (i + 1)});
    } else if (kind == 2) {
      for (int64_t i = 0; i < count; ++i)
        rows.push_back({int32_t(draw(0, 2)), draw(0, 9)});
    } else {
      int64_t step = draw(-3, 3), first = 40 + draw(0, 9);
      int32_t source = draw(0, 2);
      for (int64_t i = 0; i < count; ++i)
        rows.push_back({source, first + i * step});
    }
    if (rows.size() > 4000)
      break;
  }
  return rows;
}

TEST(RowTable, ListsOfItemsAreLoops) {
  // Rows of several matrices in turn, between others.
  auto interleave = [](int64_t count) {
    Rows rows = {{9, 0}};
    for (int64_t i = 0; i < count; ++i) {
      for (int32_t source = 0; source < 4; ++source)
        rows.push_back({source, 2 * i});
      rows.push_back(RowRef::none());
      rows.push_back({4, 7 + 2 * i});
      rows.push_back({4, 8 + 2 * i});
      rows.push_back({4, 9 + 2 * i});
    }
    rows.push_back({0, 2 * count});
    return rows;
  };
  EXPECT_EQ(print(interleave(40)),
            "#nnet3.row_table<0 of 9, [40 x +2](0, 0 of 1, 0 of 2, 0 of 3, _, "
            "7:9 of 4), 80>");
  EXPECT_EQ(encode(interleave(40)).size(), encode(interleave(400)).size());
}

TEST(RowTable, RandomListsRoundTrip) {
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    Rows rows = randomRows(random);
    Code code = encode(rows);
    ASSERT_EQ(row_table::size(code), int64_t(rows.size())) << "list " << i;
    ASSERT_EQ(expand(code), rows) << "list " << i;
    ASSERT_EQ(expand(compress(code)), rows) << "list " << i;
  }
}

TEST(RowTable, RandomListsRoundTripThroughText) {
  MLIRContext context;
  context.loadDialect<Nnet3Dialect>();
  std::mt19937 random(2);
  for (int i = 0; i < 300; ++i) {
    Rows rows = randomRows(random);
    if (rows.empty())
      continue;
    auto table = RowTableAttr::get(&context, rows);
    std::string text;
    llvm::raw_string_ostream(text) << table;
    ASSERT_EQ(parseAttribute(text, &context), table) << text;
  }
}

TEST(RowTable, CursorGivesWhatExpandLists) {
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    Rows rows = randomRows(random);
    Code code = encode(rows);
    Cursor cursor(code);
    for (const RowRef &row : rows)
      ASSERT_EQ(cursor.next(), std::optional<RowRef>(row));
    EXPECT_EQ(cursor.next(), std::nullopt);
    EXPECT_EQ(cursor.next(), std::nullopt);
  }
}

TEST(RowTable, MaxRowsAreThoseOfTheList) {
  MLIRContext context;
  context.loadDialect<Nnet3Dialect>();
  std::mt19937 random(4);
  for (int i = 0; i < 300; ++i) {
    Rows rows = randomRows(random);
    SmallVector<int64_t> expected(3, -1);
    for (const RowRef &row : rows)
      if (!row.isNone())
        expected[row.source] = std::max(expected[row.source], row.row);
    EXPECT_EQ(RowTableAttr::get(&context, rows).getMaxRows(3), expected);
  }
}

TEST(RowTable, LoopOfOneRoundIsItsBody) {
  Code code;
  appendLoop(code, 1, 7, {kRow, 0, 3});
  EXPECT_EQ(code, Code({kRow, 0, 3}));
}

TEST(RowTable, MalformedCodeHasNoSize) {
  EXPECT_EQ(row_table::size({7}), -1);
  EXPECT_EQ(row_table::size({kRow, 0}), -1);
  EXPECT_EQ(row_table::size({kLoop, 2, 1, 3, kRow, 0}), -1);
  EXPECT_EQ(row_table::size({kLoop, 0, 1, 3, kRow, 0, 0}), -1);
  EXPECT_EQ(row_table::size({kLoop, 2, 1, 0}), -1);
  EXPECT_EQ(row_table::size({kLoop, int64_t(1) << 62, 1, 3, kRow, 0, 0}), -1);
}

TEST(RowTable, RangesAreBounded) {
  auto ignore = [](int64_t, int64_t, int64_t) {};
  EXPECT_TRUE(forEachRange({kLoop, 3, -1, 3, kRow, 0, 2}, ignore));
  EXPECT_FALSE(forEachRange({kLoop, 4, -1, 3, kRow, 0, 2}, ignore));
  EXPECT_FALSE(forEachRange({kRow, 0, kMaxRow}, ignore));
  EXPECT_FALSE(forEachRange({kRow, -1, 0}, ignore));
  EXPECT_FALSE(
      forEachRange({kLoop, 2, int64_t(1) << 62, 3, kRow, 0, 0}, ignore));
}

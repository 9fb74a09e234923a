//===- IndexTest.cpp - Tests of Indexes and lists of them -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::nnet3;

static std::string print(const Index &index) {
  std::string text;
  llvm::raw_string_ostream(text) << index;
  return text;
}

TEST(Index, OrderIsByTimeThenXThenSequence) {
  EXPECT_LT((Index{5, 0, 5}), (Index{0, 1, 0}));
  EXPECT_LT((Index{5, 0, 0}), (Index{0, 0, 1}));
  EXPECT_LT((Index{0, 0, 0}), (Index{1, 0, 0}));
  EXPECT_FALSE((Index{1, 2, 3}) < (Index{1, 2, 3}));
}

TEST(Index, PrintsAsLists) {
  EXPECT_EQ(print({1, -2, 0}), "(1, -2)");
  EXPECT_EQ(print({1, -2, 3}), "(1, -2, 3)");
  EXPECT_EQ(print({1, kNoTime, 0}), "(1, _)");
}

//===----------------------------------------------------------------------===//
// IndexRows
//===----------------------------------------------------------------------===//

TEST(IndexRows, ListedInFull) {
  IndexRows rows(SmallVector<Index>{{0, 1, 0}, {3, 2, 0}});
  EXPECT_FALSE(rows.isFolded());
  EXPECT_EQ(rows.size(), 2);
  EXPECT_EQ(rows.at(1), (Index{3, 2, 0}));
  EXPECT_EQ(rows.rowOf(1), 1);
}

TEST(IndexRows, SequencesInnermost) {
  IndexRows rows({{0, 1, 0}, {0, 2, 0}}, {4, 7, 9}, /*block=*/1);
  SmallVector<Index> expected = {{4, 1, 0}, {7, 1, 0}, {9, 1, 0},
                                 {4, 2, 0}, {7, 2, 0}, {9, 2, 0}};
  EXPECT_EQ(rows.expand(), expected);
}

TEST(IndexRows, SequencesOutermost) {
  IndexRows rows({{0, 1, 0}, {0, 2, 0}}, {4, 7, 9}, /*block=*/2);
  SmallVector<Index> expected = {{4, 1, 0}, {4, 2, 0}, {7, 1, 0},
                                 {7, 2, 0}, {9, 1, 0}, {9, 2, 0}};
  EXPECT_EQ(rows.expand(), expected);
}

TEST(IndexRows, RowOfIsTheInverseOfAt) {
  SmallVector<Index> entries;
  for (int32_t t = 0; t < 6; ++t)
    entries.push_back({0, t, 0});
  for (int64_t block : {1, 2, 3, 6}) {
    IndexRows rows(entries, {4, 7, 9}, block);
    ASSERT_EQ(rows.size(), 18);
    for (int64_t entry = 0; entry < 6; ++entry)
      for (int64_t k = 0; k < 3; ++k)
        EXPECT_EQ(rows.at(rows.rowOf(entry, k)),
                  (Index{rows.sequences[k], int32_t(entry), 0}));
  }
}

//===----------------------------------------------------------------------===//
// IndexesAttr
//===----------------------------------------------------------------------===//

namespace {
class IndexesAttrTest : public ::testing::Test {
protected:
  IndexesAttrTest() { context.loadDialect<Nnet3Dialect>(); }

  std::string print(ArrayRef<Index> rows) {
    std::string text;
    llvm::raw_string_ostream(text) << IndexesAttr::get(&context, rows);
    return text;
  }

  MLIRContext context;
};
} // namespace

TEST_F(IndexesAttrTest, FindsProducts) {
  SmallVector<Index> nt, tn, txn;
  for (int32_t n = 0; n < 3; ++n)
    for (int32_t t = -1; t < 3; ++t)
      nt.push_back({n, t, 0});
  EXPECT_EQ(print(nt), "#nnet3.indexes<n = 0:2, t = -1:2>");
  for (int32_t t : {0, 3, 6})
    for (int32_t n = 0; n < 2; ++n)
      for (int32_t x = 0; x < 2; ++x)
        tn.push_back({n, t, x});
  EXPECT_EQ(print(tn),
            "#nnet3.indexes<n = 0:1, t = 0:6:3, x = 0:1, order = tn>");
  for (int32_t t : {0, 3, 6})
    for (int32_t x = 0; x < 2; ++x)
      for (int32_t n = 0; n < 2; ++n)
        txn.push_back({n, t, x});
  EXPECT_EQ(print(txn),
            "#nnet3.indexes<n = 0:1, t = 0:6:3, x = 0:1, order = txn>");
}

TEST_F(IndexesAttrTest, ListsWhatIsNoProduct) {
  EXPECT_EQ(print({{0, 0, 0}, {1, 1, 0}}), "#nnet3.indexes<[(0, 0), (1, 1)]>");
  // As many rows as the product, but not in its order.
  EXPECT_EQ(print({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}),
            "#nnet3.indexes<[(0, 0), (1, 1), (1, 0), (0, 1)]>");
  // Blank rows are only in lists.
  EXPECT_EQ(print({{0, kNoTime, 0}, {1, kNoTime, 0}}),
            "#nnet3.indexes<[(0, _), (1, _)]>");
}

TEST_F(IndexesAttrTest, LengthDoesNotGrowWithSequences) {
  auto length = [&](int32_t numSequences) {
    SmallVector<Index> rows;
    for (int32_t n = 100; n < 100 + numSequences; ++n)
      for (int32_t t = -3; t < 13; ++t)
        rows.push_back({n, t, 0});
    return print(rows).size();
  };
  EXPECT_EQ(length(8), length(512));
}

TEST_F(IndexesAttrTest, RandomListsRoundTripThroughText) {
  std::mt19937 random(1);
  auto draw = [&](int32_t low, int32_t high) {
    return std::uniform_int_distribution<int32_t>(low, high)(random);
  };
  for (int i = 0; i < 500; ++i) {
    SmallVector<Index> rows;
    int32_t sequences = draw(1, 3), step = draw(1, 3), frames = draw(1, 5);
    for (int32_t n = 0; n < sequences; ++n)
      for (int32_t t = 0; t < frames; ++t)
        if (draw(0, 9) > 0 || rows.empty())
          rows.push_back({n, t * step - 2, 0});
    if (draw(0, 1))
      llvm::sort(rows);
    auto attr = IndexesAttr::get(&context, rows);
    ASSERT_EQ(attr.size(), int64_t(rows.size()));
    ASSERT_EQ(attr.expand(), rows);
    std::string text;
    llvm::raw_string_ostream(text) << attr;
    ASSERT_EQ(parseAttribute(text, &context), attr) << text;
  }
}

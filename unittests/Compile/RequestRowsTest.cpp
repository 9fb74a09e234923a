//===- RequestRowsTest.cpp - The rows of a request ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileTest.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
using Rows = SmallVector<Index>;

/// Returns all (n, t, x); `order` gives the order of the variables.
Rows product(ArrayRef<int32_t> n, ArrayRef<int32_t> t, ArrayRef<int32_t> x,
             StringRef order) {
  Rows rows;
  std::array<ArrayRef<int32_t>, 3> lists;
  auto place = [&](char name) { return order.find(name); };
  lists[place('n')] = n;
  lists[place('t')] = t;
  lists[place('x')] = x;
  for (int32_t a : lists[0])
    for (int32_t b : lists[1])
      for (int32_t c : lists[2]) {
        std::array<int32_t, 3> values = {a, b, c};
        rows.push_back(
            {values[place('n')], values[place('t')], values[place('x')]});
      }
  return rows;
}
} // namespace

/// Any order of a Cartesian product can be folded, and unfolds to the same
/// rows.
TEST(FoldRowsTest, AllOrders) {
  const std::vector<int32_t> n = {4, 2, 7}, t = {-1, 0, 5, 6}, x = {0, 3};
  for (StringRef order : {"ntx", "nxt", "tnx", "xnt", "txn", "xtn"}) {
    Rows rows = product(n, t, x, order);
    std::optional<IndexRows> folded = foldRows(rows);
    ASSERT_TRUE(folded) << order.str();
    EXPECT_EQ(folded->expand(), rows) << order.str();
    EXPECT_EQ(folded->rows.size(), t.size() * x.size());
    EXPECT_EQ(ArrayRef<int32_t>(folded->sequences), ArrayRef<int32_t>(n));
    size_t place = order.find('n');
    EXPECT_EQ(size_t(folded->block),
              place == 0   ? 8u
              : place == 2 ? 1u
                           : (order[2] == 'x' ? x.size() : t.size()));
    for (int64_t row = 0; row < folded->size(); ++row)
      EXPECT_EQ(folded->at(row), rows[row]);
  }
}

/// The input of a TDNN has blocks of several times of each sequence.
TEST(FoldRowsTest, BlocksOfSeveralTimes) {
  Rows rows;
  for (int32_t first : {0, 3, 6})
    for (int32_t n : {0, 1})
      for (int32_t t = first; t < first + 3; ++t)
        rows.push_back({n, t, 0});
  std::optional<IndexRows> folded = foldRows(rows);
  ASSERT_TRUE(folded);
  EXPECT_EQ(folded->block, 3);
  EXPECT_EQ(folded->expand(), rows);
}

TEST(FoldRowsTest, OneSequence) {
  Rows rows = {{5, 3, 0}, {5, 1, 0}};
  std::optional<IndexRows> folded = foldRows(rows);
  ASSERT_TRUE(folded);
  EXPECT_EQ(folded->numSequences(), 1);
  EXPECT_EQ(folded->expand(), rows);
}

TEST(FoldRowsTest, RowsThatAreNotAllAlike) {
  EXPECT_FALSE(foldRows({}));
  // A sequence lacks a row.
  EXPECT_FALSE(foldRows({{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}));
  // Another order in the second sequence.
  EXPECT_FALSE(foldRows({{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}}));
  // Other times.
  EXPECT_FALSE(foldRows({{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 2, 0}}));
  // The sequences in another order at the second time.
  EXPECT_FALSE(foldRows({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}));
}

/// A list that differs in one row from a product either does not fold, or
/// unfolds to itself.
TEST(FoldRowsTest, AlmostProducts) {
  for (StringRef order : {"ntx", "tnx", "txn"}) {
    Rows rows = product({0, 1}, {0, 1, 2}, {0, 1}, order);
    for (size_t i = 0; i < rows.size(); ++i)
      for (Index other : {Index{2, 0, 0}, Index{0, 9, 0}, Index{1, 0, 9}}) {
        Rows changed = rows;
        changed[i] = other;
        if (std::optional<IndexRows> folded = foldRows(changed))
          EXPECT_EQ(folded->expand(), changed);
        else
          SUCCEED();
        changed = rows;
        changed.erase(changed.begin() + i);
        if (std::optional<IndexRows> folded = foldRows(changed))
          EXPECT_EQ(folded->expand(), changed);
      }
  }
}

//===----------------------------------------------------------------------===//
// Whole requests
//===----------------------------------------------------------------------===//

namespace {
class ReadRequestTest : public CompileTest {
protected:
  RequestRows read(const std::string &body, bool fold) {
    parse(R"(
      %x = nnet3.input_node "x" : !nnet3.rows<1>
      %i = nnet3.input_node "ivector" : !nnet3.rows<1>
      %0 = nnet3.replace_index %i, t = 0 : !nnet3.rows<1>
      %1 = nnet3.sum %x, %0 : !nnet3.rows<1>
      nnet3.output_node "output", %1 : !nnet3.rows<1>
    )",
          body);
    FailureOr<RequestRows> result = readRequest(getRequest(), *nodes, fold);
    EXPECT_TRUE(succeeded(result));
    return std::move(*result);
  }

  static constexpr const char *kInputs = R"(
    nnet3.request_input "ivector" <n = 1:3>
    nnet3.request_input "x" <n = 1:3, t = 0:4, order = tn>
  )";
};
} // namespace

TEST_F(ReadRequestTest, FactorsSequencesOut) {
  RequestRows rows = read(
      std::string(kInputs) +
          "nnet3.request_output \"output\" <[(1, 2), (1, 4), (2, 2), (2, 4), "
          "(3, 2), (3, 4)]>",
      /*fold=*/true);
  EXPECT_TRUE(rows.isFolded());
  EXPECT_EQ(ArrayRef<int32_t>(rows.sequences), ArrayRef<int32_t>({1, 2, 3}));
  EXPECT_EQ(rows.inputs[0].rows.rows.size(), 1u);
  EXPECT_EQ(rows.inputs[1].rows.rows.size(), 5u);
  EXPECT_EQ(rows.inputs[1].rows.block, 1);
  EXPECT_EQ(rows.outputs[0].rows.rows.size(), 2u);
  EXPECT_EQ(rows.outputs[0].rows.block, 2);
}

/// One irregular input or output, or one with other sequences, prevents
/// folding.
TEST_F(ReadRequestTest, FoldsAllOrNothing) {
  for (const char *output : {"<[(1, 2), (2, 3), (3, 2)]>", "<n = 1:2, t = 2>",
                             "<n = [2, 1, 3], t = 2>"}) {
    RequestRows rows = read(
        kInputs + ("nnet3.request_output \"output\" " + std::string(output)),
        /*fold=*/true);
    EXPECT_FALSE(rows.isFolded()) << output;
    EXPECT_EQ(rows.inputs[1].rows.rows.size(), 15u);
  }
}

TEST_F(ReadRequestTest, FoldsOnlyIfAllowed) {
  RequestRows rows =
      read(kInputs + std::string("nnet3.request_output \"output\" <n = 1:3>"),
           /*fold=*/false);
  EXPECT_FALSE(rows.isFolded());
  EXPECT_EQ(rows.outputs[0].rows.rows.size(), 3u);
}

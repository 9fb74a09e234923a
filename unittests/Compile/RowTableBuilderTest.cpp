//===- RowTableBuilderTest.cpp - Row tables of folded rows ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/RowTableBuilder.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

class RowTableBuilderTest : public ::testing::Test {
protected:
  RowTableBuilderTest() { context.loadDialect<Nnet3Dialect>(); }

  int32_t below(int32_t end) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return int32_t((state >> 33) % uint64_t(end));
  }

  /// `count` rows of one sequence for each of `numSequences`, in blocks.
  IndexRows makeRows(int64_t count, int64_t numSequences, int64_t block) {
    SmallVector<Index> rows;
    for (int32_t t = 0; t < count; ++t)
      rows.push_back({0, t, 0});
    SmallVector<int32_t> sequences;
    for (int32_t n = 0; n < numSequences; ++n)
      sequences.push_back(n);
    return IndexRows(std::move(rows), std::move(sequences), block);
  }

  int64_t randomDivisor(int64_t number) {
    while (true)
      if (int64_t divisor = 1 + below(number); number % divisor == 0)
        return divisor;
  }

  /// Entry by entry: the source row of each destination row.
  SmallVector<RowRef> expandByHand(ArrayRef<RowRef> entries,
                                   const IndexRows &dest,
                                   ArrayRef<const IndexRows *> sources) {
    SmallVector<RowRef> table(dest.size());
    for (int64_t entry = 0; entry < int64_t(entries.size()); ++entry)
      for (int64_t k = 0; k < dest.numSequences(); ++k) {
        RowRef ref = entries[entry];
        if (!ref.isNone())
          ref.row = sources[ref.source]->rowOf(ref.row, k);
        table[dest.rowOf(entry, k)] = ref;
      }
    return table;
  }

  std::string str(RowTableAttr table) {
    std::string text;
    llvm::raw_string_ostream(text) << table;
    return text;
  }

  MLIRContext context;
  uint64_t state = 3;
};

} // namespace

TEST_F(RowTableBuilderTest, AgreesWithExpansionByHand) {
  for (int i = 0; i < 3000; ++i) {
    int64_t numSequences = 1 + below(5);
    int64_t numRows = 1 + below(12);
    IndexRows dest = makeRows(numRows, numSequences, randomDivisor(numRows));
    std::vector<IndexRows> sources;
    for (int s = 1 + below(3); s > 0; --s) {
      int64_t count = 1 + below(12);
      sources.push_back(makeRows(count, numSequences, randomDivisor(count)));
    }
    SmallVector<const IndexRows *> pointers;
    for (const IndexRows &source : sources)
      pointers.push_back(&source);
    // Runs, which become loops, and single rows.
    SmallVector<RowRef> entries;
    while (int64_t(entries.size()) < numRows) {
      int32_t source = below(sources.size());
      int64_t count = sources[source].rows.size(), row = below(count);
      for (int run = 1 + below(4); run > 0 && int64_t(entries.size()) < numRows;
           --run)
        entries.push_back(below(6) ? RowRef{source, row++ % count}
                                   : RowRef::none());
    }
    RowTableAttr table = buildRowTable(&context, entries, dest, pointers);
    SmallVector<RowRef> expected = expandByHand(entries, dest, pointers);
    EXPECT_EQ(table.expand(), expected) << str(table);
    EXPECT_EQ(table.size(), dest.size());

    bool identity = sources.size() == 1 &&
                    int64_t(expected.size()) == sources.front().size();
    for (auto [row, ref] : llvm::enumerate(expected))
      identity &= ref == RowRef{0, int64_t(row)};
    if (sources.size() == 1)
      EXPECT_EQ(isIdentity(entries, dest, sources.front()), identity);
  }
}

/// For a splice of 3 frames, the tables for 8 and for 512 sequences differ only
/// in numbers.
TEST_F(RowTableBuilderTest, SizeDoesNotDependOnSequences) {
  for (auto [destBlock, sourceBlock] :
       {std::pair<int64_t, int64_t>{1, 1}, {1, 12}, {10, 12}, {5, 1}}) {
    size_t length = 0;
    for (int64_t numSequences : {8, 512}) {
      IndexRows dest = makeRows(10, numSequences, destBlock);
      IndexRows source = makeRows(12, numSequences, sourceBlock);
      SmallVector<RowRef> entries;
      for (int64_t t = 0; t < 10; ++t)
        entries.push_back({0, t + 1});
      RowTableAttr table = buildRowTable(&context, entries, dest, {&source});
      EXPECT_EQ(table.expand(), expandByHand(entries, dest, {&source}));
      if (numSequences == 8)
        length = table.getCode().size();
      else
        EXPECT_EQ(table.getCode().size(), length) << str(table);
    }
  }
}

TEST_F(RowTableBuilderTest, WritesLoops) {
  IndexRows inner = makeRows(4, 8, 1), outer = makeRows(4, 8, 4);
  SmallVector<RowRef> entries = {{0, 0}, {0, 1}, {0, 2}, {0, 3}};
  // Between the two orders of the same rows.
  EXPECT_EQ(str(buildRowTable(&context, entries, inner, {&outer})),
            "#nnet3.row_table<[4 x +1](0:28:4)>");
  EXPECT_EQ(str(buildRowTable(&context, entries, outer, {&inner})),
            "#nnet3.row_table<[8 x +1](0:24:8)>");
  EXPECT_EQ(str(buildRowTable(&context, entries, inner, {&inner})),
            "#nnet3.row_table<[4 x +8](0:7)>");
}

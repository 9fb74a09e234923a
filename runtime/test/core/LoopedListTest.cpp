//===- LoopedListTest.cpp - Lists of integers written as loops ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/LoopedList.h"
#include "nnet3/runtime/Runtime.h"
#include "test/support/ProgramWriter.h"

#include <gtest/gtest.h>

#include <limits>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
constexpr int32_t kMax = std::numeric_limits<int32_t>::max();

/// A code in a buffer, as in programs.
class Code {
public:
  explicit Code(const std::vector<int32_t> &words) {
    builder.Finish(builder.CreateVector(words));
  }
  const ListCode *get() const {
    return flatbuffers::GetRoot<ListCode>(builder.GetBufferPointer());
  }

private:
  flatbuffers::FlatBufferBuilder builder;
};

std::vector<int32_t> expand(const std::vector<int32_t> &words) {
  Code code(words);
  std::vector<int32_t> entries;
  EXPECT_GE(countEntries(code.get()), 0);
  EXPECT_TRUE(listEntries(code.get(), entries));
  EXPECT_EQ(countEntries(code.get()), int64_t(entries.size()));
  return entries;
}

using List = std::vector<int32_t>;

TEST(LoopedListTest, Items) {
  EXPECT_EQ(expand({}), List());
  EXPECT_EQ(expand({0, 7, 1, 0, -3}), List({7, -1, -3}));
  // 2 rounds of (0, none), 5 further on each time.
  EXPECT_EQ(expand({2, 2, 5, 3, 0, 0, 1}), List({0, -1, 5, -1}));
  EXPECT_EQ(expand({2, 2, 100, 6, 2, 3, -1, 2, 0, 9}),
            List({9, 8, 7, 109, 108, 107}));
  // Steps through a value that 32 bits cannot hold do not matter.
  EXPECT_EQ(expand({2, 2, kMax, 2, 0, kMin}), List({kMin, -1}));
  EXPECT_EQ(countEntries(nullptr), 0);
}

TEST(LoopedListTest, MalformedCode) {
  for (const List &words : std::vector<List>{{0},
                                             {3, 0},
                                             {-1},
                                             {2, 2, 0, 2},
                                             {2, 2, 0, 0, 0, 7},
                                             {2, 0, 0, 2, 0, 7},
                                             {2, -1, 0, 2, 0, 7},
                                             {2, 2, 0, 3, 0, 7},
                                             {2, 2, 0, -2, 0, 7},
                                             {2, 2, 0, kMax, 0, 7},
                                             {2, kMax, 0, 6, 2, 2, 0, 2, 0, 7}})
    EXPECT_EQ(countEntries(Code(words).get()), -1);
  // Too deep.
  List words = {0, 7};
  for (int depth = 0; depth < 40; ++depth) {
    List head = {2, 1, 0, int32_t(words.size())};
    words.insert(words.begin(), head.begin(), head.end());
  }
  EXPECT_EQ(countEntries(Code(words).get()), -1);
}

TEST(LoopedListTest, EntriesBeyond32Bits) {
  std::vector<int32_t> entries;
  EXPECT_FALSE(listEntries(Code({2, 2, 1, 2, 0, kMax}).get(), entries));
  EXPECT_FALSE(listEntries(Code({2, 2, -1, 2, 0, kMin}).get(), entries));
}

/// Copies the rows of an input by a table.
std::string loadWithTable(const List &code, int32_t rows,
                          uint64_t maxArenaBytes) {
  ProgramWriter writer;
  const int32_t in = writer.input("in", rows, 1);
  const int32_t out = writer.zeroed(rows, 1);
  for (int i = 0; i < 3; ++i) {
    CommandData copy{schema::Opcode::CopyRows};
    copy.src = in;
    copy.dst = out;
    copy.table = writer.loopedRowTable(code);
    writer.command(copy);
  }
  writer.output("out", out);
  const std::vector<uint8_t> program = writer.finish();
  LoadOptions options;
  options.maxArenaBytes = maxArenaBytes;
  auto loaded = Program::load(program.data(), program.size(), options);
  return loaded.ok() ? "" : std::string(loaded.status().message());
}

TEST(LoopedListTest, TablesOfPrograms) {
  constexpr uint64_t kMuch = uint64_t(1) << 40;
  EXPECT_EQ(loadWithTable({2, 4, 1, 2, 0, 0}, 4, kMuch), "");
  EXPECT_EQ(loadWithTable({2, 5, 1, 2, 0, 0}, 4, kMuch),
            "command 2 (copy_rows): expects a table of 4 entries, but got 5");
  EXPECT_EQ(loadWithTable({2, 4, 1}, 4, kMuch),
            "command 2 (copy_rows): expects a table that is written as loops");
  EXPECT_EQ(loadWithTable({2, 4, kMax, 2, 0, 0}, 4, kMuch),
            "command 2 (copy_rows): expects a table of 32-bit integers");
  // A short code of far more rows than fit into memory.
  EXPECT_EQ(loadWithTable({2, kMax, 0, 2, 0, 0}, 4, kMuch),
            "command 2 (copy_rows): expects a table of 4 entries, but got "
            "2147483647");
  EXPECT_EQ(loadWithTable({2, 1000, 1, 2, 0, 0}, 1000, 9000),
            "command 4 (copy_rows): the tables need more than the 9000 bytes "
            "that are allowed");
}

} // namespace

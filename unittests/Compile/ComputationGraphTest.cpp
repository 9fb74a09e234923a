//===- ComputationGraphTest.cpp - Dependencies of rows --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileTest.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
class ComputationGraphTest : public CompileTest {
protected:
  int64_t countKept() {
    int64_t count = 0;
    for (int32_t id = 0; id < graph->size(); ++id)
      count += graph->isKept(id);
    return count;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// The worked example of compile.md 4
//===----------------------------------------------------------------------===//

TEST_F(ComputationGraphTest, StopsARecurrenceAtTheFirstFrame) {
  parse(kRecurrentNetwork);
  addInputs("x", 0, 2);
  addOutputs("output", 2, 2);
  ASSERT_EQ(graph->compute(), ComputationGraph::Result::Done);
  EXPECT_EQ(graph->getNumGenerations(), 25);
  EXPECT_EQ(graph->size(), 38);

  // The frontier: inserted, never expanded.
  int32_t frontier = find("h_input", -3);
  ASSERT_GE(frontier, 0);
  EXPECT_FALSE(graph->isExpanded(frontier));
  EXPECT_EQ(find("h_input", -4), -1);
  for (StringRef node : {"x", "A", "h", "R"})
    EXPECT_EQ(find(node, -4), -1) << node.str();

  auto computable = [&](StringRef node, int32_t t) {
    return graph->getComputable(find(node, t));
  };
  EXPECT_EQ(computable("output", 2), Computable::Yes);
  EXPECT_EQ(computable("h", 0), Computable::Yes);
  EXPECT_EQ(computable("R", 1), Computable::Yes);
  EXPECT_EQ(computable("R", 0), Computable::No);
  EXPECT_EQ(computable("h", -1), Computable::No);
  EXPECT_EQ(computable("x", -1), Computable::No);
  EXPECT_EQ(computable("R", -1), Computable::Unknown);
}

TEST_F(ComputationGraphTest, PrunesToTheRowsThatAreUsed) {
  parse(kRecurrentNetwork);
  addInputs("x", 0, 2);
  addOutputs("output", 2, 2);
  ASSERT_EQ(graph->compute(), ComputationGraph::Result::Done);
  graph->prune();
  EXPECT_EQ(countKept(), 20);
  EXPECT_FALSE(graph->isKept(find("R", 0)));
  // IfDefined drops R(0) at the first frame.
  auto sources = [&](int32_t t) {
    std::vector<std::pair<std::string, int32_t>> names;
    for (int32_t id : graph->getDependencies(find("h_input", t))) {
      const Cindex &cindex = graph->getCindex(id);
      names.push_back({(*nodes)[cindex.node].name, cindex.index.t});
    }
    llvm::sort(names);
    return names;
  };
  using Names = std::vector<std::pair<std::string, int32_t>>;
  EXPECT_EQ(sources(0), Names({{"A", 0}}));
  EXPECT_EQ(sources(1), Names({{"A", 1}, {"R", 1}}));
}

/// With more input than needed, the recurrence starts at its beginning.
TEST_F(ComputationGraphTest, UsesWhatIsSupplied) {
  parse(kRecurrentNetwork);
  addInputs("x", -2, 2);
  addOutputs("output", 2, 2);
  ASSERT_EQ(graph->compute(), ComputationGraph::Result::Done);
  EXPECT_EQ(graph->getComputable(find("R", 0)), Computable::Yes);
  EXPECT_EQ(graph->getComputable(find("R", -2)), Computable::No);
}

TEST_F(ComputationGraphTest, KeepsInputsThatNobodyUses) {
  parse(kRecurrentNetwork);
  addInputs("x", 0, 9);
  addOutputs("output", 0, 0);
  ASSERT_EQ(graph->compute(), ComputationGraph::Result::Done);
  graph->prune();
  EXPECT_TRUE(graph->isKept(find("x", 9)));
  EXPECT_EQ(find("A", 9), -1);
}

TEST_F(ComputationGraphTest, RefusesRowsAddedTwice) {
  parse(kRecurrentNetwork);
  EXPECT_TRUE(graph->addInput(at("x", 0)));
  EXPECT_FALSE(graph->addInput(at("x", 0)));
  EXPECT_TRUE(graph->addOutput(at("output", 0)));
  EXPECT_FALSE(graph->addOutput(at("output", 0)));
}

//===----------------------------------------------------------------------===//
// Other recurrences
//===----------------------------------------------------------------------===//

constexpr const char *kEndless = R"(
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  nnet3.no_op @no_op {dim = 1}
  %prev = nnet3.offset %h, t = -1 : !nnet3.rows<1>
  %opt = nnet3.if_defined %prev : !nnet3.rows<1>
  %h = nnet3.component_node "h" @no_op(%opt) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  nnet3.output_node "output", %h : !nnet3.rows<1>
)";

TEST_F(ComputationGraphTest, GivesUpAfterManyGenerations) {
  parse(kEndless);
  addInputs("x", 0, 0);
  addOutputs("output", 0, 0);
  EXPECT_EQ(graph->compute(), ComputationGraph::Result::TooDeep);
  EXPECT_EQ(graph->getNumGenerations(), 10000);
}

/// Each row requires both neighbours, so no row is computable, and the graph
/// ends where the inputs end.
TEST_F(ComputationGraphTest, RowsThatNeedEachOtherAreNotComputable) {
  parse(R"(
    %x = nnet3.input_node "x" : !nnet3.rows<1>
    nnet3.no_op @no_op {dim = 1}
    %prev = nnet3.offset %h, t = -1 : !nnet3.rows<1>
    %next = nnet3.offset %h, t = 1 : !nnet3.rows<1>
    %sum = nnet3.sum %x, %prev, %next : !nnet3.rows<1>
    %h = nnet3.component_node "h" @no_op(%sum) : (!nnet3.rows<1>) -> !nnet3.rows<1>
    nnet3.output_node "output", %h : !nnet3.rows<1>
  )");
  addInputs("x", 0, 5);
  addOutputs("output", 2, 2);
  ASSERT_EQ(graph->compute(), ComputationGraph::Result::Done);
  EXPECT_NE(graph->getComputable(find("output", 2)), Computable::Yes);
}

//===----------------------------------------------------------------------===//
// Numbers of rows
//===----------------------------------------------------------------------===//

/// Finds inserted rows at any distance, and no other rows.
TEST(CindexTableTest, FindsWhatWasInserted) {
  CindexTable table(2);
  std::map<std::array<int32_t, 4>, int32_t> expected;
  uint64_t state = 1;
  auto random = [&](int32_t first, int32_t last) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return first + int32_t((state >> 33) % uint64_t(int64_t(last) - first + 1));
  };
  for (int32_t i = 0; i < 5000; ++i) {
    // Dense times, times far away, and n = x = -1, whose bits are all set.
    int32_t t = random(0, 9) ? random(-40, 40) : random(-2000000, 2000000);
    std::array<int32_t, 4> key = {random(0, 1), random(-2, 3), t,
                                  random(-2, 2)};
    Cindex cindex{key[0], {key[1], key[2], key[3]}};
    auto it = expected.find(key);
    EXPECT_EQ(table.find(cindex), it == expected.end() ? -1 : it->second);
    int32_t next = expected.size();
    auto [entry, isNew] = expected.try_emplace(key, next);
    EXPECT_EQ(table.findOrInsert(cindex, next), entry->second);
  }
  for (const auto &[key, id] : expected)
    EXPECT_EQ(table.find({key[0], {key[1], key[2], key[3]}}), id);
}

//===- FeedForwardTest.cpp - Graphs without recurrences -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Growing a graph node by node keeps the same rows as growing it row by row,
// and visits the reads of few rows.
//
//===----------------------------------------------------------------------===//

#include "CompileTest.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
class FeedForwardTest : public CompileTest {
protected:
  using Rows = std::vector<std::pair<Cindex, bool>>; // whether supplied

  Rows getKept(const ComputationGraph &graph) {
    Rows rows;
    for (int32_t id = 0; id < graph.size(); ++id)
      if (graph.isKept(id))
        rows.push_back({graph.getCindex(id), graph.isInput(id)});
    llvm::sort(rows);
    return rows;
  }
  std::vector<Cindex> getUsed(const ComputationGraph &graph,
                              const Cindex &cindex) {
    SmallVector<int32_t> ids;
    graph.getUsedRows(graph.find(cindex), ids);
    std::vector<Cindex> rows;
    for (int32_t id : ids)
      rows.push_back(graph.getCindex(id));
    llvm::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
  }

  /// Compares which rows of the output the two ways find computable.
  void checkComputable(function_ref<void()> addRows) {
    auto decide = [&](function_ref<bool()> run) {
      reset();
      addRows();
      EXPECT_TRUE(run());
      std::vector<std::pair<Cindex, Computable>> rows;
      for (int32_t id = 0; id < graph->size(); ++id)
        if ((*nodes)[graph->getCindex(id).node].isOutput)
          rows.push_back({graph->getCindex(id), graph->getComputable(id)});
      llvm::sort(rows);
      return rows;
    };
    auto expected = decide(
        [&] { return graph->compute() == ComputationGraph::Result::Done; });
    auto isComputable = [](const auto &row) {
      return row.second == Computable::Yes;
    };
    EXPECT_TRUE(llvm::any_of(expected, isComputable));
    EXPECT_FALSE(llvm::all_of(expected, isComputable));
    EXPECT_EQ(decide([&] { return graph->decideFeedForward(); }), expected);
  }

  void reset() { graph = std::make_unique<ComputationGraph>(*nodes); }
  void addInput(StringRef node, int32_t t, int32_t n = 0) {
    graph->addInput(at(node, t, n));
  }
  void addOutput(int32_t t, int32_t n = 0) {
    graph->addOutput(at("output", t, n));
  }

  /// Compares what the two ways make of the rows that `addRows` adds.
  void check(function_ref<void()> addRows) {
    reset();
    addRows();
    ASSERT_EQ(graph->compute(), ComputationGraph::Result::Done);
    for (int32_t id = 0; id < graph->size(); ++id)
      if ((*nodes)[graph->getCindex(id).node].isOutput)
        ASSERT_EQ(graph->getComputable(id), Computable::Yes);
    graph->prune();
    auto expected = std::move(graph);
    reset();
    addRows();
    ASSERT_TRUE(graph->computeFeedForward());
    EXPECT_EQ(getKept(*graph), getKept(*expected));
    for (const auto &[cindex, isInput] : getKept(*expected))
      EXPECT_EQ(getUsed(*graph, cindex), getUsed(*expected, cindex));
  }
};

/// Sums over time; over two of every three frames; at a fixed time; with
/// optional rows.
constexpr const char *kNetwork = R"(
  %x = nnet3.input_node "x" : !nnet3.rows<2>
  %v = nnet3.input_node "v" : !nnet3.rows<2>
  nnet3.no_op @no_op {dim = 2}
  nnet3.tdnn @tdnn {input_dim = 2, output_dim = 2, time_offsets = array<i64: -3, 0, 2>}
  %a = nnet3.component_node "a" @no_op(%x) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %later = nnet3.offset %a, t = 7 : !nnet3.rows<2>
  %next = nnet3.if_defined %later : !nnet3.rows<2>
  %fixed = nnet3.replace_index %v, t = 0 : !nnet3.rows<2>
  %sum = nnet3.sum %a, %next, %fixed : !nnet3.rows<2>
  %b = nnet3.component_node "b" @tdnn(%sum) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %back = nnet3.offset %b, t = -1 : !nnet3.rows<2>
  %switch = nnet3.switch %b, %back, %a : !nnet3.rows<2>
  %c = nnet3.component_node "c" @no_op(%switch) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %round = nnet3.round %c, 4 : !nnet3.rows<2>
  %far = nnet3.offset %c, t = 3000000 : !nnet3.rows<2>
  %or = nnet3.failover %far, %c : !nnet3.rows<2>
  %all = nnet3.append %round, %or : (!nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<4>
  nnet3.output_node "output", %all : !nnet3.rows<4>
)";
} // namespace

TEST_F(FeedForwardTest, KeepsTheSameRows) {
  parse(kNetwork);
  check([&] {
    addInput("v", 0);
    for (int32_t t = -20; t < 60; ++t)
      addInput("x", t);
    for (int32_t t = 0; t < 50; t += 3)
      addOutput(t);
  });
}

TEST_F(FeedForwardTest, KeepsTheSameRowsOfSeveralSequences) {
  parse(kNetwork);
  check([&] {
    for (int32_t n : {5, 0, 7}) {
      addInput("v", 0, n);
      for (int32_t t = -20; t < 60 - n; ++t)
        addInput("x", t, n);
      for (int32_t t = n; t < 40; t += 1 + n % 2)
        addOutput(t, n);
    }
  });
}

/// Rows at large distances are not in the tables of their neighbours.
TEST_F(FeedForwardTest, KeepsTheSameRowsFarApart) {
  parse(kNetwork);
  check([&] {
    addInput("v", 0);
    for (int32_t first : {-700000000, 0, 3000000, 100000000}) {
      for (int32_t t = -20; t < 60; ++t)
        addInput("x", first + t);
      for (int32_t t = 0; t < 20; ++t)
        addOutput(first + t);
    }
  });
}

/// The caller may supply rows of a component node.
TEST_F(FeedForwardTest, KeepsTheSameRowsBehindSuppliedOnes) {
  parse(kNetwork);
  check([&] {
    addInput("v", 0);
    for (int32_t t = -20; t < 60; ++t) {
      addInput("x", t);
      if (t % 5 == 0)
        addInput("a", t);
    }
    for (int32_t t = 0; t < 50; ++t)
      addOutput(t);
  });
}

TEST_F(FeedForwardTest, DecidesTheSameOutputs) {
  parse(kNetwork);
  checkComputable([&] {
    for (int32_t n : {5, 0}) {
      addInput("v", 0, n);
      for (int32_t t = -3; t < 40; ++t)
        if (t % 11 != 4)
          addInput("x", t, n);
      for (int32_t t = -10; t < 50; ++t)
        addOutput(t, n);
    }
  });
}

TEST_F(FeedForwardTest, LeavesTheRestToTheOtherWay) {
  parse(kRecurrentNetwork);
  addInputs("x", 0, 2);
  addOutputs("output", 2, 2);
  EXPECT_FALSE(graph->computeFeedForward());
  EXPECT_EQ(graph->size(), 4);

  // An output that is not computable.
  parse(kFeedForwardNetwork);
  addInputs("input", 0, 2);
  addOutputs("output", 0, 2);
  EXPECT_FALSE(graph->computeFeedForward());
  EXPECT_EQ(graph->compute(), ComputationGraph::Result::Done);
  EXPECT_EQ(graph->getComputable(find("output", 0)), Computable::No);
  EXPECT_EQ(graph->getComputable(find("output", 1)), Computable::Yes);
}

//===----------------------------------------------------------------------===//
// Amount of work
//===----------------------------------------------------------------------===//

/// If all rows have the same reads apart from a shift in time, few rows are
/// visited, whatever the number of frames.
TEST_F(FeedForwardTest, AsksAFewRowsOnly) {
  parse(kFeedForwardNetwork);
  auto count = [&](int32_t frames) {
    reset();
    addInputs("input", -1, frames);
    addOutputs("output", 0, frames);
    EXPECT_TRUE(graph->computeFeedForward());
    EXPECT_GT(graph->size(), 5 * frames);
    return graph->getNumEvaluations();
  };
  EXPECT_LE(count(100), 2 * nodes->size());
  EXPECT_EQ(count(100000), count(100));
}

/// Otherwise the work is proportional to the number of rows.
TEST_F(FeedForwardTest, AsksEachRowAFewTimesOtherwise) {
  auto countRecurrent = [&](int32_t frames) {
    reset();
    addInputs("x", 0, frames);
    addOutputs("output", 0, frames);
    EXPECT_EQ(graph->compute(), ComputationGraph::Result::Done);
    return graph->getNumEvaluations();
  };
  parse(kRecurrentNetwork);
  EXPECT_LE(countRecurrent(1000), 11 * countRecurrent(100));

  auto countOptional = [&](int32_t frames) {
    reset();
    addInput("v", 0);
    addInputs("x", -30, frames);
    addOutputs("output", 0, frames - 10);
    EXPECT_TRUE(graph->computeFeedForward());
    return graph->getNumEvaluations();
  };
  parse(kNetwork);
  EXPECT_LE(countOptional(10000), 11 * countOptional(1000));
}

/// Windows of statistics, and a convolution with optional times.
static std::string getStatistics(StringRef periods, StringRef windows) {
  return (R"(
  %x = nnet3.input_node "x" : !nnet3.rows<2>
  nnet3.time_height_convolution @cnn {num_filters_in = 1, num_filters_out = 1, height_in = 2, height_out = 2, offsets = array<i64: -2, 0, 0, 0, 3, 0>, required_time_offsets = array<i64: 0>}
  nnet3.statistics_extraction @extraction {input_dim = 2, )" +
          periods + R"(}
  nnet3.statistics_pooling @pooling {input_dim = 5, )" +
          windows + R"(}
  nnet3.no_op @no_op {dim = 2}
  %a = nnet3.component_node "a" @no_op(%x) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %b = nnet3.component_node "b" @cnn(%a) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %later = nnet3.offset %a, t = 1 : !nnet3.rows<2>
  %sum = nnet3.sum %b, %later : !nnet3.rows<2>
  %e = nnet3.component_node "e" @extraction(%sum) : (!nnet3.rows<2>) -> !nnet3.rows<5>
  %p = nnet3.component_node "p" @pooling(%e) : (!nnet3.rows<5>) -> !nnet3.rows<4>
  %round = nnet3.round %p, 6 : !nnet3.rows<4>
  %all = nnet3.append %round, %a : (!nnet3.rows<4>, !nnet3.rows<2>) -> !nnet3.rows<6>
  nnet3.output_node "output", %all : !nnet3.rows<6>
)")
      .str();
}

TEST_F(FeedForwardTest, KeepsTheSameRowsOfStatistics) {
  const std::pair<StringRef, StringRef> settings[] = {
      {"output_period = 1", "left_context = 0, right_context = 100"},
      {"input_period = 2, output_period = 6",
       "input_period = 6, left_context = 12, right_context = 6"},
      {"output_period = 3",
       "input_period = 3, left_context = 30, right_context = 0"}};
  for (auto [periods, windows] : settings) {
    parse(getStatistics(periods, windows));
    check([&] {
      for (int32_t n : {0, 4})
        for (int32_t t = -5; t < 40 + n; ++t)
          if (t % 7 != 3 || t % 6 == 0 || t % 6 == 1)
            addInput("x", t, n);
      for (int32_t n : {0, 4})
        for (int32_t t = n; t < 36; t += 1 + n % 3)
          if (t % 7 != 3 || t % 6 == 0 || t % 6 == 1)
            addOutput(t, n);
    });
  }
}

TEST_F(FeedForwardTest, DecidesTheSameOutputsOfStatistics) {
  parse(
      getStatistics("output_period = 3",
                    "input_period = 3, left_context = 30, right_context = 6"));
  checkComputable([&] {
    for (int32_t t = 0; t < 12; ++t)
      addInput("x", t);
    for (int32_t t = -20; t < 60; ++t)
      addOutput(t);
  });
}

/// Frames that cannot exist are not visited, however wide the window is.
TEST_F(FeedForwardTest, WideWindowsCostNothing) {
  parse(getStatistics("output_period = 1",
                      "left_context = 6000, right_context = 10000000"));
  for (int32_t t = 0; t < 100; ++t)
    addInput("x", t);
  for (int32_t t = 0; t < 96; ++t)
    addOutput(t);
  ASSERT_TRUE(graph->computeFeedForward());
  EXPECT_LT(graph->size(), 1200);
}

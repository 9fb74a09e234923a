//===- NodeTableTest.cpp - The nodes of a network, numbered ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileTest.h"

#include "nnet3/Compile/ComputationGraph.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
class NodeTableTest : public CompileTest {
protected:
  /// The network of one input and one output, whose descriptor is %d.
  const SumExpr &parseDescriptor(const std::string &ops) {
    parse("%a = nnet3.input_node \"a\" : !nnet3.rows<1>\n"
          "%b = nnet3.input_node \"b\" : !nnet3.rows<1>\n" +
          ops + "\nnnet3.output_node \"output\", %d : !nnet3.rows<1>\n");
    return (*nodes)[nodes->find("output")].parts.front().sum;
  }

  std::string str(const Cindex &cindex) {
    return (*nodes)[cindex.node].name + "(" + CompileTest::str(cindex.index) +
           ")";
  }
  std::string map(const SumExpr &sum, Index index) {
    return str(sum.forward.map(index).first);
  }
};
} // namespace

TEST_F(NodeTableTest, NumbersNodesAsKaldiDoes) {
  parse(kRecurrentNetwork);
  std::string names;
  for (const Node &node : nodes->getNodes())
    names += node.name + " ";
  EXPECT_EQ(names, "x A_input A h_input h R_input R output ");
  EXPECT_EQ(nodes->find("h"), 4);
  EXPECT_EQ(nodes->find("h_input"), -1);
  EXPECT_EQ((*nodes)[3].isComponentInput(), true);
  EXPECT_EQ((*nodes)[7].isComponentInput(), false);
  EXPECT_EQ((*nodes)[1].dim, 4);
  EXPECT_EQ((*nodes)[2].dim, 3);
}

/// Outermost operator first; see the examples of descriptors.md 6.1.
TEST_F(NodeTableTest, MapsOutermostFirst) {
  const SumExpr &outer = parseDescriptor(R"(
    %0 = nnet3.round %a, 4 : !nnet3.rows<1>
    %d = nnet3.offset %0, t = -1 : !nnet3.rows<1>
  )");
  EXPECT_EQ(map(outer, {0, 6, 0}), "a(4)");
  const SumExpr &inner = parseDescriptor(R"(
    %0 = nnet3.offset %a, t = -1 : !nnet3.rows<1>
    %d = nnet3.round %0, 4 : !nnet3.rows<1>
  )");
  EXPECT_EQ(map(inner, {0, 6, 0}), "a(3)");
}

TEST_F(NodeTableTest, RoundsDownAndSwitchesNegativeTimes) {
  const SumExpr &round =
      parseDescriptor("%d = nnet3.round %a, 4 : !nnet3.rows<1>");
  EXPECT_EQ(map(round, {0, -1, 0}), "a(-4)");
  EXPECT_EQ(map(round, {0, -4, 0}), "a(-4)");
  const SumExpr &choice =
      parseDescriptor("%d = nnet3.switch %a, %b, %b : !nnet3.rows<1>");
  EXPECT_EQ(map(choice, {0, -3, 0}), "a(-3)");
  EXPECT_EQ(map(choice, {0, -1, 0}), "b(-1)");
}

/// Clockwork: the nearest multiple of 3, for t = -3..2.
TEST_F(NodeTableTest, Clockwork) {
  const SumExpr &sum = parseDescriptor(R"(
    %0 = nnet3.offset %a, t = 1 : !nnet3.rows<1>
    %1 = nnet3.offset %a, t = -1 : !nnet3.rows<1>
    %d = nnet3.switch %a, %0, %1 : !nnet3.rows<1>
  )");
  std::string text;
  for (int32_t t = -3; t <= 2; ++t)
    text += map(sum, {0, t, 0}) + " ";
  EXPECT_EQ(text, "a(-3) a(-1) a(-2) a(0) a(2) a(1) ");
}

TEST_F(NodeTableTest, ReplacesIndexes) {
  EXPECT_EQ(map(parseDescriptor(
                    "%d = nnet3.replace_index %a, t = 7 : !nnet3.rows<1>"),
                {2, 5, 3}),
            "a((2, 7, 3))");
  EXPECT_EQ(map(parseDescriptor(
                    "%d = nnet3.replace_index %a, x = 7 : !nnet3.rows<1>"),
                {2, 5, 3}),
            "a((2, 5, 7))");
}

/// Times at the limits of 32 bits do not overflow to blank rows.
TEST_F(NodeTableTest, TimesDoNotWrapAround) {
  const SumExpr &sum =
      parseDescriptor("%d = nnet3.offset %a, t = -2147483647 : !nnet3.rows<1>");
  Index index = sum.forward.map({0, -10, 0}).first.index;
  EXPECT_EQ(index.t, kNoTime + 2);
  EXPECT_EQ(sum.forward.map(index).first.index.t, kNoTime + 2);
  const SumExpr &round =
      parseDescriptor("%d = nnet3.round %a, 2147483647 : !nnet3.rows<1>");
  EXPECT_EQ(round.forward.map({0, -2147483646, 0}).first.index.t, -2147483646);
}

//===----------------------------------------------------------------------===//
// Computability
//===----------------------------------------------------------------------===//

TEST_F(NodeTableTest, OptionalTerms) {
  const SumExpr &sum = parseDescriptor(R"(
    %0 = nnet3.sum %a, %b : !nnet3.rows<1>
    %1 = nnet3.if_defined %0 : !nnet3.rows<1>
    %2 = nnet3.failover %b, %a : !nnet3.rows<1>
    %d = nnet3.sum %1, %2 : !nnet3.rows<1>
  )");
  SmallVector<Cindex> dependencies;
  sum.getDependencies({0, 1, 0}, dependencies);
  std::string text;
  for (const Cindex &cindex : dependencies)
    text += str(cindex) + " ";
  EXPECT_EQ(text, "a(1) b(1) b(1) a(1) ");
  EXPECT_FALSE(sum.needsAllDependencies());

  auto terms = [&](bool hasA, bool hasB) -> std::string {
    SmallVector<Term> list;
    bool computable = sum.isComputable(
        {0, 1, 0},
        [&](const Cindex &cindex) {
          return (*nodes)[cindex.node].name == "a" ? hasA : hasB;
        },
        &list);
    std::string names = computable ? "" : "not computable";
    for (const Term &term : list)
      names += (*nodes)[term.source.node].name;
    return names;
  };
  EXPECT_EQ(terms(true, true), "abb");
  EXPECT_EQ(terms(true, false), "a");
  EXPECT_EQ(terms(false, true), "b");
  EXPECT_EQ(terms(false, false), "not computable");
}

TEST_F(NodeTableTest, ConstantsAndScales) {
  const SumExpr &sum = parseDescriptor(R"(
    %0 = nnet3.const 1.5 : !nnet3.rows<1>
    %1 = nnet3.sum %a, %0 : !nnet3.rows<1>
    %2 = nnet3.scale -2.0, %1 : !nnet3.rows<1>
    %3 = nnet3.const 0.25 : !nnet3.rows<1>
    %d = nnet3.sum %2, %3, %b : !nnet3.rows<1>
  )");
  EXPECT_EQ(sum.getConstant(), -2.75f);
  EXPECT_TRUE(sum.needsAllDependencies());
  SmallVector<Term> terms;
  EXPECT_TRUE(
      sum.isComputable({}, [](const Cindex &) { return true; }, &terms));
  ASSERT_EQ(terms.size(), 2u);
  EXPECT_EQ(terms[0].alpha, -2.0f);
  EXPECT_EQ(terms[1].alpha, 1.0f);
}

TEST_F(NodeTableTest, Modulus) {
  parseDescriptor(R"(
    %0 = nnet3.round %a, 4 : !nnet3.rows<1>
    %1 = nnet3.switch %0, %b, %a : !nnet3.rows<1>
    %2 = nnet3.replace_index %b, t = 0 : !nnet3.rows<1>
    %d = nnet3.sum %1, %2 : !nnet3.rows<1>
  )");
  EXPECT_EQ(nodes->getModulus(), 12);
}

TEST_F(NodeTableTest, WithoutOptionalReads) {
  const SumExpr &sum = parseDescriptor(R"(
    %0 = nnet3.if_defined %b : !nnet3.rows<1>
    %d = nnet3.sum %a, %0 : !nnet3.rows<1>
  )");
  EXPECT_FALSE(sum.needsAllDependencies());
  NodeTable needed = nodes->withoutOptionalReads();
  const Node &output = needed[needed.find("output")];
  EXPECT_TRUE(output.needsAllDependencies);
  SmallVector<Cindex> sources;
  output.parts.front().sum.getDependencies({}, sources);
  ASSERT_EQ(sources.size(), 1u);
  EXPECT_EQ(str(sources.front()), "a(0)");
}

TEST_F(NodeTableTest, RecurrencesAreOptionalReads) {
  parse(kRecurrentNetwork);
  auto decide = [](const NodeTable &table) {
    ComputationGraph graph(table);
    for (int32_t t = 0; t < 3; ++t)
      graph.addInput({table.find("x"), {0, t, 0}});
    graph.addOutput({table.find("output"), {0, 1, 0}});
    return graph.decideFeedForward();
  };
  EXPECT_FALSE(decide(*nodes));
  EXPECT_TRUE(decide(nodes->withoutOptionalReads()));
}

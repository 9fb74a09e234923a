//===- ContextTest.cpp - Frames of context that a network needs -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileTest.h"

#include "nnet3/Compile/Context.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
class ContextTest : public CompileTest {
protected:
  /// `left right modulus`, or the error.
  std::string context_(const std::string &network) {
    parse(network);
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message += diagnostic.str();
      return success();
    });
    FailureOr<NetworkContext> result = computeContext(getNetwork(), *nodes);
    if (failed(result))
      return message;
    return std::to_string(result->left) + " " + std::to_string(result->right) +
           " " + std::to_string(result->modulus);
  }

  /// An output that is the descriptor %d, given the ops that make it.
  std::string descriptor(const std::string &ops) {
    return context_(R"(%x = nnet3.input_node "input" : !nnet3.rows<1>)"
                    "\n" +
                    ops +
                    "\nnnet3.output_node \"output\", %d : !nnet3.rows<1>\n");
  }

  /// An output that is the op `op` of the input at two offsets.
  std::string twoOffsets(const std::string &op, int first, int second) {
    auto offset = [](int t) {
      return "nnet3.offset %x, t = " + std::to_string(t) +
             " : !nnet3.rows<1>\n";
    };
    return descriptor("%0 = " + offset(first) + "%1 = " + offset(second) +
                      "%d = nnet3." + op + " %0, %1 : !nnet3.rows<1>");
  }
};
} // namespace

TEST_F(ContextTest, Offsets) {
  EXPECT_EQ(descriptor("%d = nnet3.offset %x, t = -3 : !nnet3.rows<1>"),
            "3 0 1");
  EXPECT_EQ(twoOffsets("sum", -2, 5), "2 5 1");
}

/// The largest context of all cases, for any phase of the window.
TEST_F(ContextTest, Switch) { EXPECT_EQ(twoOffsets("switch", -2, 3), "2 3 2"); }

TEST_F(ContextTest, Round) {
  EXPECT_EQ(descriptor("%d = nnet3.round %x, 3 : !nnet3.rows<1>"), "2 0 3");
}

/// Optional terms do not count.
TEST_F(ContextTest, OptionalTerms) {
  EXPECT_EQ(descriptor(R"(
    %0 = nnet3.offset %x, t = -9 : !nnet3.rows<1>
    %1 = nnet3.if_defined %0 : !nnet3.rows<1>
    %2 = nnet3.offset %x, t = 9 : !nnet3.rows<1>
    %3 = nnet3.failover %2, %x : !nnet3.rows<1>
    %d = nnet3.sum %1, %3 : !nnet3.rows<1>
  )"),
            "0 0 1");
}

TEST_F(ContextTest, Recurrence) {
  std::string network = kRecurrentNetwork;
  network.replace(network.find("\"x\""), 3, "\"input\"");
  EXPECT_EQ(context_(network), "0 0 1");
}

/// The TDNN of the recipes: Append(-1, 0, 1), then offsets {-1, 0, 1},
/// {-3, 0, 3}, {-3, 0, 3}; the i-vector at t = 0 does not count.
TEST_F(ContextTest, Tdnn) {
  EXPECT_EQ(context_(R"(
    %input = nnet3.input_node "input" : !nnet3.rows<2>
    %ivector = nnet3.input_node "ivector" : !nnet3.rows<3>
    %0 = nnet3.offset %input, t = -1 : !nnet3.rows<2>
    %1 = nnet3.offset %input, t = 1 : !nnet3.rows<2>
    %2 = nnet3.replace_index %ivector, t = 0 : !nnet3.rows<3>
    %3 = nnet3.append %0, %input, %1, %2 : (!nnet3.rows<2>, !nnet3.rows<2>, !nnet3.rows<2>, !nnet3.rows<3>) -> !nnet3.rows<9>
    nnet3.affine @affine {input_dim = 9, output_dim = 2}
    %a = nnet3.component_node "a" @affine(%3) : (!nnet3.rows<9>) -> !nnet3.rows<2>
    nnet3.tdnn @tdnn1 {input_dim = 2, output_dim = 2, time_offsets = array<i64: -1, 0, 1>}
    %b = nnet3.component_node "b" @tdnn1(%a) : (!nnet3.rows<2>) -> !nnet3.rows<2>
    nnet3.tdnn @tdnn3 {input_dim = 2, output_dim = 2, time_offsets = array<i64: -3, 0, 3>}
    %c = nnet3.component_node "c" @tdnn3(%b) : (!nnet3.rows<2>) -> !nnet3.rows<2>
    %e = nnet3.component_node "e" @tdnn3(%c) : (!nnet3.rows<2>) -> !nnet3.rows<2>
    nnet3.output_node "output", %e : !nnet3.rows<2>
  )"),
            "8 8 1");
}

/// Wider than the first search window of 40 frames.
TEST_F(ContextTest, WideContext) {
  EXPECT_EQ(twoOffsets("sum", -30, 30), "30 30 1");
}

/// Windows of statistics that are much wider than those of the search.
TEST_F(ContextTest, WideStatistics) {
  EXPECT_EQ(context_(R"(
    %x = nnet3.input_node "input" : !nnet3.rows<2>
    nnet3.tdnn @tdnn {input_dim = 2, output_dim = 2, time_offsets = array<i64: -4, 0, 3>}
    nnet3.statistics_extraction @extraction {input_dim = 2}
    nnet3.statistics_pooling @pooling {input_dim = 5, left_context = 0, right_context = 10000000}
    %a = nnet3.component_node "a" @tdnn(%x) : (!nnet3.rows<2>) -> !nnet3.rows<2>
    %e = nnet3.component_node "e" @extraction(%a) : (!nnet3.rows<2>) -> !nnet3.rows<5>
    %p = nnet3.component_node "p" @pooling(%e) : (!nnet3.rows<5>) -> !nnet3.rows<4>
    nnet3.output_node "output", %p : !nnet3.rows<4>
  )"),
            "0 3 1");
}

TEST_F(ContextTest, Errors) {
  EXPECT_EQ(context_(R"(
    %x = nnet3.input_node "x" : !nnet3.rows<1>
    nnet3.output_node "output", %x : !nnet3.rows<1>
  )"),
            "the network has no input node 'input'");
  EXPECT_EQ(context_(R"(
    %x = nnet3.input_node "input" : !nnet3.rows<1>
    nnet3.output_node "y", %x : !nnet3.rows<1>
  )"),
            "the network has no output node 'output'");
  EXPECT_EQ(context_(R"(
    %x = nnet3.input_node "input" : !nnet3.rows<1>
    %y = nnet3.input_node "speaker" : !nnet3.rows<1>
    nnet3.output_node "output", %x : !nnet3.rows<1>
  )"),
            "expects no other inputs than 'input' and 'ivector', but got "
            "'speaker'");
  EXPECT_EQ(descriptor("%d = nnet3.offset %x, t = -1000 : !nnet3.rows<1>"),
            "cannot find the network's context: no output is computable from "
            "640 frames of input");
}

//===- PhasesTest.cpp - The order in which rows are computed --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileTest.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
class PhasesTest : public CompileTest {};
} // namespace

/// compile.md 5: A, outside the recurrence, is one phase for all times; the
/// recurrence has one phase per row.
TEST_F(PhasesTest, LevelsARecurrence) {
  parse(kRecurrentNetwork, R"(
    nnet3.request_input "x" <t = 0:2>
    nnet3.request_output "output" <t = 0:2>
  )");
  runPhases();
  EXPECT_EQ(strPhases(), "x: 0 1 2\n"
                         "A_input: 0 1 2\n"
                         "A: 0 1 2\n"
                         "h_input: 0\n"
                         "h: 0\n"
                         "R_input: 1\n"
                         "R: 1\n"
                         "h_input: 1\n"
                         "h: 1\n"
                         "R_input: 2\n"
                         "R: 2\n"
                         "h_input: 2\n"
                         "h: 2\n"
                         "output: 0 1 2\n");
}

/// Sequences and independent times of a recurrence share a phase.
TEST_F(PhasesTest, JoinsRowsThatAreReadyTogether) {
  parse(R"(
    %x = nnet3.input_node "x" : !nnet3.rows<1>
    nnet3.no_op @no_op {dim = 1}
    %prev = nnet3.offset %h, t = -2 : !nnet3.rows<1>
    %opt = nnet3.if_defined %prev : !nnet3.rows<1>
    %sum = nnet3.sum %x, %opt : !nnet3.rows<1>
    %h = nnet3.component_node "h" @no_op(%sum) : (!nnet3.rows<1>) -> !nnet3.rows<1>
    nnet3.output_node "output", %h : !nnet3.rows<1>
  )",
        R"(
    nnet3.request_input "x" <n = 1:2, t = 0:2>
    nnet3.request_output "output" <n = 1:2, t = 2>
  )");
  runPhases();
  EXPECT_EQ(strPhases(), "x: (1, 0) (2, 0) (1, 1) (2, 1) (1, 2) (2, 2)\n"
                         "h_input: (1, 0) (2, 0)\n"
                         "h: (1, 0) (2, 0)\n"
                         "h_input: (1, 2) (2, 2)\n"
                         "h: (1, 2) (2, 2)\n"
                         "output: (1, 2) (2, 2)\n");
}

/// Every row depends on its neighbours; all are computable, but none can be
/// first.
TEST_F(PhasesTest, RejectsRowsThatWaitForEachOther) {
  parse(R"(
    %x = nnet3.input_node "x" : !nnet3.rows<1>
    nnet3.no_op @no_op {dim = 1}
    %prev = nnet3.offset %h, t = -1 : !nnet3.rows<1>
    %a = nnet3.if_defined %prev : !nnet3.rows<1>
    %next = nnet3.offset %h, t = 1 : !nnet3.rows<1>
    %b = nnet3.if_defined %next : !nnet3.rows<1>
    %sum = nnet3.sum %x, %a, %b : !nnet3.rows<1>
    %h = nnet3.component_node "h" @no_op(%sum) : (!nnet3.rows<1>) -> !nnet3.rows<1>
    nnet3.output_node "output", %h : !nnet3.rows<1>
  )");
  addInputs("x", 0, 2);
  addOutputs("output", 0, 2);
  ASSERT_EQ(graph->compute(), ComputationGraph::Result::Done);
  EXPECT_EQ(graph->getComputable(find("output", 1)), Computable::Yes);
  graph->prune();
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message += diagnostic.str();
    return success();
  });
  EXPECT_TRUE(failed(computePhases(*graph, getNetwork().getLoc())));
  EXPECT_NE(message.find("recurrence cannot be computed"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Epochs
//===----------------------------------------------------------------------===//

TEST_F(PhasesTest, OrdersStronglyConnectedNodes) {
  parse(kRecurrentNetwork);
  NodeEpochs epochs = computeEpochs(*nodes);
  std::string text;
  for (ArrayRef<int32_t> members : epochs.nodes) {
    for (int32_t node : members)
      text += (*nodes)[node].name + " ";
    text += "| ";
  }
  EXPECT_EQ(text, "x | A_input | A | h_input h R_input R | output | ");
  for (size_t epoch = 0; epoch < epochs.nodes.size(); ++epoch)
    for (int32_t node : epochs.nodes[epoch])
      EXPECT_EQ(epochs.epochOf[node], int32_t(epoch));
}

/// A node may be declared before those it reads; the order follows the reads.
TEST_F(PhasesTest, OrdersNodesDeclaredBackwards) {
  parse(R"(
    nnet3.output_node "output", %b : !nnet3.rows<1>
    nnet3.no_op @no_op {dim = 1}
    %b = nnet3.component_node "b" @no_op(%a) : (!nnet3.rows<1>) -> !nnet3.rows<1>
    %a = nnet3.component_node "a" @no_op(%x) : (!nnet3.rows<1>) -> !nnet3.rows<1>
    %x = nnet3.input_node "x" : !nnet3.rows<1>
  )",
        R"(
    nnet3.request_input "x" <t = 0>
    nnet3.request_output "output" <t = 0>
  )");
  runPhases();
  EXPECT_EQ(strPhases(), "x: 0\na_input: 0\na: 0\nb_input: 0\nb: 0\n"
                         "output: 0\n");
}

//===- CompileTest.h - Common parts of the compiler tests -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_COMPILE_COMPILETEST_H
#define NNET3_UNITTESTS_COMPILE_COMPILETEST_H

#include "nnet3/Compile/Steps.h"
#include "nnet3/Dialect/Nnet3/IR/CommandOps.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <optional>

namespace mlir::nnet3 {

/// Runs a network, and possibly a request, through the stages of compilation.
/// Text form of rows: `t` for n = 0 and x = 0, else `(n, t)` or `(n, t, x)`;
/// `_` for blank.
class CompileTest : public ::testing::Test {
protected:
  CompileTest() { context.loadDialect<Nnet3Dialect, memref::MemRefDialect>(); }

  /// Parses the bodies of network @net and, if given, of request @request.
  void parse(const std::string &network, const std::string &request = "") {
    std::string text = "nnet3.network @net {\n" + network + "}\n";
    if (!request.empty())
      text += "nnet3.request @request for @net {\n" + request + "}\n";
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    FailureOr<NodeTable> table = NodeTable::get(getNetwork());
    ASSERT_TRUE(succeeded(table));
    nodes = std::make_unique<NodeTable>(std::move(*table));
    graph = std::make_unique<ComputationGraph>(*nodes);
  }

  NetworkOp getNetwork() { return *module->getOps<NetworkOp>().begin(); }
  RequestOp getRequest() { return *module->getOps<RequestOp>().begin(); }

  /// Finds a row, also of the inputs of component nodes by Kaldi's name
  /// `<node>_input`.
  Cindex at(StringRef node, int32_t t, int32_t n = 0, int32_t x = 0) {
    for (int32_t i = 0; i < nodes->size(); ++i)
      if ((*nodes)[i].name == node)
        return {i, {n, t, x}};
    ADD_FAILURE() << "no node " << node.str();
    return {};
  }
  int32_t find(StringRef node, int32_t t, int32_t n = 0) {
    return graph->find(at(node, t, n));
  }
  void addInputs(StringRef node, int32_t first, int32_t last) {
    for (int32_t t = first; t <= last; ++t)
      EXPECT_TRUE(graph->addInput(at(node, t)));
  }
  void addOutputs(StringRef node, int32_t first, int32_t last) {
    for (int32_t t = first; t <= last; ++t)
      EXPECT_TRUE(graph->addOutput(at(node, t)));
  }

  /// Compiles the request up to its phases; computeSteps() continues up to its
  /// steps.
  void runPhases(bool fold = false) {
    FailureOr<RequestRows> read = readRequest(getRequest(), *nodes, fold);
    ASSERT_TRUE(succeeded(read));
    rows = std::move(*read);
    for (const IoRows &io : rows.inputs)
      for (const Index &index : io.rows.rows)
        graph->addInput({io.node, index});
    for (const IoRows &io : rows.outputs)
      for (const Index &index : io.rows.rows)
        graph->addOutput({io.node, index});
    ASSERT_EQ(graph->compute(), ComputationGraph::Result::Done);
    graph->prune();
    FailureOr<Phases> result = computePhases(*graph, getRequest().getLoc());
    ASSERT_TRUE(succeeded(result));
    phases = std::move(*result);
  }
  void runSteps(bool fold = false) {
    runPhases(fold);
    FailureOr<StepList> result = computeSteps(*graph, phases, rows);
    ASSERT_TRUE(succeeded(result));
    steps = std::move(*result);
  }

  std::string str(const Index &index) {
    if (index.n == 0 && index.x == 0 && !index.isBlank())
      return std::to_string(index.t);
    std::string text;
    llvm::raw_string_ostream(text) << index;
    return text;
  }
  std::string str(ArrayRef<Index> list) {
    std::string text;
    for (const Index &index : list)
      text += (text.empty() ? "" : " ") + str(index);
    return text;
  }
  /// Returns `node: rows` of every step, one per line.
  std::string strSteps() {
    std::string text;
    for (const Step &step : steps.steps)
      text += (*nodes)[step.node].name + ": " + str(step.rows.expand()) + "\n";
    return text;
  }
  /// Returns `node: rows` of every sub-phase, those of one phase on one line.
  std::string strPhases() {
    std::string text;
    int32_t phase = -1;
    for (const SubPhase &subPhase : phases.subPhases) {
      SmallVector<Index> indexes;
      for (int32_t id : phases.getIds(subPhase))
        indexes.push_back(graph->getCindex(id).index);
      if (!text.empty())
        text += subPhase.phase == phase ? " | " : "\n";
      text += (*nodes)[subPhase.node].name + ": " + str(indexes);
      phase = subPhase.phase;
    }
    return text + "\n";
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<NodeTable> nodes;
  std::unique_ptr<ComputationGraph> graph;
  RequestRows rows;
  Phases phases;
  StepList steps;
};

/// An affine layer of two frames and a rectifier (compile.md 6.3, 9.1).
constexpr const char *kFeedForwardNetwork = R"(
  %input = nnet3.input_node "input" : !nnet3.rows<3>
  nnet3.affine @affine {input_dim = 6, output_dim = 4}
  %0 = nnet3.offset %input, t = -1 : !nnet3.rows<3>
  %1 = nnet3.append %0, %input : (!nnet3.rows<3>, !nnet3.rows<3>) -> !nnet3.rows<6>
  %h = nnet3.component_node "h" @affine(%1) : (!nnet3.rows<6>) -> !nnet3.rows<4>
  nnet3.rectified_linear @relu {dim = 4}
  %r = nnet3.component_node "r" @relu(%h) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %r : !nnet3.rows<4>
)";

/// A recurrence through a slice of columns of an affine component's output
/// (compile.md 6.5).
constexpr const char *kDimRangeNetwork = R"(
  %x = nnet3.input_node "x" : !nnet3.rows<2>
  nnet3.affine @affine {input_dim = 5, output_dim = 4}
  %0 = nnet3.offset %r, t = -1 : !nnet3.rows<3>
  %1 = nnet3.if_defined %0 : !nnet3.rows<3>
  %2 = nnet3.append %x, %1 : (!nnet3.rows<2>, !nnet3.rows<3>) -> !nnet3.rows<5>
  %w = nnet3.component_node "W" @affine(%2) : (!nnet3.rows<5>) -> !nnet3.rows<4>
  %r = nnet3.dim_range_node "r" %w offset 0 : !nnet3.rows<4> -> !nnet3.rows<3>
  nnet3.output_node "output", %w : !nnet3.rows<4>
)";

/// Kaldi's recurrence: h = tanh(Sum(A, IfDefined(R))), A an affine of x, R an
/// affine of Offset(h, -1) (compile.md 4).
constexpr const char *kRecurrentNetwork = R"(
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.affine @affine_a {input_dim = 4, output_dim = 3}
  %a = nnet3.component_node "A" @affine_a(%x) : (!nnet3.rows<4>) -> !nnet3.rows<3>
  nnet3.tanh @tanh {dim = 3}
  %opt = nnet3.if_defined %r : !nnet3.rows<3>
  %sum = nnet3.sum %a, %opt : !nnet3.rows<3>
  %h = nnet3.component_node "h" @tanh(%sum) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  nnet3.affine @affine_r {input_dim = 3, output_dim = 3}
  %prev = nnet3.offset %h, t = -1 : !nnet3.rows<3>
  %r = nnet3.component_node "R" @affine_r(%prev) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  nnet3.output_node "output", %h : !nnet3.rows<3>
)";

} // namespace mlir::nnet3

#endif // NNET3_UNITTESTS_COMPILE_COMPILETEST_H

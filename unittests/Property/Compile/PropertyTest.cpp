//===- PropertyTest.cpp - Random networks against their definition --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each case is a random network and a request. Results of the compiler and the
// runtime are compared with the reference evaluator.
//
//===----------------------------------------------------------------------===//

#include "PropertyTest.h"

#include "nnet3/Compile/ComputationGraph.h"

#include <cmath>

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;

namespace {

/// Returns true if sequences appear in the order of their numbers.
bool hasSortedSequences(const std::vector<Index> &rows) {
  std::vector<int32_t> sequences;
  for (const Index &index : rows)
    if (!llvm::is_contained(sequences, index.n))
      sequences.push_back(index.n);
  return llvm::is_sorted(sequences);
}

bool isEndless(const Compiled &compiled) {
  return compiled.diagnostics.find("does not end") != std::string::npos;
}

/// Rows that may read themselves, or rows without end, can make Kaldi's
/// algorithm go on for ever, also where they are not needed in the end.
bool mayBeEndless(const Case &test, const ReferenceEvaluator &evaluator) {
  return evaluator.mayReadItself() ||
         evaluator.mayReadEndlessly(test.getWanted(evaluator));
}

void expectClose(const Outputs &actual, const Outputs &expected,
                 double tolerance) {
  ASSERT_EQ(actual.error, "");
  ASSERT_EQ(actual.values.size(), expected.values.size());
  for (const auto &[node, values] : expected.values) {
    auto it = actual.values.find(node);
    ASSERT_NE(it, actual.values.end()) << node;
    ASSERT_EQ(it->second.size(), values.size()) << node;
    for (size_t i = 0; i < values.size(); ++i)
      ASSERT_NEAR(it->second[i], values[i],
                  tolerance + tolerance * std::abs(values[i]))
          << node << ", element " << i;
  }
}

} // namespace

/// The rows of the generators equal the rows in their text.
TEST_F(PropertyTest, RequestsListTheirRows) {
  forEachCase([](const Case &test) {
    std::map<std::string, std::vector<Index>> rows;
    for (mlir::Operation &op : test.getRequestOp().getBody().front()) {
      auto list = op.getAttrOfType<IndexesAttr>("indexes").expand();
      rows[op.getAttrOfType<mlir::StringAttr>("name").str()].assign(
          list.begin(), list.end());
    }
    for (const auto *list :
         {&test.getRequest().inputs, &test.getRequest().outputs})
      for (const RandomIo &io : *list)
        EXPECT_EQ(rows[io.node], io.rows) << io.node;
  });
}

/// All component types and descriptor ops occur in two hundred cases.
TEST_F(PropertyTest, CasesCoverAllOps) {
  std::set<std::string> seen, missing;
  int numOps = 0;
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  for (uint64_t seed = 1; seed <= 200; ++seed)
    Case::generate(*context, seed)
        ->getNetworkOp()
        .walk([&](mlir::Operation *op) {
          seen.insert(op->getName().stripDialect().str());
        });
  for (mlir::RegisteredOperationName name :
       context->getRegisteredOperations()) {
    bool isComponent = name.hasInterface<ComponentOpInterface>();
    bool isDescriptor = name.hasTrait<NetworkPhase>() &&
                        name.hasTrait<mlir::OpTrait::OneResult>();
    numOps += isComponent || isDescriptor;
    if ((isComponent || isDescriptor) && !seen.count(name.stripDialect().str()))
      missing.insert(name.stripDialect().str());
  }
  EXPECT_GE(numOps, 42);
  EXPECT_TRUE(missing.empty()) << ::testing::PrintToString(missing);
}

/// A request compiles if and only if its outputs are computable, and the
/// results equal the definition.
TEST_F(PropertyTest, OutputsEqualDefinition) {
  std::map<Outcome, int> outcomes;
  forEachCase([&](const Case &test) {
    ReferenceEvaluator evaluator = test.makeEvaluator();
    Outcome outcome = evaluator.analyze(test.getWanted(evaluator));
    ++outcomes[outcome];
    Compiled compiled = compile(test);
    if (isEndless(compiled) && mayBeEndless(test, evaluator))
      return;
    ASSERT_EQ(bool(compiled.op), outcome == Outcome::Computable)
        << compiled.diagnostics;
    if (!compiled.op) {
      EXPECT_NE(compiled.diagnostics, "");
      return;
    }
    Outputs outputs = run(test, compiled.op);
    ASSERT_EQ(outputs.error, "");
    for (const RandomIo &io : test.getRequest().outputs) {
      int node = evaluator.find(io.node);
      const std::vector<float> &actual = outputs.values[io.node];
      int64_t dim = evaluator.getDim(node);
      ASSERT_EQ(actual.size(), io.rows.size() * dim) << io.node;
      for (size_t row = 0; row < io.rows.size(); ++row) {
        Vector expected = evaluator.evaluate({node, io.rows[row]});
        for (int64_t column = 0; column < dim; ++column)
          ASSERT_NEAR(actual[row * dim + column], expected[column],
                      1e-4 + 1e-4 * std::abs(expected[column]))
              << io.node << ", row " << row << ", column " << column;
      }
    }
  });
  // Most requests can be computed, but not all.
  int total = 0;
  for (auto [outcome, count] : outcomes)
    total += count;
  if (total >= 100) {
    EXPECT_GT(outcomes[Outcome::Computable], total / 2);
    EXPECT_GT(outcomes[Outcome::NotComputable], total / 50);
  }
  std::printf("%d computable, %d not computable, %d cyclic, %d unbounded\n",
              outcomes[Outcome::Computable], outcomes[Outcome::NotComputable],
              outcomes[Outcome::Cyclic], outcomes[Outcome::Unbounded]);
}

/// For each row, the graph and the definition agree on whether it is computable
/// and needed.
TEST_F(PropertyTest, GraphEqualsLeastFixpoint) {
  forEachCase([&](const Case &test) {
    ReferenceEvaluator evaluator = test.makeEvaluator();
    std::vector<Row> wanted = test.getWanted(evaluator);
    Outcome outcome = evaluator.analyze(wanted);
    if (outcome == Outcome::Unbounded)
      return;
    mlir::FailureOr<NodeTable> nodes = NodeTable::get(test.getNetworkOp());
    ASSERT_TRUE(mlir::succeeded(nodes));
    ComputationGraph graph(*nodes), feedForward(*nodes), decided(*nodes);
    auto at = [&](const std::string &name, Index index) {
      return Cindex{nodes->find(name), index};
    };
    const RandomRequest &request = test.getRequest();
    for (ComputationGraph *g : {&graph, &feedForward, &decided}) {
      for (const RandomIo &io : request.inputs)
        for (const Index &index : io.rows)
          g->addInput(at(io.node, index));
      for (const RandomIo &io : request.outputs)
        for (const Index &index : io.rows)
          g->addOutput(at(io.node, index));
    }
    ComputationGraph::Result result = graph.compute();
    if (result == ComputationGraph::Result::TooDeep &&
        mayBeEndless(test, evaluator))
      return;
    ASSERT_EQ(result, ComputationGraph::Result::Done);
    bool isDecided = decided.decideFeedForward();
    for (const RandomIo &io : request.outputs)
      for (const Index &index : io.rows) {
        auto isComputable = [&](const ComputationGraph &g) {
          return g.getComputable(g.find(at(io.node, index))) == Computable::Yes;
        };
        bool expected =
            evaluator.isComputable({evaluator.find(io.node), index});
        EXPECT_EQ(isComputable(graph), expected)
            << io.node << " n " << index.n << " t " << index.t;
        if (isDecided)
          EXPECT_EQ(isComputable(decided), expected)
              << io.node << " n " << index.n << " t " << index.t;
      }
    bool isFeedForward = feedForward.computeFeedForward();
    if (outcome == Outcome::NotComputable) {
      EXPECT_FALSE(isFeedForward);
      return;
    }
    // The inputs are kept even if nothing needs them.
    std::set<Row> expected(evaluator.getUsedRows().begin(),
                           evaluator.getUsedRows().end());
    for (const RandomIo &io : request.inputs)
      for (const Index &index : io.rows)
        expected.insert({evaluator.find(io.node), index});
    auto getKept = [&](const ComputationGraph &graph) {
      std::set<Row> kept;
      for (int32_t id = 0; id < graph.size(); ++id) {
        const Cindex &cindex = graph.getCindex(id);
        const Node &node = (*nodes)[cindex.node];
        if (graph.isKept(id) && !node.isComponentInput())
          kept.insert({evaluator.find(node.name), cindex.index});
      }
      return kept;
    };
    graph.prune();
    EXPECT_TRUE(getKept(graph) == expected);
    // Both ways to grow a graph keep the same rows.
    if (isFeedForward)
      EXPECT_TRUE(getKept(feedForward) == expected);
  });
}

/// Compiling one sequence for all gives the same commands as compiling all
/// sequences.
TEST_F(PropertyTest, FoldingChangesNothing) {
  forEachComputable([](const Case &test, ComputationOp folded) {
    Compiled full = compile(test, /*foldSequences=*/false);
    ASSERT_TRUE(full.op) << full.diagnostics;
    expectClose(run(test, folded), run(test, full.op), 1e-5);
    // The request's order of the sequences is kept when they are folded.
    for (const auto *list :
         {&test.getRequest().inputs, &test.getRequest().outputs})
      for (const RandomIo &io : *list)
        if (!hasSortedSequences(io.rows))
          return;
    EXPECT_EQ(printExpanded(folded), printExpanded(full.op));
  });
}

/// Undefined memory is not read.
TEST_F(PropertyTest, PoisonedMemoryIsNotRead) {
  forEachComputable([](const Case &test, ComputationOp computation) {
    Outputs clean = run(test, computation);
    Outputs poisoned = run(test, computation, /*poison=*/true);
    ASSERT_EQ(poisoned.error, "");
    for (const auto &[node, values] : poisoned.values)
      for (float value : values)
        ASSERT_TRUE(std::isfinite(value)) << node;
    expectClose(poisoned, clean, 0);
  });
}

/// Sequence numbers are only names: with other numbers every row keeps its
/// value.
TEST_F(PropertyTest, SequencesAreInterchangeable) {
  forEachComputable([](const Case &test, ComputationOp computation) {
    RandomRequest renamed = test.getRequest();
    for (auto *list : {&renamed.inputs, &renamed.outputs})
      for (RandomIo &io : *list) {
        for (Index &index : io.rows)
          index.n = 17 - 3 * index.n;
        io.text = printRows(io.rows, /*ranges=*/true);
      }
    std::unique_ptr<Case> other = test.withRequest(renamed);
    ASSERT_EQ(other->getError(), "");
    Compiled compiled = compile(*other);
    ASSERT_TRUE(compiled.op) << compiled.diagnostics;
    expectClose(run(*other, compiled.op), run(test, computation), 1e-5);
  });
}

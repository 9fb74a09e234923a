//===- Explain.cpp - Explain outputs that are not computable --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/Explain.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Maximum number of rows of the output that are printed.
static constexpr int kMaxRows = 10;
/// Maximum number of rows of the chain that are printed.
static constexpr size_t kMaxChain = 100;

namespace {
/// `node(n, t, x)`, x always included.
struct PrintCindex {
  const ComputationGraph &graph;
  const RequestRows &request;
  int32_t id;

  std::string str() const {
    const Cindex &cindex = graph.getCindex(id);
    int32_t n = request.isFolded() ? request.sequences.front() : cindex.index.n;
    return (graph.getNodes()[cindex.node].name + "(" + Twine(n) + ", " +
            Twine(cindex.index.t) + ", " + Twine(cindex.index.x) + ")")
        .str();
  }
};
} // namespace

/// Returns the shortest chain of rows that are not computable, from `id` to a
/// missing input row, or to the last row found if no input is missing.
static SmallVector<int32_t> findChain(const ComputationGraph &graph,
                                      int32_t id) {
  DenseMap<int32_t, int32_t> reachedFrom = {{id, -1}};
  SmallVector<int32_t> queue = {id};
  int32_t last = id;
  for (size_t i = 0; i < queue.size(); ++i) {
    last = queue[i];
    if (graph.getNodes()[graph.getCindex(last).node].kind == Node::Kind::Input)
      break;
    for (int32_t dependency : graph.getDependencies(last))
      if (graph.getComputable(dependency) != Computable::Yes &&
          reachedFrom.try_emplace(dependency, last).second)
        queue.push_back(dependency);
  }
  SmallVector<int32_t> chain;
  for (int32_t row = last; row >= 0; row = reachedFrom[row])
    chain.push_back(row);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

LogicalResult mlir::nnet3::verifyComputable(const ComputationGraph &graph,
                                            const RequestRows &request,
                                            const IoRows &io) {
  SmallVector<int32_t> missing;
  for (const Index &index : io.rows.rows) {
    int32_t id = graph.find({io.node, index});
    if (graph.getComputable(id) != Computable::Yes)
      missing.push_back(id);
  }
  if (missing.empty())
    return success();

  const NodeTable &nodes = graph.getNodes();
  SmallVector<int32_t> chain = findChain(graph, missing.front());
  auto name = [&](int32_t id) { return PrintCindex{graph, request, id}.str(); };
  InFlightDiagnostic diag = io.op->emitError("output ")
                            << name(missing.front()) << " is not computable: ";
  if (nodes[graph.getCindex(chain.back()).node].kind == Node::Kind::Input)
    diag << "it needs input " << name(chain.back())
         << ", which is not supplied";
  else
    diag << "it is part of a dependency cycle with no delay";

  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto [i, id] : llvm::enumerate(ArrayRef(chain).take_front(kMaxChain)))
    os << (i ? " <- " : "") << name(id);
  if (chain.size() > kMaxChain)
    os << " <- ... (" << chain.size() - kMaxChain << " more)";
  diag.attachNote(nodes[graph.getCindex(chain.back()).node].op->getLoc())
      << "the rows in between: " << text;
  if (missing.size() > 1) {
    std::string rows;
    for (int32_t id : ArrayRef(missing).drop_front().take_front(kMaxRows - 1))
      rows += (rows.empty() ? "" : ", ") + name(id);
    if (missing.size() > kMaxRows)
      rows += ", ...";
    diag.attachNote(io.op->getLoc())
        << missing.size() - 1 << " more are not computable: " << rows;
  }
  return diag;
}

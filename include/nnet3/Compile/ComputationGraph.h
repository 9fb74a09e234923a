//===- ComputationGraph.h - Dependencies between rows -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph of Cindexes of a request (compile.md 3 and 4). It grows breadth
// first from the outputs, deciding the computability of every row on the way,
// and is then pruned to the rows that are used. If no node depends on itself,
// the rows are found node by node instead, which is much faster.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_COMPILE_COMPUTATIONGRAPH_H
#define NNET3_COMPILE_COMPUTATIONGRAPH_H

#include "nnet3/Compile/CindexTable.h"

namespace mlir::nnet3 {

enum class Computable : uint8_t { Unknown, Yes, No };

/// The graph of one request.
class ComputationGraph {
public:
  /// No graph has more rows than this.
  static constexpr int32_t kMaxRows = 1 << 24;

  explicit ComputationGraph(const NodeTable &nodes)
      : nodes(nodes), table(nodes.size()) {}

  /// Adds a row that the caller supplies; returns false if it was added before.
  bool addInput(const Cindex &cindex);
  /// Adds a row that the caller requests; returns false if it was added before.
  bool addOutput(const Cindex &cindex);
  enum class Result {
    Done,     ///< the computability of every requested row is decided
    TooDeep,  ///< stopped after 10000 generations
    TooLarge, ///< stopped at 2^24 rows
  };
  /// Grows the graph until the computability of every output row is decided.
  Result compute();
  /// Keeps the rows that the outputs use, and the inputs; call only when all
  /// outputs are computable.
  void prune();
  /// Computes and prunes the graph, if no node depends on itself and all
  /// outputs are computable; otherwise returns false and does not change the
  /// graph. Takes only a fraction of the time and memory of `compute` for each
  /// row.
  bool computeFeedForward();
  /// Decides the computability of every requested row like `compute`, in the
  /// time of `computeFeedForward`, if no node depends on itself; otherwise
  /// returns false and does not change the graph. The graph cannot be pruned.
  bool decideFeedForward();

  const NodeTable &getNodes() const { return nodes; }
  int32_t size() const { return cindexes.size(); }
  const Cindex &getCindex(int32_t id) const { return cindexes[id]; }
  /// Number of a row of the graph, or -1.
  int32_t find(const Cindex &cindex) const { return table.find(cindex); }
  bool isInput(int32_t id) const { return input[id]; }
  Computable getComputable(int32_t id) const { return computable[id]; }
  /// The rows that `id` depends on; after pruning, only the rows that it uses.
  /// Only after `compute`.
  ArrayRef<int32_t> getDependencies(int32_t id) const {
    assert(!isFeedForward() && "dependencies are not stored");
    return ArrayRef<int32_t>(edges).slice(growth[id].firstEdge,
                                          growth[id].numEdges);
  }
  /// Appends the rows that a kept row uses.
  void getUsedRows(int32_t id, SmallVectorImpl<int32_t> &rows) const;
  /// Whether `computeFeedForward` or `decideFeedForward` made the graph.
  bool isFeedForward() const { return !firstRow.empty(); }
  /// The range [begin, end) of the numbers of a node's rows. Only after
  /// `computeFeedForward`.
  std::pair<int32_t, int32_t> getRows(int32_t node) const {
    return {firstRow[node], firstRow[node] + numRows[node]};
  }
  /// Whether pruning kept the row.
  bool isKept(int32_t id) const { return kept[id]; }
  /// Number of evaluations of dependencies or computability of a row.
  int64_t getNumEvaluations() const { return evaluations; }
  /// Number of generations that `compute` took.
  int32_t getNumGenerations() const { return generations; }
  /// Whether the dependencies of the row have been computed.
  bool isExpanded(int32_t id) const { return growth[id].expanded; }

private:
  friend class FeedForwardGrower;

  /// The state of a row while the graph grows.
  struct Growth {
    bool queued = false, expanded = false;
    /// Number of rows that may use it; one more for an output of the request.
    int32_t usable = 0;
    /// Its dependencies in `edges`.
    uint32_t firstEdge = 0, numEdges = 0;
    int32_t users = -1; ///< The first of its users in `links`.
  };

  int32_t getId(const Cindex &cindex, bool &isNew);
  void queue(int32_t id);
  void expand(int32_t id);
  void decide(int32_t id);
  Computable evaluate(int32_t id) const;
  void increment(int32_t id);
  void decrement(int32_t id);
  void setDependencies(int32_t id, SmallVectorImpl<int32_t> &list);
  void pruneDependencies(int32_t id);

  const NodeTable &nodes;
  CindexTable table;
  std::vector<Cindex> cindexes;
  std::vector<uint8_t> input, kept;
  std::vector<Computable> computable;
  /// What `compute` knows of each row.
  std::vector<Growth> growth;
  std::vector<int32_t> edges;
  /// Linked lists of (row, next link).
  std::vector<std::pair<int32_t, int32_t>> links;
  std::vector<int32_t> current, next;
  int32_t generations = 0;
  int64_t evaluations = 0;
  /// For each node; empty unless `computeFeedForward` made the graph.
  std::vector<int32_t> firstRow, numRows;
};

/// Finds the numbers of rows. Neighbouring rows mostly have consecutive
/// numbers, which saves lookups.
class RowFinder {
public:
  explicit RowFinder(const ComputationGraph &graph) : graph(graph) {}

  /// Number of a row of the graph, or -1.
  int32_t find(const Cindex &cindex) {
    int32_t next = last + 1;
    if (next >= graph.size() || !(graph.getCindex(next) == cindex))
      next = graph.find(cindex);
    if (next >= 0)
      last = next;
    return next;
  }

private:
  const ComputationGraph &graph;
  int32_t last = -1;
};

/// Appends every row that a row may read.
void getSourceRows(const NodeTable &nodes, const Cindex &cindex,
                   SmallVectorImpl<Cindex> &sources);

/// Whether a row of a node, not an input node, is computable from the rows for
/// which `available` returns true; appends the rows that it reads to `used`.
bool isComputable(const NodeTable &nodes, const Cindex &cindex,
                  function_ref<bool(const Cindex &)> available,
                  SmallVectorImpl<Cindex> *used = nullptr);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_COMPUTATIONGRAPH_H

//===- FeedForward.h - Graphs without recurrences ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Visiting the nodes from the outputs to the inputs, all rows of a node that
// others may read are known before the node is visited. The rows that it reads
// are found for many rows at once: rows with equal times modulo the node's
// modulus have the same reads, shifted in time. A pass in the other direction
// decides which rows are computable, and a third one, from the outputs again,
// keeps the rows that are used. The per-row state of
// `ComputationGraph::compute`, which does all this together, is not needed.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_LIB_COMPILE_FEEDFORWARD_H
#define NNET3_LIB_COMPILE_FEEDFORWARD_H

#include "../TimeBounds.h"
#include "ComponentReads.h"
#include "nnet3/Compile/ComputationGraph.h"

namespace mlir::nnet3 {

class FeedForwardGrower {
public:
  explicit FeedForwardGrower(ComputationGraph &graph)
      : graph(graph), nodes(graph.getNodes()), epochs(computeEpochs(nodes)),
        table(nodes.size()), firstRow(nodes.size()), numRows(nodes.size()),
        isSupplied(nodes.size()), needsAll(nodes.size(), true) {
    for (const Node &node : nodes.getNodes()) {
      ComponentOpInterface component = node.component;
      // At time 0 no period excludes any time.
      isOptional.push_back(component &&
                           component.getOptionalTimes({0, 0, 0}).has_value());
      reads.push_back(component && !isOptional.back()
                          ? std::optional(ComponentReads(component))
                          : std::nullopt);
    }
  }

  /// Finds the rows that the outputs use; false if an output is not computable,
  /// or if the network has recurrences.
  bool grow();
  /// Decides which rows are computable; false if the network has recurrences.
  bool decideAll();

private:
  using Lane = CindexTable::Lane;

  bool hasRecurrences() const;
  bool collect();
  bool isInput(const Cindex &cindex) const;
  void addRow(const Cindex &cindex);
  bool addRowsAtOnce(int32_t node, const Lane &lane, size_t begin, size_t end,
                     size_t step);
  void findTimeBounds();
  std::optional<TimeRange> getTimes(int32_t node, const Index &index) const;
  void insert(int32_t node, const Lane &lane, const TimeRange &times);
  void addOptionalRows(int32_t node, const Lane &lane, size_t begin, size_t end,
                       size_t step);
  void addClass(int32_t node, const Lane &lane, size_t residue);
  void addSources(int32_t node);
  void number();
  void decide();
  bool areOutputsComputable() const;
  bool isAnyComputable(const Cindex &cindex) const;
  bool decideRow(int32_t id);
  void decideNode(int32_t node);
  void prune();
  void keepOptionalRows(int32_t node);
  void pruneNode(int32_t node);
  void install();

  const ReadPattern *getPattern(const Cindex &cindex);
  bool needsAllSources(const Cindex &cindex);
  void getSources(const Cindex &cindex);
  bool isYes(const Cindex &cindex) const {
    int32_t id = table.find(cindex);
    return id >= 0 && computable[id] == Computable::Yes;
  }

  ComputationGraph &graph;
  const NodeTable &nodes;
  NodeEpochs epochs;
  CindexTable table;
  std::vector<int32_t> firstRow, numRows;
  /// Number of rows.
  int32_t size = 0;
  std::vector<Cindex> cindexes;
  std::vector<uint8_t> input, kept;
  std::vector<Computable> computable;
  /// Nodes with rows that the caller supplies.
  std::vector<bool> isSupplied;
  std::vector<std::optional<ComponentReads>> reads;
  /// Components that compute a row if any of the rows that it reads is
  /// computable.
  std::vector<bool> isOptional;
  /// Bounds of each node; empty if no component is optional.
  std::vector<TimeBounds> bounds;
  /// Nodes whose rows are computable if and only if all their sources are.
  std::vector<bool> needsAll;
  /// Whether all rows so far are computable.
  bool allComputable = true;
  int64_t evaluations = 0;
  /// The rows that one row reads; a member to reuse its memory.
  SmallVector<Cindex, 16> sources;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_COMPILE_FEEDFORWARD_H

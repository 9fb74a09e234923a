//===- Dot.h - Networks and computations for Graphviz -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_REPORT_DOT_H
#define NNET3_TARGET_REPORT_DOT_H

#include "nnet3/Target/Report/ComputationSummary.h"
#include "nnet3/Target/Report/NetworkDrawing.h"

namespace mlir::nnet3 {

/// Writes one Graphviz graph with a cluster for each network and computation.
class DotWriter {
public:
  /// Writes the beginning of the graph.
  explicit DotWriter(llvm::raw_ostream &os);
  DotWriter(const DotWriter &) = delete;
  /// Writes the end of the graph.
  ~DotWriter();

  /// Adds the nodes and descriptors of a network. Arrows are the rows that they
  /// read; arrows that close a recurrence are dashed. Nodes with rows in the
  /// state of a stream have a thick border.
  void add(const NetworkDrawing &network);

  /// Adds the commands of a computation. Arrows are matrices, from the writing
  /// to the reading command; arrows from allocations and to deallocations are
  /// dotted.
  void add(const ComputationSummary &computation);

private:
  void beginCluster(llvm::StringRef title);
  void writeCommands(const ComputationSummary &computation);
  void writeMarkers(const ComputationSummary &computation);

  llvm::raw_ostream &os;
  int numClusters = 0;
};

} // namespace mlir::nnet3

#endif // NNET3_TARGET_REPORT_DOT_H

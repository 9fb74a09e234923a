//===- Dot.h - Networks and computations for Graphviz -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_REPORT_DOT_H
#define NNET3_TARGET_REPORT_DOT_H

#include "nnet3/Target/Report/ComputationSummary.h"
#include "nnet3/Target/Report/NetworkDrawing.h"

namespace mlir::nnet3 {

/// Writes one Graphviz graph, to which networks and computations are added,
/// each a cluster.
class DotWriter {
public:
  /// Begins the graph.
  explicit DotWriter(llvm::raw_ostream &os);
  DotWriter(const DotWriter &) = delete;
  /// Ends it.
  ~DotWriter();

  /// Nodes and descriptors, with the rows that they use as arrows; arrows that
  /// close a recurrence are dashed. Nodes of which a stream keeps rows have a
  /// thick border.
  void add(const NetworkDrawing &network);

  /// Commands, with matrices as arrows from those that write to those that
  /// read; what gives storage, or takes it, has dotted ones.
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

//===- NetworkDifference.h - How two networks differ ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_DIFF_NETWORKDIFFERENCE_H
#define LIB_TOOLS_DIFF_NETWORKDIFFERENCE_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::nnet3 {

/// A node or component that is not the same in both networks.
struct ItemDifference {
  std::string name;
  /// What it is; empty in the network that does not have it.
  std::string before, after;
};

/// A tensor that both networks have.
struct TensorDifference {
  std::string component, tensor;
  /// Whether it is a parameter rather than statistics.
  bool isParameter = true;
  std::vector<int64_t> shapeBefore, shapeAfter;
  /// Root of the sum of the squares: of both, and of the change, which there is
  /// where the shapes are equal.
  double normBefore = 0, normAfter = 0;
  std::optional<double> normOfChange;
  /// The element that changes most, counted row by row, and its values.
  int64_t element = 0;
  float elementBefore = 0, elementAfter = 0;

  bool isSame() const { return normOfChange && *normOfChange == 0; }
  /// The norm of the change by that before.
  double getRelativeChange() const;
  /// `row 3, column 7`; without a column for vectors.
  std::string describeElement() const;
};

/// How large a network is; multiply-adds are those of one row of each node.
struct NetworkSize {
  int64_t numNodes = 0, numComponents = 0;
  int64_t numParameters = 0, numMultiplyAdds = 0;
};

struct NetworkDifference {
  std::vector<ItemDifference> nodes, components;
  /// All of them, in the order of the components.
  std::vector<TensorDifference> tensors;
  NetworkSize before, after;

  bool isEmpty() const;
};

/// Nodes are equal if Kaldi's configs describe them alike; components, if they
/// have one type and the same attributes apart from tensors. Emits an error if
/// tensors have no values.
FailureOr<NetworkDifference> compareNetworks(NetworkOp before, NetworkOp after);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_DIFF_NETWORKDIFFERENCE_H

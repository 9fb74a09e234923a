//===- NetworkDifference.h - Differences of two networks --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_DIFF_NETWORKDIFFERENCE_H
#define LIB_TOOLS_DIFF_NETWORKDIFFERENCE_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::nnet3 {

/// A node or component that differs.
struct ItemDifference {
  std::string name;
  /// Its description in each network; empty if it is absent.
  std::string before, after;
};

/// A tensor that both networks have.
struct TensorDifference {
  std::string component, tensor;
  /// Whether it is a parameter, and not statistics.
  bool isParameter = true;
  std::vector<int64_t> shapeBefore, shapeAfter;
  /// Euclidean norms of both tensors, and of the change if the shapes are
  /// equal.
  double normBefore = 0, normAfter = 0;
  std::optional<double> normOfChange;
  /// The row-major index of the element that changes most, and its values.
  int64_t element = 0;
  float elementBefore = 0, elementAfter = 0;

  bool isSame() const { return normOfChange && *normOfChange == 0; }
  /// Returns the norm of the change divided by the norm before.
  double getRelativeChange() const;
  /// Returns `row 3, column 7`, or only the row for vectors.
  std::string describeElement() const;
};

/// The size of a network. Multiply-adds are per row of each node.
struct NetworkSize {
  int64_t numNodes = 0, numComponents = 0;
  int64_t numParameters = 0, numMultiplyAdds = 0;
};

struct NetworkDifference {
  std::vector<ItemDifference> nodes, components;
  /// All tensors, in the order of the components.
  std::vector<TensorDifference> tensors;
  NetworkSize before, after;

  bool isEmpty() const;
};

/// Compares two networks. Nodes are equal if they have equal lines in Kaldi's
/// configs; components, if their types and all attributes except tensors are
/// equal. Emits an error if tensors have no values.
FailureOr<NetworkDifference> compareNetworks(NetworkOp before, NetworkOp after);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_DIFF_NETWORKDIFFERENCE_H

//===- NodeInputs.h - Inputs of nodes ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_SURGERY_NODEINPUTS_H
#define LIB_SURGERY_NODEINPUTS_H

#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

namespace mlir::nnet3 {

/// Returns true if `descriptor` reads the node with the value `node`.
bool reads(const Descriptor &descriptor, Value node);

/// Returns the nodes that read the node with the value `node`, in order.
SmallVector<Operation *> findReaders(NetworkOp network, Value node);

/// An appended term of a descriptor, with its columns.
struct AppendedTerm {
  /// The node that the term reads, at any times; null for sums and other
  /// expressions.
  Value node;
  int64_t firstColumn = 0, numColumns = 0;
};

/// Returns the appended terms of a descriptor; a single term if nothing is
/// appended.
SmallVector<AppendedTerm> getTerms(const Descriptor &descriptor);

/// Returns the number of input rows that a component multiplies with a matrix
/// for one output row, each with its own columns of the matrix; 0 for other
/// components.
int64_t countInputRows(ComponentOpInterface component);
/// Returns true if a component is a matrix with or without a bias.
bool isMatrix(ComponentOpInterface component);
/// Returns the name of the component's matrix parameter.
StringRef getMatrixName(Operation *component);

/// Returns the component that `node` applies; null if other nodes apply it too.
ComponentOpInterface getOwnComponent(NetworkOp network, ComponentNodeOp node);

/// Rebuilds the inputs of all nodes after the number of columns of some nodes
/// has changed.
class InputRebuilder {
public:
  explicit InputRebuilder(NetworkOp network);
  /// Rebuilds the inputs. Their old operations become orphans.
  void rebuild();

private:
  std::vector<std::pair<Operation *, Descriptor>> inputs;
};

/// Sets the number of columns of the node with the value `node`.
void setColumns(Value node, int64_t count);

/// Sets an integer attribute.
void setInteger(Operation *component, StringRef name, int64_t value);

} // namespace mlir::nnet3

#endif // LIB_SURGERY_NODEINPUTS_H

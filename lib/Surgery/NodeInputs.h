//===- NodeInputs.h - What nodes read ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LIB_SURGERY_NODEINPUTS_H
#define LIB_SURGERY_NODEINPUTS_H

#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

namespace mlir::nnet3 {

/// Whether `descriptor` reads the node with the value `node`.
bool reads(const Descriptor &descriptor, Value node);

/// The nodes that read the node with the value `node`, in their order.
SmallVector<Operation *> findReaders(NetworkOp network, Value node);

/// A term of a descriptor that gives columns one after the other.
struct Term {
  /// The node whose rows are the term's, from whatever times; null for sums
  /// and the like.
  Value node;
  int64_t firstColumn = 0, numColumns = 0;
};

/// The appended terms of a descriptor; one if nothing is appended.
SmallVector<Term> getTerms(const Descriptor &descriptor);

/// How many rows of its input a component multiplies with a matrix for a row of
/// its output, each with columns of its own; 0 for components of other kinds.
int64_t countInputRows(ComponentOpInterface component);
/// Whether a component is a matrix, perhaps with a bias.
bool isMatrix(ComponentOpInterface component);
/// The name of its parameter with the matrix.
StringRef getMatrixName(Operation *component);

/// The component that `node` applies, if no other node does; null otherwise.
ComponentOpInterface getOwnComponent(NetworkOp network, ComponentNodeOp node);

/// The inputs of all nodes, to be built again when the columns of nodes have
/// changed.
class InputRebuilder {
public:
  explicit InputRebuilder(NetworkOp network);
  /// Builds them. What they were built of before becomes an orphan.
  void rebuild();

private:
  std::vector<std::pair<Operation *, Descriptor>> inputs;
};

/// Gives the node with the value `node` so many columns.
void setColumns(Value node, int64_t count);

/// Sets an integer attribute.
void setInteger(Operation *component, StringRef name, int64_t value);

} // namespace mlir::nnet3

#endif // LIB_SURGERY_NODEINPUTS_H

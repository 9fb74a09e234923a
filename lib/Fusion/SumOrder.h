//===- SumOrder.h - The order of the terms of affine maps -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A request may hoist matmuls of some inputs of an affine map: of an i-vector
// once for all rows, or of all non-recurrent inputs of a recurrence for all
// steps. To make results independent of the request, the terms of an output
// element are added in an order that depends on the network only and starts
// with the terms that can be hoisted.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_FUSION_SUMORDER_H
#define NNET3_FUSION_SUMORDER_H

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"

#include "llvm/ADT/BitVector.h"

namespace mlir::nnet3 {

class ComponentTable;

/// The kind of input row that multiplies a weight column, in the order of
/// additions.
enum class SumGroup : uint8_t {
  Shared,    ///< a row that neighbouring rows of the output share
  Plain,     ///< any other row that does not depend on the map's output
  Recurrent, ///< a row that may depend on an earlier row of the output
};

/// The groups of the columns of an affine component's weights.
class SumOrder {
public:
  /// The order for the nodes that use `component`.
  explicit SumOrder(ComponentOpInterface component);

  /// The group of a column. Columns that the weights do not have are an error
  /// of the conversion to kernels.
  SumGroup getGroup(int64_t column) const {
    return uint64_t(column) < groups.size() ? groups[column] : SumGroup::Plain;
  }
  /// Returns how many of `count` columns from `column` on come from one term of
  /// the node's input and are adjacent in it.
  int64_t countTogether(int64_t column, int64_t count) const;
  /// The group of input `number` of `op`.
  SumGroup getGroup(FusedAffineOp op, unsigned number) const {
    return getGroup(op.getColumns()[number]);
  }

private:
  void addNode(ComponentNodeOp node);

  ComponentOpInterface component;
  SmallVector<SumGroup, 0> groups;
  llvm::BitVector begins; ///< columns at which a term begins
};

/// The orders of the components of a computation, each computed once.
class SumOrders {
public:
  explicit SumOrders(ComputationOp computation);
  ~SumOrders();

  const SumOrder &get(FusedAffineOp op);

private:
  std::unique_ptr<ComponentTable> components;
  DenseMap<Attribute, std::unique_ptr<SumOrder>> orders;
};

} // namespace mlir::nnet3

#endif // NNET3_FUSION_SUMORDER_H

//===- NetworkEdits.h - Helpers of network passes ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For passes that reduce the operations of a network without changing results.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_FUSION_NETWORKEDITS_H
#define NNET3_FUSION_NETWORKEDITS_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace mlir::nnet3 {

/// Whether passes may change the nodes of a network: not if a component is
/// random, as its draws depend on the preceding commands (nnet3-number-draws),
/// nor if a stream refers to its nodes.
bool isEditable(NetworkOp network);

int64_t getDim(Value rows);

Operation *getComponent(ComponentNodeOp node);

/// Whether a request supplies rows of the node `name`, in which case the
/// network does not compute them.
bool isSupplied(NetworkOp network, StringRef name);

/// Whether all readers of `rows` are nodes, directly or through Append, Offset,
/// Round, ReplaceIndex and IfDefined, so that an Append of other rows can
/// replace it.
bool isReadByNodes(Value rows);

/// Whether `node` is the only node of an affine component with values whose
/// output is one block, computed from whole rows at one or several times.
bool isPlainAffine(ComponentNodeOp node);

/// W of a plain affine component, `rows` x `columns`, and b, which is empty if
/// there is no bias.
struct AffineParameters {
  int64_t rows, columns;
  SmallVector<float> weights, bias;
};

/// Emits an error if the values of `component` cannot be read.
FailureOr<AffineParameters> getAffineParameters(Operation *component);
void setAffineParameters(Operation *component,
                         const AffineParameters &parameters);

/// Whether `op` is `other`, or is computed from the results of `other`.
bool dependsOn(Operation *op, Operation *other);

/// Erases the descriptors that `value` is computed from, up to the nodes, if
/// they have no other readers.
void eraseUnusedDescriptors(Value value);

} // namespace mlir::nnet3

#endif // NNET3_FUSION_NETWORKEDITS_H

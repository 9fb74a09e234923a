//===- NetworkEdits.h - What passes over networks share ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that let a network compute the same numbers with fewer operations.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_FUSION_NETWORKEDITS_H
#define NNET3_FUSION_NETWORKEDITS_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace mlir::nnet3 {

/// Whether a network may have other nodes than were asked for: not where a
/// component is random, for what it draws depends on the commands before it
/// (nnet3-number-draws), nor where a stream names its nodes.
bool isEditable(NetworkOp network);

int64_t getDim(Value rows);

Operation *getComponent(ComponentNodeOp node);

/// Whether a request gives rows of the node `name`, which then are not what the
/// network computes.
bool isSupplied(NetworkOp network, StringRef name);

/// Whether nothing but nodes reads `rows`, directly or through Append, Offset,
/// Round, ReplaceIndex and IfDefined, so that an Append of some other rows may
/// stand for it.
bool isReadByNodes(Value rows);

/// Whether `node` has an affine component of its own, with values, whose output
/// is one block of products of whole rows, which may be at several times.
bool isPlainAffine(ComponentNodeOp node);

/// W of a plain affine component, `rows` x `columns`, and b, which is empty
/// without one.
struct AffineParameters {
  int64_t rows, columns;
  SmallVector<float> weights, bias;
};

/// Emits an error where `component` has no values that can be read.
FailureOr<AffineParameters> getAffineParameters(Operation *component);
void setAffineParameters(Operation *component,
                         const AffineParameters &parameters);

/// Erases what `value` was computed from, as far as nothing else reads it, up
/// to the nodes.
void eraseUnusedDescriptors(Value value);

} // namespace mlir::nnet3

#endif // NNET3_FUSION_NETWORKEDITS_H

//===- RequestRows.h - The rows that a request lists ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_REQUESTROWS_H
#define NNET3_COMPILE_REQUESTROWS_H

#include "nnet3/Compile/NodeTable.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

namespace mlir::nnet3 {

/// One input or output of a request.
struct IoRows {
  int32_t node = -1;
  IndexRows rows;
  Operation *op = nullptr;
};

/// The inputs and outputs of a request. If each of them has the same (t, x) for
/// every sequence, the sequences are factored out: networks do not mix
/// sequences, so one sequence is compiled for all, and the cost of compilation
/// does not depend on their number.
struct RequestRows {
  SmallVector<IoRows> inputs, outputs;
  /// The sequences, if they are factored out.
  SmallVector<int32_t> sequences;

  bool isFolded() const { return !sequences.empty(); }
};

/// Reads the rows of `request`, and factors out the sequences if `fold` is set
/// and it is possible. Emits an error if a name is not a node of the right
/// kind.
FailureOr<RequestRows> readRequest(RequestOp request, const NodeTable &nodes,
                                   bool fold);

/// Factors the sequences out of a list of rows. Returns nullopt unless every
/// sequence has the same (t, x) in the same order, at a constant distance.
std::optional<IndexRows> foldRows(ArrayRef<Index> rows);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_REQUESTROWS_H

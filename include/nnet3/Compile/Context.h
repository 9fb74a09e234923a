//===- Context.h - How many frames around an output it needs ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_CONTEXT_H
#define NNET3_COMPILE_CONTEXT_H

#include "nnet3/Compile/NodeTable.h"

namespace mlir::nnet3 {

/// Frames of `input` that an output frame needs on either side, and the shift
/// in time under which the network stays the same.
struct NetworkContext {
  int64_t left = 0;
  int64_t right = 0;
  int64_t modulus = 1;
};

/// The context of a simple network (looped.md 1): of one with an output node
/// `output`, an input node `input`, and no other input node than `ivector`;
/// emits an error if it is none. Inputs that are optional, and recurrences, do
/// not count.
FailureOr<NetworkContext> computeContext(NetworkOp network,
                                         const NodeTable &nodes);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_CONTEXT_H

//===- Context.h - The context of a network ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_CONTEXT_H
#define NNET3_COMPILE_CONTEXT_H

#include "nnet3/Compile/NodeTable.h"

namespace mlir::nnet3 {

/// Number of frames of `input` that an output frame needs on either side, and
/// the smallest time shift that maps the network to itself.
struct NetworkContext {
  int64_t left = 0;
  int64_t right = 0;
  int64_t modulus = 1;
};

/// Computes the context of a simple network (looped.md 1), which has an output
/// node `output`, an input node `input`, and no other input node than
/// `ivector`; emits an error for other networks. Optional inputs and
/// recurrences are ignored.
FailureOr<NetworkContext> computeContext(NetworkOp network,
                                         const NodeTable &nodes);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_CONTEXT_H

//===- StreamOps.h - Streams ------------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_STREAMOPS_H
#define NNET3_DIALECT_NNET3_IR_STREAMOPS_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/StreamOps.h.inc"

namespace mlir::nnet3 {

/// Whether a stream in the module of `network` refers to it. Passes must not
/// edit such a network, because the stream was planned for its nodes.
bool hasStream(NetworkOp network);

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_IR_STREAMOPS_H

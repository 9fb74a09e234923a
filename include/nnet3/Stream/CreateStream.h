//===- CreateStream.h - The stream of a network -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_STREAM_CREATESTREAM_H
#define NNET3_STREAM_CREATESTREAM_H

#include "nnet3/Dialect/Nnet3/IR/StreamOps.h"
#include "nnet3/Stream/StreamPlan.h"

#include "mlir/IR/SymbolTable.h"

namespace mlir::nnet3 {

/// Creates the stream of `network` and its requests after the network, and
/// edits the network for it (nnet3-compile-streaming). Rounds up the chunks of
/// `options`; an i-vector period of 0 means their greatest common divisor.
/// Emits an error if the network cannot be streamed with these options.
FailureOr<StreamOp> createStream(SymbolTable &symbols, NetworkOp network,
                                 StreamOptions options);

} // namespace mlir::nnet3

#endif // NNET3_STREAM_CREATESTREAM_H

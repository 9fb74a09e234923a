//===- Streams.h - Streams that are measured --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_BENCHMARKS_STREAMS_H
#define NNET3_BENCHMARKS_STREAMS_H

#include "Networks.h"
#include "nnet3/Dialect/Nnet3/IR/StreamOps.h"

namespace mlir::nnet3::benchmarks {

/// Edits the network as streams of it need; exits where that fails.
void prepareNetwork(NetworkOp network);

/// The network, which is prepared, as a stream of chunks of so many frames, for
/// so many streams at once, with every third frame out; an i-vector period of 0
/// is the longest that the chunks allow. Exits where it does not stream.
StreamOp planStream(NetworkOp network, llvm::ArrayRef<int64_t> chunks,
                    llvm::ArrayRef<int64_t> sequences,
                    int64_t ivectorPeriod = 0);

/// Prepares the network first.
StreamOp makeStream(NetworkOp network, llvm::ArrayRef<int64_t> chunks,
                    llvm::ArrayRef<int64_t> sequences,
                    int64_t ivectorPeriod = 0);

/// The request for a chunk, of the first number of streams.
RequestOp getRequest(StreamOp stream, int64_t numFrames, bool isFirst);

/// Multiply-adds of products that a frame costs in the middle of an utterance
/// without end.
double countSteadyProducts(llvm::StringRef name);

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_STREAMS_H

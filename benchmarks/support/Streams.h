//===- Streams.h - The benchmark streams ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_BENCHMARKS_STREAMS_H
#define NNET3_BENCHMARKS_STREAMS_H

#include "Networks.h"
#include "nnet3/Dialect/Nnet3/IR/StreamOps.h"

namespace mlir::nnet3::benchmarks {

/// Prepares the network for streaming. Exits after an error.
void prepareNetwork(NetworkOp network);

/// Plans a stream of the prepared network for the given chunk lengths in frames
/// and numbers of sequences, with an output for every `factor` frames. An
/// i-vector period of 0 means the longest that the chunks allow. Exits if the
/// network cannot stream.
StreamOp planStream(NetworkOp network, llvm::ArrayRef<int64_t> chunks,
                    llvm::ArrayRef<int64_t> sequences,
                    int64_t ivectorPeriod = 0, int64_t factor = 3);

/// Like planStream(), but prepares the network first.
StreamOp makeStream(NetworkOp network, llvm::ArrayRef<int64_t> chunks,
                    llvm::ArrayRef<int64_t> sequences,
                    int64_t ivectorPeriod = 0, int64_t factor = 3);

/// Returns the request for a chunk, for the first of the stream's numbers of
/// sequences.
RequestOp getRequest(StreamOp stream, int64_t numFrames, bool isFirst);

/// Returns the matmul multiply-adds per frame in the middle of an endless
/// utterance.
double countSteadyMultiplyAdds(llvm::StringRef name);

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_STREAMS_H

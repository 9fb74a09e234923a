//===- Chunking.h - Chunks of networks and libraries ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_CHUNKING_H
#define NNET3_EXECUTION_CHUNKING_H

#include "nnet3/Execution/ChunkPlan.h"
#include "nnet3/Execution/CompiledLibrary.h"

namespace mlir::nnet3 {

/// The ChunkOptions that the user has set; for others, the chunks of a library
/// decide.
struct GivenChunkOptions {
  bool framesPerChunk = false;
  bool frameSubsamplingFactor = false;
  /// The name of an option about extra context; empty if there is none.
  std::string extraContext;
};

/// Returns the division of utterances into chunks for a network. Emits an error
/// at the network if it has other inputs than `input` and `ivector`, or if its
/// context cannot be determined.
FailureOr<Chunking> getNetworkChunking(const RequestRunner &runner,
                                       const ChunkOptions &options);

/// Returns the division of utterances into chunks for `library`: its longest
/// chunks that satisfy the `given` options. If there are none, returns an error
/// that lists the chunks of the library.
llvm::Expected<Chunking> getLibraryChunking(const CompiledLibrary &library,
                                            const ChunkOptions &options,
                                            const GivenChunkOptions &given);

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_CHUNKING_H

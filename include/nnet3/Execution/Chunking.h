//===- Chunking.h - Which chunks a model can compute ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_EXECUTION_CHUNKING_H
#define NNET3_EXECUTION_CHUNKING_H

#include "nnet3/Execution/ChunkPlan.h"
#include "nnet3/Execution/CompiledLibrary.h"

namespace mlir::nnet3 {

/// What of ChunkOptions the user has said: a library has chunks of its own.
struct GivenChunkOptions {
  bool framesPerChunk = false;
  bool frameSubsamplingFactor = false;
  /// The name of an option about extra context; empty if there is none.
  std::string extraContext;
};

/// How a network wants utterances to be cut. Fails with an error at the network
/// if it has other inputs than `input` and `ivector`, or no context that can be
/// determined.
FailureOr<Chunking> getNetworkChunking(const RequestRunner &runner,
                                       const ChunkOptions &options);

/// How utterances are cut for `library`: into the chunks that `options` ask for
/// as far as they are `given`, or else into the longest that there are. The
/// error says what it has where it cannot do what is asked for.
llvm::Expected<Chunking> getLibraryChunking(const CompiledLibrary &library,
                                            const ChunkOptions &options,
                                            const GivenChunkOptions &given);

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_CHUNKING_H

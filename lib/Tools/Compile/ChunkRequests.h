//===- ChunkRequests.h - Requests for chunks of frames ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_PIPELINES_CHUNKREQUESTS_H
#define LIB_PIPELINES_CHUNKREQUESTS_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

#include "llvm/ADT/ArrayRef.h"

namespace mlir::nnet3 {

/// Shapes of the chunks that a library computes.
struct ChunkShapes {
  llvm::SmallVector<unsigned> frames;    ///< chunk lengths, each a shape
  llvm::SmallVector<unsigned> sequences; ///< batch sizes, for each length
  unsigned frameSubsamplingFactor = 1;
  unsigned extraLeftContext = 0, extraRightContext = 0;
};

/// Adds a request for each shape after `network`, a simple one: outputs at 0,
/// the subsampling factor and so on, below the chunk length; the input frames
/// that they need; and one row of i-vectors per sequence if the network reads
/// them. The names are chunk150 for one sequence, chunk150x64 for 64. Emits
/// errors at the network.
llvm::LogicalResult createChunkRequests(NetworkOp network,
                                        const ChunkShapes &shapes);

} // namespace mlir::nnet3

#endif // LIB_PIPELINES_CHUNKREQUESTS_H

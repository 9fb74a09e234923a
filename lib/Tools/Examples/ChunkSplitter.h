//===- ChunkSplitter.h - Chunks of an utterance -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_EXAMPLES_CHUNKSPLITTER_H
#define LIB_TOOLS_EXAMPLES_CHUNKSPLITTER_H

#include "llvm/Support/Error.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace mlir::nnet3 {

/// Options for cutting examples out of utterances; lengths are in input frames.
struct ExampleChunkOptions {
  int32_t leftContext = 0, rightContext = 0;
  /// Contexts of the first and last chunk of an utterance; -1 means the same as
  /// for other chunks.
  int32_t leftContextInitial = -1, rightContextFinal = -1;
  /// Chunk sizes, the principal one first; or -1 for whole utterances.
  std::string numFrames = "1";
  int32_t numFramesOverlap = 0;
  int32_t frameSubsamplingFactor = 1;
};

/// A part of an utterance.
struct ExampleChunk {
  /// The first frame, a multiple of the subsampling factor.
  int32_t firstFrame = 0;
  /// A multiple of the subsampling factor; may exceed the utterance by less
  /// than that factor.
  int32_t numFrames = 0;
  int32_t leftContext = 0, rightContext = 0;
  /// The weight of each output frame: 1 divided by the number of chunks that
  /// contain it.
  std::vector<float> outputWeights;
};

/// Cuts utterances into chunks of given sizes, with few frames left out or used
/// twice. Chooses randomly among equally good splits (spec: nnet3bin.md 12.1).
class ChunkSplitter {
public:
  static llvm::Expected<ChunkSplitter>
  create(const ExampleChunkOptions &options);

  /// Returns the chunks of an utterance of `length` frames in order of time;
  /// none if it is too short.
  std::vector<ExampleChunk> split(int32_t length,
                                  std::mt19937_64 &random) const;

private:
  /// Chunk sizes in ascending order.
  using Split = std::vector<int32_t>;

  explicit ChunkSplitter(ExampleChunkOptions options,
                         std::vector<int32_t> sizes);

  void enumerate();
  /// Returns the number of frames that a split covers with the configured
  /// overlap.
  float getDuration(const Split &split) const;
  /// Returns the splits for `length` with nearly minimal cost.
  std::vector<const Split *> findBest(int32_t length) const;
  Split choose(int32_t length, std::mt19937_64 &random) const;
  /// Returns the first output frames of the chunks, in units of the subsampling
  /// factor.
  std::vector<int32_t> place(const Split &units, int32_t numUnits,
                             std::mt19937_64 &random) const;

  ExampleChunkOptions options;
  /// Multiples of the subsampling factor; empty for whole utterances.
  std::vector<int32_t> sizes;
  /// All splits for utterances up to `longest`.
  std::vector<Split> splits;
  int32_t longest = 0;
};

} // namespace mlir::nnet3

#endif // LIB_TOOLS_EXAMPLES_CHUNKSPLITTER_H

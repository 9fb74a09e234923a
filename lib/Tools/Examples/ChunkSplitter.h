//===- ChunkSplitter.h - The chunks of an utterance -------------*- C++ -*-===//
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

/// How examples are cut out of utterances; all lengths are frames of input.
struct ExampleChunkOptions {
  int32_t leftContext = 0, rightContext = 0;
  /// Of the first and last chunk of an utterance; -1 for as any other.
  int32_t leftContextInitial = -1, rightContextFinal = -1;
  /// Sizes of chunks, the principal one first; or -1 for whole utterances.
  std::string numFrames = "1";
  int32_t numFramesOverlap = 0;
  int32_t frameSubsamplingFactor = 1;
};

/// A part of an utterance.
struct ExampleChunk {
  /// The first frame, a multiple of the subsampling factor.
  int32_t firstFrame = 0;
  /// A multiple of the subsampling factor; may reach beyond the utterance by
  /// less than that.
  int32_t numFrames = 0;
  int32_t leftContext = 0, rightContext = 0;
  /// For each frame of output one by the number of chunks that have it.
  std::vector<float> outputWeights;
};

/// Cuts utterances into chunks of given sizes, so that little is left out or
/// used twice; what is equally good is drawn (spec: nnet3bin.md 12.1).
class ChunkSplitter {
public:
  static llvm::Expected<ChunkSplitter>
  create(const ExampleChunkOptions &options);

  /// The chunks of an utterance of `length` frames in order of time; none if
  /// it is too short for any.
  std::vector<ExampleChunk> split(int32_t length,
                                  std::mt19937_64 &random) const;

private:
  /// Sizes of chunks, ascending.
  using Split = std::vector<int32_t>;

  explicit ChunkSplitter(ExampleChunkOptions options,
                         std::vector<int32_t> sizes);

  void enumerate();
  /// How many frames a split covers with the overlap that is asked for.
  float getDuration(const Split &split) const;
  /// The splits that are about as good as any for `length`.
  std::vector<const Split *> findBest(int32_t length) const;
  Split choose(int32_t length, std::mt19937_64 &random) const;
  /// The first frames of output of the chunks, in units of the factor.
  std::vector<int32_t> place(const Split &units, int32_t numUnits,
                             std::mt19937_64 &random) const;

  ExampleChunkOptions options;
  /// Multiples of the factor; empty for whole utterances.
  std::vector<int32_t> sizes;
  /// The splits of utterances up to `longest`.
  std::vector<Split> splits;
  int32_t longest = 0;
};

} // namespace mlir::nnet3

#endif // LIB_TOOLS_EXAMPLES_CHUNKSPLITTER_H

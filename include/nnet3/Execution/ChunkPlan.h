//===- ChunkPlan.h - Division of utterances into chunks ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divides the frames of an utterance into chunks, and chooses the i-vector of
// each chunk (spec: nnet3bin.md 7, looped.md 2).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_EXECUTION_CHUNKPLAN_H
#define NNET3_EXECUTION_CHUNKPLAN_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace mlir::nnet3 {

/// The options of nnet3-compute for chunks.
struct ChunkOptions {
  /// Number of input frames for each output.
  int32_t frameSubsamplingFactor = 1;
  /// Frames (not outputs) per chunk; rounded up by roundFramesPerChunk.
  int32_t framesPerChunk = 50;
  /// Input frames beyond the network's own context.
  int32_t extraLeftContext = 0;
  int32_t extraRightContext = 0;
  /// Extra context on the left of the first chunk and on the right of the last
  /// chunk; -1 for the values above.
  int32_t extraLeftContextInitial = -1;
  int32_t extraRightContextFinal = -1;
};

/// The context of the network (NetworkContext in Compile/Context.h).
struct ChunkContext {
  int64_t left = 0;
  int64_t right = 0;
};

/// A size of chunks, in outputs.
struct ChunkSize {
  int64_t numOutputs = 0;
  /// The smallest number of outputs that are exact if the input after them is
  /// padding.
  int64_t minOutputs = 1;
};

/// The rules for dividing utterances into chunks.
enum class ChunkRules {
  /// The rules of nnet3-compute: the last chunk may be shorter than the others.
  Compute,
  /// The rules of nnet3-compute-batch: all chunks have one size. The last one
  /// begins earlier instead of being shorter, and the last frame of a short
  /// utterance is repeated (spec: looped.md 3).
  ComputeBatch,
};

/// The division of all utterances into chunks.
struct Chunking {
  ChunkOptions options;
  ChunkRules rules = ChunkRules::Compute;
  /// With `ComputeBatch`, whether utterances that are shorter than a chunk are
  /// computed without padding.
  bool exactShort = false;
  ChunkContext context;
  /// A multiple of the subsampling factor.
  int64_t framesPerChunk = 0;
  /// Sizes to which shorter chunks are padded if that is exact, ascending.
  llvm::SmallVector<ChunkSize> sizes;
  /// Whether chunks of other sizes cannot be computed.
  bool onlySizes = false;
  /// Whether sizes are added as utterances need them.
  bool pads = false;
  /// Whether many chunks are computed at once, so that additional sizes cost
  /// less than padding.
  bool batches = false;

  bool hasSize(int64_t numOutputs) const;
  void addSize(const ChunkSize &size);

  /// Returns the size for a chunk of `numOutputs` outputs; nullopt if no size
  /// computes them exactly.
  std::optional<int64_t> getSize(int64_t numOutputs) const;
};

/// A part of an utterance that is computed at once.
struct Chunk {
  /// Output rows [firstOutput, firstOutput + numOutputs).
  int64_t firstOutput = 0;
  int64_t numOutputs = 0;
  /// Number of outputs that are computed before them and not used.
  int64_t numSkipped = 0;
  /// Frame of the first output that is computed, and of the last one that is
  /// used, in the time of the utterance.
  int64_t firstFrame = 0;
  int64_t lastFrame = 0;
  /// Frame of the last output that is computed; those after lastFrame are not
  /// used.
  int64_t lastComputed = 0;
  /// Input frames [firstInput, lastInput], in the time of the utterance. Frames
  /// outside of the utterance are copies of its first or last frame.
  int64_t firstInput = 0;
  int64_t lastInput = 0;
  /// The frame whose online i-vector the chunk uses.
  int64_t ivectorFrame = 0;
  /// Whether the chunk has another context than chunks within an utterance.
  bool isEdge = false;
};

/// Rounds `options.framesPerChunk` up to a multiple of the subsampling factor
/// and of the network's time modulus.
int64_t roundFramesPerChunk(const ChunkOptions &options, int64_t modulus);

/// Returns the padded size of a chunk of `numOutputs` outputs: `perChunk`, half
/// of it rounded up, a quarter and so on, but at least 64 frames, with outputs
/// `factor` frames apart. Few sizes thus serve all chunks, and at most half of
/// a chunk is padding, except for short ones.
int64_t getPaddedSize(int64_t numOutputs, int64_t perChunk, int64_t factor);

/// Returns the padded size if chunks are computed in batches: the next multiple
/// of an eighth of `perChunk`.
int64_t getBatchedSize(int64_t numOutputs, int64_t perChunk);

/// Returns the chunks of an utterance of `numFrames` frames. A padded last
/// chunk repeats the last frame. If no size computes the last chunk exactly,
/// the result ends before it. Options must be in their valid ranges.
llvm::SmallVector<Chunk> planChunks(int64_t numFrames,
                                    const Chunking &chunking);

/// Returns the row of a matrix of `numRows` i-vectors, one for every `period`
/// frames, that `chunk` uses: the row at its middle, or the last one. Returns
/// nullopt if the i-vectors end too early, more than 50 frames before with the
/// rules of nnet3-compute, or 20 with those of nnet3-compute-batch.
std::optional<int64_t>
getOnlineIvectorRow(const Chunk &chunk, int64_t numRows, int64_t period,
                    ChunkRules rules = ChunkRules::Compute);

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_CHUNKPLAN_H

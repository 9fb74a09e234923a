//===- ChunkPlan.h - Utterances cut into chunks -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which frames go into the network at once, and which i-vector with them
// (spec: nnet3bin.md 7, looped.md 2).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_EXECUTION_CHUNKPLAN_H
#define NNET3_EXECUTION_CHUNKPLAN_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace mlir::nnet3 {

/// How utterances are cut; the options of nnet3-compute.
struct ChunkOptions {
  /// Output every so many frames.
  int32_t frameSubsamplingFactor = 1;
  /// Frames (not outputs) per chunk; rounded up by roundFramesPerChunk.
  int32_t framesPerChunk = 50;
  /// Input frames beyond the network's own context.
  int32_t extraLeftContext = 0;
  int32_t extraRightContext = 0;
  /// The same for the first chunk's left and the last chunk's right end; -1: as
  /// for the others.
  int32_t extraLeftContextInitial = -1;
  int32_t extraRightContextFinal = -1;
};

/// What the network needs to see (NetworkContext in Compile/Context.h).
struct ChunkContext {
  int64_t left = 0;
  int64_t right = 0;
};

/// A number of outputs that chunks are computed with.
struct ChunkSize {
  int64_t numOutputs = 0;
  /// How few outputs of them are exact if the input behind is padding.
  int64_t minOutputs = 1;
};

/// Whose rules cut utterances.
enum class ChunkRules {
  /// nnet3-compute's: the last chunk may be shorter than the others.
  Compute,
  /// nnet3-compute-batch's: all chunks have one size. The last one begins
  /// earlier instead, and a short utterance is computed as if its last frame
  /// went on (spec: looped.md 3).
  ComputeBatch,
};

/// How all utterances are cut.
struct Chunking {
  ChunkOptions options;
  ChunkRules rules = ChunkRules::Compute;
  /// With `ComputeBatch`, whether utterances shorter than a chunk are computed
  /// at their own length.
  bool exactShort = false;
  ChunkContext context;
  /// A multiple of the subsampling factor.
  int64_t framesPerChunk = 0;
  /// Sizes that shorter chunks are padded to where that is exact, in ascending
  /// order.
  llvm::SmallVector<ChunkSize> sizes;
  /// Whether chunks of other sizes cannot be computed.
  bool onlySizes = false;
  /// Whether sizes are added as utterances need them.
  bool pads = false;
  /// Whether many chunks are computed at once, so that a few more sizes cost
  /// less than padding.
  bool batches = false;

  bool hasSize(int64_t numOutputs) const;
  void addSize(const ChunkSize &size);

  /// How many outputs are computed where `numOutputs` are wanted; none if there
  /// is no size that computes them exactly.
  std::optional<int64_t> getSize(int64_t numOutputs) const;
};

/// A part of an utterance that is computed at once.
struct Chunk {
  /// Output rows [firstOutput, firstOutput + numOutputs).
  int64_t firstOutput = 0;
  int64_t numOutputs = 0;
  /// Outputs that are computed before them, and not used.
  int64_t numSkipped = 0;
  /// Frame of the first output that is computed, and of the last one that is
  /// used, in the utterance's own time.
  int64_t firstFrame = 0;
  int64_t lastFrame = 0;
  /// Frame of the last output that is computed; those after lastFrame are not
  /// used.
  int64_t lastComputed = 0;
  /// Input frames [firstInput, lastInput], in the utterance's own time; those
  /// outside of the utterance stand for its first or last frame.
  int64_t firstInput = 0;
  int64_t lastInput = 0;
  /// The frame whose online i-vector the chunk takes.
  int64_t ivectorFrame = 0;
  /// Whether it has another context than chunks within an utterance.
  bool isEdge = false;
};

/// `options.framesPerChunk` rounded up to a multiple of the subsampling factor
/// and of the network's time modulus.
int64_t roundFramesPerChunk(const ChunkOptions &options, int64_t modulus);

/// The size that a chunk of `numOutputs` outputs is padded to: `perChunk`, or
/// half of it rounded up, a quarter and so on, but at least 64 frames, with
/// outputs `factor` frames apart. So few sizes serve all chunks, and at most
/// half of one is padding unless it is short.
int64_t getPaddedSize(int64_t numOutputs, int64_t perChunk, int64_t factor);

/// The same where chunks are computed in batches: the next multiple of an
/// eighth of `perChunk`.
int64_t getBatchedSize(int64_t numOutputs, int64_t perChunk);

/// The chunks of an utterance of `numFrames` frames. A last one that is padded
/// is computed as if the last frame went on. If no size computes it exactly,
/// the result ends before it. The options are positive and not negative where
/// that makes sense.
llvm::SmallVector<Chunk> planChunks(int64_t numFrames,
                                    const Chunking &chunking);

/// The row of a matrix of `numRows` i-vectors, one for every `period` frames,
/// that `chunk` takes: the one of its middle, or the last one. None if the
/// i-vectors end too long before: 50 frames with nnet3-compute's rules, 20 with
/// nnet3-compute-batch's.
std::optional<int64_t>
getOnlineIvectorRow(const Chunk &chunk, int64_t numRows, int64_t period,
                    ChunkRules rules = ChunkRules::Compute);

} // namespace mlir::nnet3

#endif // NNET3_EXECUTION_CHUNKPLAN_H

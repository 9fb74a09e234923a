//===- ChunkPlan.cpp - Splitting utterances into chunks -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/ChunkPlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace mlir::nnet3;

int64_t mlir::nnet3::roundFramesPerChunk(const ChunkOptions &options,
                                         int64_t modulus) {
  int64_t unit = std::lcm<int64_t>(options.frameSubsamplingFactor, modulus);
  return (options.framesPerChunk + unit - 1) / unit * unit;
}

std::optional<int64_t> Chunking::getSize(int64_t numOutputs) const {
  for (const ChunkSize &size : sizes)
    if (numOutputs == size.numOutputs ||
        (numOutputs < size.numOutputs && numOutputs >= size.minOutputs))
      return size.numOutputs;
  return onlySizes ? std::nullopt : std::optional(numOutputs);
}

bool Chunking::hasSize(int64_t numOutputs) const {
  return llvm::any_of(sizes, [&](const ChunkSize &size) {
    return size.numOutputs == numOutputs;
  });
}

void Chunking::addSize(const ChunkSize &size) {
  auto after = llvm::find_if(sizes, [&](const ChunkSize &other) {
    return other.numOutputs > size.numOutputs;
  });
  sizes.insert(after, size);
}

int64_t mlir::nnet3::getPaddedSize(int64_t numOutputs, int64_t perChunk,
                                   int64_t factor) {
  constexpr int64_t kMinFrames = 64;
  int64_t size = perChunk;
  for (int64_t half = (size + 1) / 2;
       half < size && half >= numOutputs && half * factor >= kMinFrames;
       half = (size + 1) / 2)
    size = half;
  return size;
}

int64_t mlir::nnet3::getBatchedSize(int64_t numOutputs, int64_t perChunk) {
  constexpr int64_t kNumSizes = 8;
  const int64_t unit = llvm::divideCeil(perChunk, kNumSizes);
  return std::min<int64_t>(llvm::divideCeil(numOutputs, unit) * unit, perChunk);
}

/// Sets the first and last input frame of `chunk`, with `numBehind` frames more
/// than the network's context at the end. `isFirst` and `isLast` tell where the
/// chunk is in its utterance.
static void setContext(Chunk &chunk, bool isFirst, bool isLast,
                       int64_t numBehind, const Chunking &chunking) {
  const ChunkOptions &options = chunking.options;
  int64_t left = options.extraLeftContext, right = options.extraRightContext;
  if (isFirst && options.extraLeftContextInitial >= 0)
    left = options.extraLeftContextInitial;
  if (isLast && options.extraRightContextFinal >= 0)
    right = options.extraRightContextFinal;
  chunk.firstInput = chunk.firstFrame - chunking.context.left - left;
  chunk.lastInput =
      chunk.lastComputed + numBehind + chunking.context.right + right;
  chunk.isEdge =
      left != options.extraLeftContext || right != options.extraRightContext;
}

/// Plans the chunk of nnet3-compute-batch whose outputs from `first` on are
/// used.
static Chunk planFullChunk(int64_t first, int64_t numOutputs,
                           const Chunking &chunking) {
  const int64_t factor = chunking.options.frameSubsamplingFactor;
  const int64_t perChunk = chunking.framesPerChunk / factor;
  const int64_t size =
      chunking.exactShort ? std::min(perChunk, numOutputs) : perChunk;
  const int64_t start =
      std::min(first, std::max<int64_t>(numOutputs - size, 0));
  Chunk chunk;
  chunk.firstOutput = first;
  chunk.numOutputs = std::min(perChunk, numOutputs - first);
  chunk.numSkipped = first - start;
  chunk.firstFrame = start * factor;
  chunk.lastFrame = (first + chunk.numOutputs - 1) * factor;
  chunk.lastComputed = (start + size - 1) * factor;
  // The middle of the computed outputs, even if the utterance is shorter.
  chunk.ivectorFrame = (start + size / 2) * factor;
  // The chunk includes all frames of the last output's subsampling period;
  // networks with a backward recurrence read them.
  setContext(chunk, start == 0, start + size >= numOutputs, factor - 1,
             chunking);
  return chunk;
}

/// Plans the chunk of nnet3-compute that begins at output `first`; none if no
/// size computes it exactly.
static std::optional<Chunk> planChunk(int64_t first, int64_t numOutputs,
                                      const Chunking &chunking) {
  const int64_t factor = chunking.options.frameSubsamplingFactor;
  Chunk chunk;
  chunk.firstOutput = first;
  chunk.numOutputs =
      std::min(chunking.framesPerChunk / factor, numOutputs - first);
  std::optional<int64_t> size = chunking.getSize(chunk.numOutputs);
  if (!size)
    return std::nullopt;
  const int64_t last = first + chunk.numOutputs - 1;
  chunk.firstFrame = first * factor;
  chunk.lastFrame = last * factor;
  chunk.lastComputed = (first + *size - 1) * factor;
  chunk.ivectorFrame =
      chunk.firstFrame + (chunk.lastFrame - chunk.firstFrame) / 2;
  setContext(chunk, first == 0, last == numOutputs - 1, 0, chunking);
  return chunk;
}

llvm::SmallVector<Chunk> mlir::nnet3::planChunks(int64_t numFrames,
                                                 const Chunking &chunking) {
  const int64_t factor = chunking.options.frameSubsamplingFactor;
  const int64_t numOutputs = llvm::divideCeil(numFrames, factor);
  llvm::SmallVector<Chunk> chunks;
  for (int64_t first = 0; first < numOutputs;
       first += chunking.framesPerChunk / factor) {
    if (chunking.rules == ChunkRules::ComputeBatch) {
      chunks.push_back(planFullChunk(first, numOutputs, chunking));
      continue;
    }
    std::optional<Chunk> chunk = planChunk(first, numOutputs, chunking);
    if (!chunk)
      break;
    chunks.push_back(*chunk);
  }
  return chunks;
}

std::optional<int64_t> mlir::nnet3::getOnlineIvectorRow(const Chunk &chunk,
                                                        int64_t numRows,
                                                        int64_t period,
                                                        ChunkRules rules) {
  // The largest distance in rows from the last i-vector to the middle of the
  // chunk, from 50 or 20 frames.
  const int64_t maxMissing = rules == ChunkRules::Compute
                                 ? 50 / period
                                 : llvm::divideCeil(int64_t(20), period);
  const int64_t row = chunk.ivectorFrame / period;
  const int64_t lastRow = numRows - 1;
  if (row <= lastRow)
    return row;
  if (lastRow < 0 || row - lastRow > maxMissing)
    return std::nullopt;
  return lastRow;
}

//===- ChunkPlan.cpp - Utterances cut into chunks -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/ChunkPlan.h"

#include "llvm/ADT/STLExtras.h"

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

llvm::SmallVector<Chunk> mlir::nnet3::planChunks(int64_t numFrames,
                                                 const Chunking &chunking) {
  const ChunkOptions &options = chunking.options;
  int64_t factor = options.frameSubsamplingFactor;
  int64_t numOutputs = (numFrames + factor - 1) / factor;
  int64_t perChunk = chunking.framesPerChunk / factor;
  llvm::SmallVector<Chunk> chunks;
  for (int64_t first = 0; first < numOutputs; first += perChunk) {
    Chunk chunk;
    chunk.firstOutput = first;
    chunk.numOutputs = std::min(perChunk, numOutputs - first);
    std::optional<int64_t> size = chunking.getSize(chunk.numOutputs);
    if (!size)
      break;
    int64_t last = first + chunk.numOutputs - 1;
    chunk.firstFrame = first * factor;
    chunk.lastFrame = last * factor;
    chunk.lastComputed = (first + *size - 1) * factor;
    int64_t left = options.extraLeftContext, right = options.extraRightContext;
    if (first == 0 && options.extraLeftContextInitial >= 0)
      left = options.extraLeftContextInitial;
    if (last == numOutputs - 1 && options.extraRightContextFinal >= 0)
      right = options.extraRightContextFinal;
    chunk.firstInput = chunk.firstFrame - chunking.context.left - left;
    chunk.lastInput = chunk.lastComputed + chunking.context.right + right;
    chunks.push_back(chunk);
  }
  return chunks;
}

std::optional<int64_t> mlir::nnet3::getOnlineIvectorRow(const Chunk &chunk,
                                                        int64_t numRows,
                                                        int64_t period) {
  // How far, in frames, the i-vectors may end before the middle of the chunk.
  constexpr int64_t kMaxMissing = 50;
  int64_t middle = chunk.firstFrame + (chunk.lastFrame - chunk.firstFrame) / 2;
  int64_t row = middle / period;
  int64_t lastRow = numRows - 1;
  if (row <= lastRow)
    return row;
  if (lastRow < 0 || (row - lastRow) * period > kMaxMissing)
    return std::nullopt;
  return lastRow;
}

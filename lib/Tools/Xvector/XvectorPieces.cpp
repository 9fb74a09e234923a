//===- XvectorPieces.cpp - Pieces of an utterance -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "XvectorPieces.h"

#include <algorithm>

using namespace mlir::nnet3;

std::vector<XvectorPiece> mlir::nnet3::splitIntoPieces(int64_t numFrames,
                                                       int64_t chunkSize,
                                                       int64_t minChunkSize,
                                                       bool padInput) {
  std::vector<XvectorPiece> pieces;
  if (!padInput && numFrames < minChunkSize)
    return pieces;
  if (chunkSize < 0 || chunkSize > numFrames)
    chunkSize = numFrames;
  for (int64_t first = 0; first < numFrames; first += chunkSize) {
    XvectorPiece piece{first, std::min(chunkSize, numFrames - first)};
    if (piece.numFrames < minChunkSize) {
      if (!padInput)
        continue;
      piece.padBefore = (minChunkSize - piece.numFrames) / 2;
      piece.padBehind = minChunkSize - piece.numFrames - piece.padBefore;
    }
    pieces.push_back(piece);
  }
  return pieces;
}

/// Divides `total` into `count` parts that differ by at most 1. Parts of
/// smaller magnitude come first.
static std::vector<int64_t> divide(int64_t total, int64_t count) {
  const int64_t size = std::abs(total), sign = total < 0 ? -1 : 1;
  std::vector<int64_t> parts(count, sign * (size / count));
  for (int64_t i = count - size % count; i < count; ++i)
    parts[i] += sign;
  return parts;
}

std::vector<XvectorPiece> mlir::nnet3::splitEvenly(int64_t numFrames,
                                                   int64_t chunkSize,
                                                   int64_t context,
                                                   bool padInput) {
  if (numFrames < chunkSize) {
    if (!padInput)
      return {};
    return {{0, numFrames, 0, chunkSize - numFrames}};
  }
  if (numFrames == chunkSize)
    return {{0, chunkSize}};
  // Frames of a piece and of the utterance, without context.
  const int64_t seen = chunkSize - context, all = numFrames - context;
  const int64_t fewer = all / seen, more = fewer + 1;
  // With an overlap, `twice` frames count twice and `once` frames count once.
  // Choose gaps or overlaps such that the weights of frames have the smaller
  // variance.
  const int64_t twice = more * seen - all, once = all - twice;
  const double varianceOfFewer = 1.0 / double(fewer * seen);
  const double varianceOfMore = double(once + 4 * twice) /
                                (double(once + 2 * twice) * (once + 2 * twice));
  std::vector<XvectorPiece> pieces;
  if (varianceOfFewer <= varianceOfMore) {
    const std::vector<int64_t> gaps = divide(all - fewer * seen, fewer + 1);
    int64_t first = 0;
    for (int64_t i = 0; i < fewer; ++i) {
      first += gaps[i];
      pieces.push_back({first, chunkSize});
      first += seen;
    }
    return pieces;
  }
  const std::vector<int64_t> gaps = divide(all - more * seen, more - 1);
  int64_t first = 0;
  for (int64_t i = 0; i < more; ++i) {
    pieces.push_back({first, chunkSize});
    first += seen + (i + 1 < more ? gaps[i] : 0);
  }
  return pieces;
}

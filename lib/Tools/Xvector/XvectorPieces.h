//===- XvectorPieces.h - Pieces of an utterance -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_XVECTOR_XVECTORPIECES_H
#define LIB_TOOLS_XVECTOR_XVECTORPIECES_H

#include <cstdint>
#include <vector>

namespace mlir::nnet3 {

/// The frames of one computation.
struct XvectorPiece {
  int64_t firstFrame = 0, numFrames = 0;
  /// Number of repetitions of the utterance's first and last frame.
  int64_t padBefore = 0, padBehind = 0;

  int64_t getLength() const { return padBefore + numFrames + padBehind; }
};

/// Splits an utterance into consecutive pieces of `chunkSize` frames, or a
/// single piece for -1. A piece of fewer than `minChunkSize` frames is padded
/// if `padInput`, and otherwise left out.
std::vector<XvectorPiece> splitIntoPieces(int64_t numFrames, int64_t chunkSize,
                                          int64_t minChunkSize, bool padInput);

/// Splits an utterance into pieces of exactly `chunkSize` frames, with evenly
/// distributed gaps or overlaps, given the `context` of the network. Returns no
/// piece for a shorter utterance unless `padInput`.
std::vector<XvectorPiece> splitEvenly(int64_t numFrames, int64_t chunkSize,
                                      int64_t context, bool padInput);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_XVECTOR_XVECTORPIECES_H

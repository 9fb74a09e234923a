//===- XvectorPieces.h - The pieces of an utterance -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_XVECTOR_XVECTORPIECES_H
#define LIB_TOOLS_XVECTOR_XVECTORPIECES_H

#include <cstdint>
#include <vector>

namespace mlir::nnet3 {

/// Frames that one computation gets.
struct XvectorPiece {
  int64_t firstFrame = 0, numFrames = 0;
  /// Repetitions of the utterance's first and last frame of the piece.
  int64_t padBefore = 0, padBehind = 0;

  int64_t getLength() const { return padBefore + numFrames + padBehind; }
};

/// Pieces of `chunkSize` frames one behind the other, -1 for one piece; a piece
/// of fewer than `minChunkSize` frames is padded, or else left out.
std::vector<XvectorPiece> splitIntoPieces(int64_t numFrames, int64_t chunkSize,
                                          int64_t minChunkSize, bool padInput);

/// Pieces of exactly `chunkSize` frames, with gaps or overlaps between them
/// such that what a network of so many frames of context does not see is
/// spread evenly. None for a shorter utterance unless it is padded.
std::vector<XvectorPiece> splitEvenly(int64_t numFrames, int64_t chunkSize,
                                      int64_t context, bool padInput);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_XVECTOR_XVECTORPIECES_H

//===- StreamFacts.h - What streams of a library take and give --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_SCHEDULER_STREAMFACTS_H
#define NNET3_RUNTIME_SCHEDULER_STREAMFACTS_H

#include "runner/library/LibraryFunctions.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nnet3 {
namespace rt {

/// What a library says of its streams.
struct StreamFacts {
  nnet3lib_stream_info info = {};
  std::vector<nnet3lib_chunk_info> chunks; ///< ascending

  int32_t longestChunk() const { return chunks.back().num_frames; }
  /// The most rows that a chunk takes of the input, or of i-vectors.
  int32_t mostInputRows() const;
  int32_t mostIvectorRows() const;

  /// How many of \p numReady streams to compute at once, at most \p maxBatch,
  /// by one who comes back for the others: as many as make the batch with the
  /// most streams for its cost. The longer others wait, the larger it is.
  size_t chooseBatch(size_t numReady, size_t maxBatch) const;

  /// Asks the library; its status where it computes no streams.
  static nnet3lib_status read(const LibraryFunctions &functions,
                              const nnet3lib_model *model, StreamFacts &facts);
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_SCHEDULER_STREAMFACTS_H

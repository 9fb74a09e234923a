//===- StreamFacts.h - Stream information of a library ----------*- C++ -*-===//
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

/// The stream information of a library.
struct StreamFacts {
  nnet3lib_stream_info info = {};
  std::vector<nnet3lib_chunk_info> chunks; ///< ascending

  int32_t longestChunk() const { return chunks.back().num_frames; }
  /// Largest numbers of rows of the input and of i-vectors in a chunk.
  int32_t mostInputRows() const;
  int32_t mostIvectorRows() const;

  /// Returns how many of \p numReady streams to compute in the next step, at
  /// most
  /// \p maxBatch: multiples of the largest batch size or, with fewer streams,
  /// the batch with the most streams per cost. The rest waits for the next
  /// step.
  size_t chooseBatch(size_t numReady, size_t maxBatch) const;

  /// Queries the library. Returns its status, an error if it does not support
  /// streams.
  static nnet3lib_status read(const LibraryFunctions &functions,
                              const nnet3lib_model *model, StreamFacts &facts);
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_SCHEDULER_STREAMFACTS_H

//===- LibraryStream.h - Streams of a library -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_LIBRARY_LIBRARYSTREAM_H
#define NNET3_RUNTIME_LIBRARY_LIBRARYSTREAM_H

#include "BatchPlan.h"

#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

namespace nnet3 {
namespace rt {

/// Rows of a node in the state of a stream.
struct KeptRows {
  std::string_view node;
  /// The output of a request that has the rows; empty for an input node.
  std::string_view output;
  /// Times of the rows of an input node, ascending.
  std::vector<int32_t> times;
  int32_t rows = 0, cols = 0;
  uint64_t offset = 0; ///< floats from the first row of the state
};

/// The sources of an input of a request. For each stream, its rows are those of
/// the state followed by the caller's new rows; either may be empty.
struct StreamInput {
  int32_t state = -1;   ///< number of the state's node; -1: none
  int32_t given = -1;   ///< 0: `input`, 1: `ivector`; -1: none
  int32_t newRows = 0;  ///< per stream, from the caller
  int32_t keptRows = 0; ///< per stream, from the state
  int32_t cols = 0;
  /// For each row of the next state, its position among the input rows of one
  /// stream; -1: the row is zero. Positions never precede the row that they
  /// replace.
  std::vector<int32_t> keep;

  bool operator==(const StreamInput &other) const {
    return std::tie(state, given, newRows, keptRows, cols, keep) ==
           std::tie(other.state, other.given, other.newRows, other.keptRows,
                    other.cols, other.keep);
  }
};

/// The inputs and outputs of a chunk's requests for one stream.
struct StreamShape {
  std::vector<StreamInput> inputs;
  /// For each output of a request, the number of the state that it updates; -1:
  /// the output of the stream.
  std::vector<int32_t> outputs;
  int32_t newRows[2] = {0, 0}; ///< of `input` and `ivector`
  int32_t outputRows = 0, outputCols = 0;

  bool operator==(const StreamShape &other) const {
    return std::tie(inputs, outputs, outputRows, outputCols) ==
           std::tie(other.inputs, other.outputs, other.outputRows,
                    other.outputCols);
  }
};

/// A request, and the number of streams in one of its blocks.
struct BatchRequest {
  int32_t numStreams = 0;
  int32_t request = -1;
};

/// The requests that compute a chunk, and the plan of batches.
struct StreamStep : StreamShape {
  std::vector<BatchRequest> batches; ///< ascending; empty: not possible
  BatchPlan plan;
};

struct StreamChunk {
  int32_t numFrames = 0;
  StreamStep first, next;
  /// The numbers of streams for which the library has requests, ascending.
  std::vector<int32_t> batchSizes;
};

struct LibraryStream {
  int32_t left = 0, right = 0;
  int32_t factor = 1, period = 1;
  bool dependsOnChunks = false, dependsOnEnd = false;
  std::vector<KeptRows> states;
  std::vector<StreamChunk> chunks;
  uint64_t stateFloats = 0;
  /// Identifies the library in states.
  uint64_t identity = 0;
};

/// The header of a state; the rows follow.
struct StateHeader {
  static constexpr uint64_t kMagic = 0x4554415453334e4e; ///< "NN3STATE"

  uint64_t magic = kMagic;
  uint32_t version = 1;
  uint32_t hasBegun = 0;
  uint64_t identity = 0;
  uint64_t size = 0;
  uint64_t checksum = 0; ///< of hasBegun and the rows; 0: not sealed
  uint64_t reserved[3] = {0, 0, 0};
};
static_assert(sizeof(StateHeader) == 64);

/// Whether the memory has a state of \p stream, sealed or not.
bool isState(const LibraryStream &stream, const void *state);

/// Bytes of a state.
inline uint64_t stateBytes(const LibraryStream &stream) {
  return sizeof(StateHeader) + stream.stateFloats * sizeof(float);
}

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_LIBRARY_LIBRARYSTREAM_H

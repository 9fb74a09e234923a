//===- LibraryStream.h - How a library computes streams ---------*- C++ -*-===//
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

/// Rows that are in the state of a stream.
struct KeptRows {
  std::string_view node;
  /// Of a request; empty: the rows are those of an input node.
  std::string_view output;
  /// Of the rows of an input node, ascending.
  std::vector<int32_t> times;
  int32_t rows = 0, cols = 0;
  uint64_t offset = 0; ///< floats from the first row of the state
};

/// Where an input of a request comes from: for each stream first rows of its
/// state, then rows that the caller gives, or one of the two.
struct StreamInput {
  int32_t state = -1;   ///< number; -1: none
  int32_t given = -1;   ///< 0: `input`, 1: `ivector`; -1: none
  int32_t newRows = 0;  ///< of a stream, that the caller gives
  int32_t keptRows = 0; ///< of a stream, from the state
  int32_t cols = 0;
  /// For each row that is kept for the next chunk its place in the rows of the
  /// input, of one stream; -1: there is none, so that it is zero. A row that
  /// was kept moves forward.
  std::vector<int32_t> keep;

  bool operator==(const StreamInput &other) const {
    return std::tie(state, given, newRows, keptRows, cols, keep) ==
           std::tie(other.state, other.given, other.newRows, other.keptRows,
                    other.cols, other.keep);
  }
};

/// What the requests for a chunk take and give for one stream.
struct StreamShape {
  std::vector<StreamInput> inputs;
  /// For each output of a request the state that it is; -1: the output.
  std::vector<int32_t> outputs;
  int32_t newRows[2] = {0, 0}; ///< of `input` and `ivector`
  int32_t outputRows = 0, outputCols = 0;

  bool operator==(const StreamShape &other) const {
    return std::tie(inputs, outputs, outputRows, outputCols) ==
           std::tie(other.inputs, other.outputs, other.outputRows,
                    other.outputCols);
  }
};

/// So many streams that a run of a request's code computes: those of a block.
struct StreamBatch {
  int32_t numStreams = 0;
  int32_t request = -1;
};

/// How a chunk is computed.
struct StreamStep : StreamShape {
  std::vector<StreamBatch> batches; ///< ascending; empty: not at all
  BatchPlan plan;
};

struct StreamChunk {
  int32_t numFrames = 0;
  StreamStep first, next;
  /// Of how many streams the library has requests, ascending.
  std::vector<int32_t> batchSizes;
};

struct LibraryStream {
  int32_t left = 0, right = 0;
  int32_t factor = 1, period = 1;
  bool dependsOnChunks = false;
  std::vector<KeptRows> states;
  std::vector<StreamChunk> chunks;
  uint64_t stateFloats = 0;
  /// Says for which library a state is.
  uint64_t identity = 0;
};

/// At the beginning of a state; the rows follow.
struct StateHeader {
  static constexpr uint64_t kMagic = 0x4554415453334e4e; ///< "NN3STATE"

  uint64_t magic = kMagic;
  uint32_t version = 1;
  uint32_t hasBegun = 0;
  uint64_t identity = 0;
  uint64_t size = 0;
  uint64_t checksum = 0; ///< of what follows the header; 0: not sealed
  uint64_t reserved[3] = {0, 0, 0};
};
static_assert(sizeof(StateHeader) == 64);

/// Whether the memory is a state of the stream, sealed or not.
bool isState(const LibraryStream &stream, const void *state);

/// Bytes of a state.
inline uint64_t stateBytes(const LibraryStream &stream) {
  return sizeof(StateHeader) + stream.stateFloats * sizeof(float);
}

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_LIBRARY_LIBRARYSTREAM_H

//===- LibraryStream.h - How a library computes streams ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_LIBRARY_LIBRARYSTREAM_H
#define NNET3_RUNTIME_LIBRARY_LIBRARYSTREAM_H

#include <cstdint>
#include <string_view>
#include <vector>

namespace nnet3 {
namespace rt {

/// Rows that are in the state of a stream, those of one sequence after the
/// other.
struct KeptRows {
  std::string_view node;
  /// Of a request; empty: the rows are those of an input node.
  std::string_view output;
  /// Of the rows of one sequence of an input node.
  std::vector<int32_t> times;
  int32_t rows = 0; ///< of one sequence
  int32_t cols = 0;
  uint64_t offset = 0; ///< floats from the first row of the state
};

/// Where an input of a request comes from: rows of the state, rows that the
/// caller gives, or of each sequence first these and then those.
struct StreamInput {
  int32_t state = -1;   ///< number; -1: none
  int32_t given = -1;   ///< 0: `input`, 1: `ivector`; -1: none
  int32_t newRows = 0;  ///< of one sequence, that the caller gives
  int32_t keptRows = 0; ///< of one sequence, from the state
  int32_t cols = 0;
  /// For each row that is kept for the next chunk its place in the rows of the
  /// input, of one sequence; -1: there is none, so that it is zero.
  std::vector<int32_t> keep;
};

/// A request that computes a chunk.
struct StreamStep {
  int32_t request = -1; ///< -1: there is none
  std::vector<StreamInput> inputs;
  /// For each output of the request the state that it is; -1: the output.
  std::vector<int32_t> outputs;
  int32_t newRows[2] = {0, 0}; ///< of one sequence, of `input` and `ivector`
  int32_t outputRows = 0;      ///< of one sequence
  int32_t outputCols = 0;
};

struct StreamChunk {
  int32_t numFrames = 0;
  StreamStep first, next;
};

struct LibraryStream {
  int32_t left = 0, right = 0;
  int32_t factor = 1, period = 1, numSequences = 1;
  bool dependsOnChunks = false;
  std::vector<KeptRows> states;
  std::vector<StreamChunk> chunks;
  uint64_t stateFloats = 0;
  /// Says for which library a state is.
  uint64_t identity = 0;
  /// The most floats of an input that is put together.
  uint64_t inputFloats = 0;
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

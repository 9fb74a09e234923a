//===- StreamState.cpp - The state of a stream ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryModel.h"
#include "nnet3/runtime/Container.h"

using namespace nnet3::rt;

static nnet3lib_status checkMemory(const nnet3lib_model *model,
                                   const void *state) {
  if (!model || !state)
    return NNET3LIB_NULL_ARGUMENT;
  if (!model->stream)
    return NNET3LIB_NO_SUCH_CHUNK;
  return reinterpret_cast<uintptr_t>(state) % NNET3LIB_ALIGNMENT == 0
             ? NNET3LIB_OK
             : NNET3LIB_MISALIGNED;
}

bool nnet3::rt::isState(const LibraryStream &stream, const void *state) {
  const auto &header = *static_cast<const StateHeader *>(state);
  const StateHeader expected;
  return std::memcmp(header.reserved, expected.reserved,
                     sizeof(header.reserved)) == 0 &&
         header.magic == expected.magic && header.version == expected.version &&
         header.hasBegun <= 1 && header.identity == stream.identity &&
         header.size == stateBytes(stream);
}

/// The checksum of hasBegun and the rows; isState() checks the other fields.
static uint64_t computeChecksum(const LibraryStream &stream,
                                const void *state) {
  const auto &header = *static_cast<const StateHeader *>(state);
  const uint64_t parts[2] = {
      header.hasBegun,
      checksum(&header + 1, stream.stateFloats * sizeof(float))};
  return checksum(parts, sizeof(parts));
}

nnet3lib_status nnet3lib_state_init(const nnet3lib_model *model, void *state,
                                    uint64_t size) {
  if (const nnet3lib_status status = checkMemory(model, state))
    return status;
  const uint64_t expected = stateBytes(*model->stream);
  if (size < expected)
    return NNET3LIB_MEMORY_TOO_SMALL;
  std::memset(state, 0, expected);
  StateHeader header;
  header.identity = model->stream->identity;
  header.size = expected;
  std::memcpy(state, &header, sizeof(header));
  return NNET3LIB_OK;
}

nnet3lib_status nnet3lib_state_seal(const nnet3lib_model *model, void *state) {
  if (const nnet3lib_status status = checkMemory(model, state))
    return status;
  if (!isState(*model->stream, state))
    return NNET3LIB_WRONG_STATE;
  static_cast<StateHeader *>(state)->checksum =
      computeChecksum(*model->stream, state);
  return NNET3LIB_OK;
}

nnet3lib_status nnet3lib_state_check(const nnet3lib_model *model,
                                     const void *state, uint64_t size) {
  if (const nnet3lib_status status = checkMemory(model, state))
    return status;
  if (size < stateBytes(*model->stream))
    return NNET3LIB_MEMORY_TOO_SMALL;
  const bool isWhole = isState(*model->stream, state) &&
                       static_cast<const StateHeader *>(state)->checksum ==
                           computeChecksum(*model->stream, state);
  return isWhole ? NNET3LIB_OK : NNET3LIB_WRONG_STATE;
}

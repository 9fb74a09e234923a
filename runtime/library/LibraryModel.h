//===- LibraryModel.h - An opened library -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_LIBRARY_LIBRARYMODEL_H
#define NNET3_RUNTIME_LIBRARY_LIBRARYMODEL_H

#include "Backend.h"
#include "LibraryStream.h"
#include "core/AlignedMemory.h"
#include "core/BufferChecker.h"
#include "core/Loader.h"
#include "nnet3/runtime/GeneratedCode.h"
#include "nnet3/runtime/library_generated.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {

/// A matrix that the caller fills or reads; the rows of one run of the code are
/// in the arena.
struct PlacedMatrix {
  IoInfo info;
  uint64_t offset = 0; ///< floats
  int64_t stride = 0;
  /// Of an output that several runs compute: floats of those before it.
  uint64_t whole = 0;
};

struct LibraryRequest {
  const char *name = "";
  uint64_t arenaFloats = 0;
  int32_t minOutputs = 0; ///< exact on padded input; 0: not known
  int32_t blocks = 1;     ///< runs of the code
  /// Of all outputs, if several runs compute them; each is aligned.
  uint64_t wholeFloats = 0;
  std::vector<PlacedMatrix> inputs, outputs;
  nnet3lib_run_fn run = nullptr;
};

/// A call of a component by generated code.
struct LibraryCall {
  int32_t component = -1;
  int32_t inRows = 0, inCols = 0;
  int32_t outRows = 0, outCols = 0;
  uint32_t number = 0;
  std::unique_ptr<CommandPlan> plan;
};

/// Puts \p text where the caller wants it, cut off to fit; \p message may be
/// null.
inline void tell(char *message, uint64_t size, const char *text) {
  if (!message || size == 0)
    return;
  const uint64_t length = std::min<uint64_t>(std::strlen(text), size - 1);
  std::memcpy(message, text, length);
  message[length] = '\0';
}

/// Rounds up to the alignment of instances.
constexpr uint64_t alignInstance(uint64_t bytes) {
  return (bytes + NNET3LIB_ALIGNMENT - 1) / NNET3LIB_ALIGNMENT *
         NNET3LIB_ALIGNMENT;
}

} // namespace rt
} // namespace nnet3

/// Immutable but for the count of its users.
struct nnet3lib_model {
  /// The handle and the instances.
  mutable std::atomic<int64_t> users{1};

  const nnet3::rt::schema::Library *root = nullptr;
  uint64_t metadataSize = 0;
  nnet3::rt::Weights weights;
  /// Of the image.
  const void *tuning = nullptr;
  uint64_t tuningSize = 0;
  /// Where the weights are in a file of their own.
  std::shared_ptr<nnet3::rt::MappedFile> file;
  /// The weights, where they were copied.
  nnet3::rt::AlignedBytes weightsCopy;
  nnet3::rt::ComponentList components;
  /// Of each component.
  std::vector<std::vector<nnet3::rt::ConstMatrixView>> parameters;
  std::vector<nnet3::rt::LibraryCall> calls;
  std::vector<nnet3::rt::LibraryRequest> requests;
  /// Of generated code, which reads them when it runs.
  std::vector<int32_t> rowTables;
  /// Indexes of their inputs and outputs.
  std::vector<std::vector<int32_t>> ioIndexes;
  uint64_t scratchBytes = 0; ///< that any call needs
  /// Null: the library computes no streams.
  std::unique_ptr<nnet3::rt::LibraryStream> stream;
  /// Where requests run; null for the CPU.
  std::unique_ptr<nnet3::rt::BackendModel> backend;

  void retain() const { users.fetch_add(1, std::memory_order_relaxed); }
  void release() const {
    if (users.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }
};

namespace nnet3 {
namespace rt {

/// Verifies the library of \p image and fills \p model, as \p options of the
/// current version say.
OpenResult loadLibrary(const nnet3lib_image &image,
                       const nnet3lib_open_options &options,
                       nnet3lib_model &model);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_LIBRARY_LIBRARYMODEL_H

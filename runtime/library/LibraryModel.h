//===- LibraryModel.h - An opened library -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_LIBRARY_LIBRARYMODEL_H
#define NNET3_RUNTIME_LIBRARY_LIBRARYMODEL_H

#include "Backend.h"
#include "LibraryStream.h"
#include "core/BufferChecker.h"
#include "core/Loader.h"
#include "nnet3/runtime/AlignedMemory.h"
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

/// An input or output matrix; the arena has the rows of one block.
struct PlacedMatrix {
  IoInfo info;
  uint64_t offset = 0; ///< floats
  int64_t stride = 0;
  /// For an output of several blocks: its offset in floats among the whole
  /// outputs.
  uint64_t whole = 0;
};

struct LibraryRequest {
  const char *name = "";
  uint64_t arenaFloats = 0;
  int32_t minOutputs = 0; ///< as in library.fbs
  int32_t blocks = 1;     ///< calls of the code per run
  /// Size of the whole outputs if there are several blocks; each is aligned.
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

/// Copies \p text to the caller's \p message, truncated to fit; \p message may
/// be null.
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

/// Immutable except for the reference count.
struct nnet3lib_model {
  /// Reference count: the handle, the instances and the steppers.
  mutable std::atomic<int64_t> users{1};

  const nnet3::rt::schema::Library *root = nullptr;
  uint64_t metadataSize = 0;
  nnet3::rt::Weights weights;
  /// The image's tuning data.
  const void *tuning = nullptr;
  uint64_t tuningSize = 0;
  /// The weights file, if the weights are not in the library.
  std::shared_ptr<nnet3::rt::MappedFile> file;
  /// The weights, if they were copied.
  nnet3::rt::AlignedBytes weightsCopy;
  nnet3::rt::ComponentList components;
  /// Parameters of each component.
  std::vector<std::vector<nnet3::rt::ConstMatrixView>> parameters;
  std::vector<nnet3::rt::LibraryCall> calls;
  std::vector<nnet3::rt::LibraryRequest> requests;
  /// The row tables of generated code.
  std::vector<int32_t> rowTables;
  /// Indexes of the requests' inputs and outputs.
  std::vector<std::vector<int32_t>> ioIndexes;
  uint64_t scratchBytes = 0; ///< largest scratch buffer of a call
  /// Null: the library does not support streams.
  std::unique_ptr<nnet3::rt::LibraryStream> stream;
  /// Runs the requests; null for the CPU.
  std::unique_ptr<nnet3::rt::BackendModel> backend;

  void retain() const { users.fetch_add(1, std::memory_order_relaxed); }
  void release() const {
    if (users.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }
};

namespace nnet3 {
namespace rt {

/// Verifies the library of \p image and fills \p model. \p options are of the
/// current version.
OpenResult loadLibrary(const nnet3lib_image &image,
                       const nnet3lib_open_options &options,
                       nnet3lib_model &model);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_LIBRARY_LIBRARYMODEL_H

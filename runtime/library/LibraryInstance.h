//===- LibraryInstance.h - The memory of one run ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_LIBRARY_LIBRARYINSTANCE_H
#define NNET3_RUNTIME_LIBRARY_LIBRARYINSTANCE_H

#include "LibraryModel.h"
#include "core/ThreadPool.h"

/// The header of an instance's memory. The arena and the scratch buffer of each
/// worker follow, then the whole outputs if there are several blocks. A pointer
/// to it is also the context of generated code.
struct nnet3lib_instance {
  const nnet3lib_model *model = nullptr;
  const nnet3::rt::LibraryRequest *request = nullptr;
  float *arena = nullptr;
  void *scratch = nullptr;
  /// The whole outputs of several blocks.
  float *outputs = nullptr;
  /// Threads that compute blocks, each in its own arena.
  int32_t numWorkers = 1;
  /// Owned; null for one thread.
  nnet3::rt::ThreadPool *pool = nullptr;
  /// Owned; null for the CPU.
  nnet3::rt::BackendInstance *backend = nullptr;
  uint64_t seed = 0;
  uint32_t numRuns = 0;
  bool ownsMemory = false;
  bool hasOutputs = false;
  /// A submitted run has not been waited for.
  bool isSubmitted = false;
  /// Generated code has called a component with operands that do not match the
  /// metadata.
  bool isDamaged = false;

  /// Whether \p view is inside the arena.
  bool contains(const nnet3::rt::ConstMatrixView &view) const;
};

namespace nnet3 {
namespace rt {

/// Bytes of the arena and the scratch buffer of a worker.
uint64_t workerBytes(const nnet3lib_model &model,
                     const LibraryRequest &request);

/// Bytes of an instance in host memory: the header, the workers and the
/// outputs.
uint64_t instanceBytes(const nnet3lib_model &model,
                       const LibraryRequest &request, int32_t numWorkers = 1);

/// The memory of an input of a block, to be written before runInPlace(), and of
/// an output, to be read afterwards.
MatrixView getBlockInput(nnet3lib_instance &instance, int32_t index);
ConstMatrixView getBlockOutput(const nnet3lib_instance &instance,
                               int32_t index);

/// Runs a block on the inputs in getBlockInput(), and waits for the outputs.
nnet3lib_status runInPlace(nnet3lib_instance &instance);

/// Runs generated code on the arena.
void runCode(nnet3lib_instance &instance);

/// For each block of rows, copies the inputs to an arena and runs generated
/// code; workers share the blocks.
void runBlocks(nnet3lib_instance &instance, const nnet3lib_input *inputs);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_LIBRARY_LIBRARYINSTANCE_H

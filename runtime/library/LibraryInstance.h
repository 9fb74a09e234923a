//===- LibraryInstance.h - The memory of one run ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_LIBRARY_LIBRARYINSTANCE_H
#define NNET3_RUNTIME_LIBRARY_LIBRARYINSTANCE_H

#include "LibraryModel.h"
#include "core/ThreadPool.h"

/// At the beginning of the instance's memory; the arena follows, then scratch,
/// those of further workers, and the whole outputs of several blocks. It is
/// also the context of generated code.
struct nnet3lib_instance {
  const nnet3lib_model *model = nullptr;
  const nnet3::rt::LibraryRequest *request = nullptr;
  float *arena = nullptr;
  void *scratch = nullptr;
  /// Of several blocks.
  float *outputs = nullptr;
  /// Threads that compute blocks, each in an arena of its own.
  int32_t numWorkers = 1;
  /// Owned; null for one thread.
  nnet3::rt::ThreadPool *pool = nullptr;
  /// Owned; null for the CPU.
  nnet3::rt::BackendInstance *backend = nullptr;
  uint64_t seed = 0;
  uint32_t numRuns = 0;
  bool ownsMemory = false;
  bool hasOutputs = false;
  /// There is a run that was submitted and not waited for.
  bool isSubmitted = false;
  /// Generated code has asked for what the metadata does not have.
  bool isDamaged = false;

  /// Whether all of \p view is in the arena.
  bool contains(const nnet3::rt::ConstMatrixView &view) const;
};

namespace nnet3 {
namespace rt {

/// Bytes of an arena and of scratch memory.
uint64_t workerBytes(const nnet3lib_model &model,
                     const LibraryRequest &request);

/// Bytes of an instance in the memory of the CPU: of itself, of its workers and
/// of outputs.
uint64_t instanceBytes(const nnet3lib_model &model,
                       const LibraryRequest &request, int32_t numWorkers = 1);

/// Where input number \p index of a block is to be before runInPlace(), and
/// where output number \p index is afterwards.
MatrixView getBlockInput(nnet3lib_instance &instance, int32_t index);
ConstMatrixView getBlockOutput(const nnet3lib_instance &instance,
                               int32_t index);

/// Runs on the inputs of a block, where getBlockInput() says, and waits for the
/// outputs.
nnet3lib_status runInPlace(nnet3lib_instance &instance);

/// Runs generated code on what is in the arena.
void runCode(nnet3lib_instance &instance);

/// Copies the inputs to the arena and runs generated code, for one block of
/// rows after the other; workers share the blocks.
void runBlocks(nnet3lib_instance &instance, const nnet3lib_input *inputs);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_LIBRARY_LIBRARYINSTANCE_H

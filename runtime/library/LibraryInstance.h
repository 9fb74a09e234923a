//===- LibraryInstance.h - The memory of one run ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_LIBRARY_LIBRARYINSTANCE_H
#define NNET3_RUNTIME_LIBRARY_LIBRARYINSTANCE_H

#include "LibraryModel.h"
#include "ThreadPool.h"

/// At the beginning of the instance's memory; the arena follows, then scratch.
/// It is also the context of generated code.
struct nnet3lib_instance {
  const nnet3lib_model *model = nullptr;
  const nnet3::rt::LibraryRequest *request = nullptr;
  float *arena = nullptr;
  void *scratch = nullptr;
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

/// Bytes of an instance in the memory of the CPU: of itself, its arena and its
/// scratch memory.
uint64_t instanceBytes(const nnet3lib_model &model,
                       const LibraryRequest &request);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_LIBRARY_LIBRARYINSTANCE_H

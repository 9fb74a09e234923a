//===- AlgorithmTable.h - Algorithms in a library's file --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file of a library for GPUs reserves memory for the fastest algorithms of
// cuBLASLt for its matmuls, measured on one kind of GPU with one version of
// cuBLASLt. They are ignored on others: by NVIDIA's header, stored algorithms
// are valid for the same version only.
//
// The memory has a TableHeader, followed by numEntries TableEntry structs,
// little-endian.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CUDA_ALGORITHMTABLE_H
#define NNET3_RUNTIME_CUDA_ALGORITHMTABLE_H

#include "nnet3/runtime/cuda/CudaApi.h"

#include <map>
#include <utility>

namespace nnet3 {
namespace rt {
namespace cuda {

/// The GPU and the version of cuBLASLt that algorithms were measured with.
struct Machine {
  char device[64] = {}; ///< NVIDIA's name, zero-padded
  int32_t arch = 0;     ///< 90 for sm_90
  /// major * 1000000 + minor * 1000 + patch.
  int32_t blasLtVersion = 0;
};

/// The index of the matmul among the kernels, and the alignment in bytes of all
/// its addresses and strides.
using AlgorithmKey = std::pair<size_t, uint32_t>;
using Algorithms = std::map<AlgorithmKey, BlasLtAlgo>;

struct TableHeader {
  uint32_t version = 1;
  uint32_t numEntries = 0;
  /// checksum() (Container.h) of all bytes after this field.
  uint64_t checksum = 0;
  Machine machine;
};
struct TableEntry {
  uint32_t kernel = 0;
  uint32_t alignment = 0;
  BlasLtAlgo algo;
};
static_assert(sizeof(TableHeader) == 88 && sizeof(TableEntry) == 72,
              "there are no gaps");

/// Bytes that a library reserves for \p numProducts matmuls, with one entry
/// each for aligned and for other addresses.
constexpr size_t getAlgorithmBytes(size_t numProducts) {
  return sizeof(TableHeader) + 2 * numProducts * sizeof(TableEntry);
}

/// Writes the table to \p memory. Returns false if it needs more than \p bytes.
bool writeAlgorithms(const Machine &machine, const Algorithms &algorithms,
                     void *memory, size_t bytes);

/// Reads the table that writeAlgorithms() has written. Returns no algorithms if
/// it is for another machine or damaged.
Algorithms readAlgorithms(const Machine &machine, const void *memory,
                          size_t bytes);

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_ALGORITHMTABLE_H

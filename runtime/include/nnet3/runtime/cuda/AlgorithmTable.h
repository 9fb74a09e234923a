//===- AlgorithmTable.h - Algorithms in a library's file --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file of a library for GPUs has room for the algorithms of cuBLASLt that
// were found to be the best for its products, on one kind of GPU with one
// version of cuBLASLt. On another one they are as good as absent: NVIDIA's
// header says that an algorithm can be kept for the same version only.
//
// The room is a TableHeader and, behind it, numEntries times a TableEntry,
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

/// What algorithms are for.
struct Machine {
  char device[64] = {}; ///< NVIDIA's name, the rest zero
  int32_t arch = 0;     ///< 90 for sm_90
  /// 1000000 times the first number of the version, and so on.
  int32_t blasLtVersion = 0;
};

/// The number of the product among the kernels, and the bytes of which all its
/// addresses and strides are multiples.
using AlgorithmKey = std::pair<size_t, uint32_t>;
using Algorithms = std::map<AlgorithmKey, BlasLtAlgo>;

struct TableHeader {
  uint32_t version = 1;
  uint32_t numEntries = 0;
  /// checksum() of Container.h of all that follows.
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

/// The bytes that a library keeps free for \p numProducts products, each at
/// aligned and at other places.
constexpr size_t getAlgorithmBytes(size_t numProducts) {
  return sizeof(TableHeader) + 2 * numProducts * sizeof(TableEntry);
}

/// Fills \p bytes at \p memory. Whether there was room.
bool writeAlgorithms(const Machine &machine, const Algorithms &algorithms,
                     void *memory, size_t bytes);

/// What writeAlgorithms() has written for \p machine; nothing if it was for
/// another one, or if it is damaged.
Algorithms readAlgorithms(const Machine &machine, const void *memory,
                          size_t bytes);

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_ALGORITHMTABLE_H

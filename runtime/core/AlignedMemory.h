//===- AlignedMemory.h - Memory for matrices --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CORE_ALIGNEDMEMORY_H
#define NNET3_RUNTIME_CORE_ALIGNEDMEMORY_H

#include <cstdint>

namespace nnet3 {
namespace rt {

/// At least \p size bytes, aligned to 64, for std::free(); null where there is
/// no memory. Of a large size the system is asked for huge pages: matrices of
/// many rows have more small pages than the processor keeps translations of.
void *allocateAligned(uint64_t size);

/// Bytes of allocateAligned().
class AlignedBytes {
public:
  AlignedBytes() = default;
  /// Null data where there is no memory.
  explicit AlignedBytes(uint64_t size);
  ~AlignedBytes();
  AlignedBytes(AlignedBytes &&other) noexcept;
  AlignedBytes &operator=(AlignedBytes &&other) noexcept;

  unsigned char *data() const { return bytes; }

private:
  unsigned char *bytes = nullptr;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_ALIGNEDMEMORY_H

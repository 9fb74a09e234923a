//===- AlignedMemory.h - Memory for matrices --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_ALIGNEDMEMORY_H
#define NNET3_RUNTIME_ALIGNEDMEMORY_H

#include <cstdint>

namespace nnet3 {
namespace rt {

/// Allocates at least \p size bytes, aligned to 64, to be freed by std::free();
/// null if there is no memory. Requests huge pages for large sizes, because
/// large matrices have more small pages than the TLB has entries.
void *allocateAligned(uint64_t size);

/// Owns memory of allocateAligned().
class AlignedBytes {
public:
  AlignedBytes() = default;
  /// data() is null if there is no memory.
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

#endif // NNET3_RUNTIME_ALIGNEDMEMORY_H

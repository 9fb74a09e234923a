//===- WeightPacker.h - Packing of weights ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_LIBRARY_WEIGHTPACKER_H
#define NNET3_TARGET_LIBRARY_WEIGHTPACKER_H

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdlib>
#include <memory>

namespace mlir::nnet3 {

/// Zero-filled bytes; pages take memory only after they are written.
class ZeroedBytes {
public:
  ZeroedBytes() = default;
  explicit ZeroedBytes(size_t size)
      : bytes(static_cast<char *>(std::calloc(size + !size, 1))), count(size) {}

  /// Null if the allocation failed.
  char *data() { return bytes.get(); }
  size_t size() const { return count; }
  operator llvm::ArrayRef<char>() const { return {bytes.get(), count}; }

private:
  struct Free {
    void operator()(char *memory) const { std::free(memory); }
  };
  std::unique_ptr<char, Free> bytes;
  size_t count = 0;
};

/// Packs the parameters of the networks in the module of `resources` in the
/// layout of `resources`. `numBytes` must be at least the size of the packed
/// floats; the remaining bytes are zero. With `takeParameters`, releases the
/// values of tensors that have been packed. Emits an error at a component whose
/// parameters have no values.
llvm::FailureOr<ZeroedBytes> packWeights(kernel::ResourcesOp resources,
                                         uint64_t numBytes,
                                         bool takeParameters = false);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_LIBRARY_WEIGHTPACKER_H

//===- WeightPacker.h - Parameters as kernels read them ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_LIBRARY_WEIGHTPACKER_H
#define NNET3_TARGET_LIBRARY_WEIGHTPACKER_H

#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdlib>
#include <memory>

namespace mlir::nnet3 {

/// Bytes that are zero until they are written, and take memory from then on.
class ZeroedBytes {
public:
  ZeroedBytes() = default;
  explicit ZeroedBytes(size_t size)
      : bytes(static_cast<char *>(std::calloc(size + !size, 1))), count(size) {}

  /// Null where there is no memory.
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

/// The parameters of the networks around `resources` in the layout that these
/// have, in `numBytes` bytes, which are at least those of the packed floats;
/// the others are zero. With `takeParameters` values of tensors that have been
/// packed are released. Fails with an error at a component whose parameters
/// have no values.
llvm::FailureOr<ZeroedBytes> packWeights(kernel::ResourcesOp resources,
                                         uint64_t numBytes,
                                         bool takeParameters = false);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_LIBRARY_WEIGHTPACKER_H

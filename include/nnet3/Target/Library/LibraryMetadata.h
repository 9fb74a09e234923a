//===- LibraryMetadata.h - What a library knows of itself -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_LIBRARY_LIBRARYMETADATA_H
#define NNET3_TARGET_LIBRARY_LIBRARYMETADATA_H

#include "nnet3/Target/Cuda/DeviceProgram.h"

#include "mlir/IR/BuiltinOps.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace mlir::nnet3 {

/// Bytes that are zero until they are written, and take memory from then on.
class ZeroedBytes {
public:
  ZeroedBytes() = default;
  explicit ZeroedBytes(size_t size)
      : bytes(static_cast<char *>(std::calloc(size + !size, 1))), count(size) {
    if (!bytes)
      llvm::report_bad_alloc_error("weights");
  }

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

/// The constant data of a library.
struct LibraryData {
  /// A FlatBuffer of runtime/schema/library.fbs.
  std::string metadata;
  /// The packed weights of the kernels, then the tensors of the components that
  /// the runtime runs.
  ZeroedBytes weights;
  /// The functions that compute the requests, in the order of the metadata.
  /// With code for a GPU there are none.
  std::vector<std::string> functions;
  bool isForGpu = false;
  /// The bytes that the library keeps for algorithms of a GPU's products.
  size_t tuningBytes = 0;
};

/// Collects the data of a library of the functions of `module`, which
/// convert-nnet3-to-kernels has made of computations, perhaps lowered since.
/// The networks and the requests are still there. `cpuFeatures` is what the
/// code needs of a CPU beside dot products, by CodeTarget::getRequirements().
/// `device` is the code for a GPU, of the same functions, or null. With
/// `takeParameters` parameters that are resources lose their values when they
/// have been packed, so that they are in memory once. Fails with an error at a
/// component whose parameters have no values.
FailureOr<LibraryData> collectLibraryData(ModuleOp module,
                                          std::vector<std::string> cpuFeatures,
                                          const DeviceProgram *device = nullptr,
                                          bool takeParameters = false);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_LIBRARY_LIBRARYMETADATA_H

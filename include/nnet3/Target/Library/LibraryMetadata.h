//===- LibraryMetadata.h - What a library knows of itself -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_LIBRARY_LIBRARYMETADATA_H
#define NNET3_TARGET_LIBRARY_LIBRARYMETADATA_H

#include "nnet3/Target/Cuda/DeviceProgram.h"
#include "nnet3/Target/Library/WeightPacker.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mlir::nnet3 {

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

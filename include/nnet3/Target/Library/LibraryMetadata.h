//===- LibraryMetadata.h - The constant data of a library -------*- C++ -*-===//
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
  /// The functions that compute the requests, in the order of the metadata;
  /// empty with code for a GPU.
  std::vector<std::string> functions;
  bool isForGpu = false;
  /// Number of bytes that the library reserves for the matmul algorithms chosen
  /// on a GPU.
  size_t tuningBytes = 0;
};

/// Collects the data of a library from the functions of `module`, which
/// convert-nnet3-to-kernels has made and which may have been lowered. The
/// module must still have the networks and requests. `cpuFeatures` are the
/// instruction sets that the code needs besides dot products
/// (CodeTarget::getRequirements()). `device` is the code of the same functions
/// for a GPU, or null. With `takeParameters`, the values of parameters that are
/// resources are released after packing, so that they are in memory once. Emits
/// an error at a component whose parameters have no values.
FailureOr<LibraryData> collectLibraryData(ModuleOp module,
                                          std::vector<std::string> cpuFeatures,
                                          const DeviceProgram *device = nullptr,
                                          bool takeParameters = false);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_LIBRARY_LIBRARYMETADATA_H

//===- HostKernels.h - Kernels for the fake CUDA driver ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_DEVICE_HOSTKERNELS_H
#define NNET3_UNITTESTS_DEVICE_HOSTKERNELS_H

#include "EmulatedModule.h"
#include "FakeCuda.h"
#include "nnet3/Dialect/Kernel/IR/Precision.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Pipelines/DeviceCode.h"
#include "nnet3/Target/Library/LoadedObject.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>

namespace mlir::nnet3::test {

/// Copies them into a new module, ready to be lowered to kernels.
OwningOpRef<ModuleOp> copyNetwork(NetworkOp network,
                                  llvm::ArrayRef<RequestOp> requests);

/// The kernels of a network's requests as host functions: the parallel loops
/// from which GPU kernels are made or, with an emulator, the threads.
class HostKernels {
public:
  /// `module` has the network and the requests before compilation; it is
  /// lowered. Fails with an error if a request has no device code. `training`
  /// is for training requests. `emulator` must outlive the kernels.
  static FailureOr<std::unique_ptr<HostKernels>>
  create(OwningOpRef<ModuleOp> module, const TrainingCode &training = {},
         Precision precision = Precision::F32, GpuEmulator *emulator = nullptr);
  /// Like create(), with CPU code with vectors of `length` elements for
  /// `kernel.map_rows` of several rows and for most `kernel.reduce_rows`.
  static FailureOr<std::unique_ptr<HostKernels>>
  createWithVectors(OwningOpRef<ModuleOp> module, const TrainingCode &training,
                    int64_t length);
  /// Returns the number of kernels with CPU vector code.
  int64_t getNumVectorKernels() const { return numVectorKernels; }
  /// Creates the update kernels of training steps.
  static FailureOr<std::unique_ptr<HostKernels>>
  createUpdateKernels(MLIRContext *context, GpuEmulator *emulator = nullptr);

  /// Registers the kernels; they replace those of the same names and must
  /// outlive `cuda`'s use of them.
  void addTo(::nnet3::rt::test::FakeCuda &cuda) const;

private:
  struct Kernel {
    void *function;
    int numPlaces;
  };

  static FailureOr<std::unique_ptr<HostKernels>> load(ModuleOp module,
                                                      GpuEmulator *emulator);
  llvm::LogicalResult loadLoops(ModuleOp module);

  std::unique_ptr<LoadedObject> object;
  std::map<std::string, Kernel> kernels;
  std::unique_ptr<EmulatedModule> emulated;
  GpuEmulator *emulator = nullptr;
  int64_t numVectorKernels = 0;
};

} // namespace mlir::nnet3::test

#endif // NNET3_UNITTESTS_DEVICE_HOSTKERNELS_H

//===- HostKernels.h - Kernels for a driver that is not real ----*- C++ -*-===//
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

/// A module of them alone, ready to be lowered to kernels.
OwningOpRef<ModuleOp> copyNetwork(NetworkOp network,
                                  llvm::ArrayRef<RequestOp> requests);

/// The kernels of a network's requests as functions of this machine: the same
/// parallel loops that become kernels of a GPU, or, with an emulator, the
/// threads that come of them.
class HostKernels {
public:
  /// `module` has the network and the requests as they were read; it is
  /// lowered. Fails with an error where a request has no code for devices.
  /// `training` is for requests that are training. `emulator` must outlive
  /// them.
  static FailureOr<std::unique_ptr<HostKernels>>
  create(OwningOpRef<ModuleOp> module, const TrainingCode &training = {},
         Precision precision = Precision::F32, GpuEmulator *emulator = nullptr);
  /// With the code of CPUs, vectors of `length` numbers, for `kernel.map_rows`
  /// of several rows and most `kernel.reduce_rows`.
  static FailureOr<std::unique_ptr<HostKernels>>
  createWithVectors(OwningOpRef<ModuleOp> module, const TrainingCode &training,
                    int64_t length);
  /// How many of the kernels have that code.
  int64_t getNumVectorKernels() const { return numVectorKernels; }
  /// Those that training steps launch besides.
  static FailureOr<std::unique_ptr<HostKernels>>
  createUpdateKernels(MLIRContext *context, GpuEmulator *emulator = nullptr);

  /// They replace those of the same names, and must outlive `cuda`'s use of
  /// them.
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

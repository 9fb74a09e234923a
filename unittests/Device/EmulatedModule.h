//===- EmulatedModule.h - Kernels as a GPU would run them -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_DEVICE_EMULATEDMODULE_H
#define NNET3_UNITTESTS_DEVICE_EMULATEDMODULE_H

#include "GpuEmulator.h"
#include "nnet3/Target/Library/LoadedObject.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::nnet3::test {

/// The functions of the gpu.module of a module of kernels in the NVVM dialect,
/// which are what PTX is made of, as code of this machine for a `GpuEmulator`.
class EmulatedModule {
public:
  /// Fails with an error if the code has what the emulation does not know.
  /// There are no kernels where `module` has no gpu.module.
  static FailureOr<std::unique_ptr<EmulatedModule>> load(ModuleOp module);

  const std::vector<EmulatedKernel> &getKernels() const { return kernels; }

private:
  llvm::Error link(llvm::ArrayRef<char> code,
                   llvm::ArrayRef<EmulatedFunction> functions);

  std::unique_ptr<LoadedObject> object;
  std::vector<EmulatedKernel> kernels;
};

} // namespace mlir::nnet3::test

#endif // NNET3_UNITTESTS_DEVICE_EMULATEDMODULE_H

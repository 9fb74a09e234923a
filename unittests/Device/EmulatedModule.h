//===- EmulatedModule.h - Emulated kernels ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_DEVICE_EMULATEDMODULE_H
#define NNET3_UNITTESTS_DEVICE_EMULATEDMODULE_H

#include "GpuEmulator.h"
#include "nnet3/Target/Library/LoadedObject.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::nnet3::test {

/// Host code for a `GpuEmulator` from the functions of a gpu.module in the NVVM
/// dialect, from which PTX would be generated.
class EmulatedModule {
public:
  /// Fails with an error if the code has operations that the emulation does not
  /// support. Without a gpu.module there are no kernels.
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

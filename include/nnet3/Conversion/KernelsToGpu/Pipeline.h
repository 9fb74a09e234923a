//===- Pipeline.h - GPU functions as PTX ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELSTOGPU_PIPELINE_H
#define NNET3_CONVERSION_KERNELSTOGPU_PIPELINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace mlir::nnet3 {

/// Lowers the `gpu.module` that convert-nnet3-kernels-to-gpu makes to the NVVM
/// dialect. Memory is passed as bare pointers.
void addGpuToNVVMPasses(OpPassManager &module);

/// Whether `name`, such as "sm_90", is a GPU that LLVM supports and that has
/// the features that the kernels need. Architecture-specific names such as
/// "sm_90a" are rejected, because no later GPU runs their code.
bool isGpu(llvm::StringRef name);

/// Translates the `gpu.module` to a `gpu.binary` with PTX for each of `chips`,
/// such as "sm_90".
void addPTXPasses(OpPassManager &module, llvm::ArrayRef<std::string> chips);

/// Registers the dialects and translations that addPTXPasses needs.
void registerGpuTarget(DialectRegistry &registry);

/// Registers both as the pipelines `nnet3-gpu-to-nvvm` and `nnet3-nvvm-to-ptx`.
void registerGpuPipelines();

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_KERNELSTOGPU_PIPELINE_H

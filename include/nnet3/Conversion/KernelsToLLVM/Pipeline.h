//===- Pipeline.h - Functions of kernels as LLVM dialect --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELSTOLLVM_PIPELINE_H
#define NNET3_CONVERSION_KERNELSTOLLVM_PIPELINE_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::nnet3 {

/// Lowers the functions that convert-nnet3-to-kernels makes to the LLVM
/// dialect. Memory is passed as bare pointers. A computation becomes a function
/// `void f(float *, float *, int32_t *, void *)` of the arena, the weights, the
/// row tables and the context.
void addKernelsToLLVMPasses(OpPassManager &manager);

/// Registers the passes as the pipeline `nnet3-kernels-to-llvm`.
void registerKernelsToLLVMPipeline();

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_KERNELSTOLLVM_PIPELINE_H

//===- Pipeline.h - Functions of kernels as LLVM dialect --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELSTOLLVM_PIPELINE_H
#define NNET3_CONVERSION_KERNELSTOLLVM_PIPELINE_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::nnet3 {

/// Lowers what convert-nnet3-to-kernels makes to the LLVM dialect. Memory is
/// passed as bare pointers, so a computation becomes a function of the arena,
/// the weights and the context: `void f(float *, float *, void *)`.
void addKernelsToLLVMPasses(OpPassManager &manager);

/// The same as the pipeline `nnet3-kernels-to-llvm`.
void registerKernelsToLLVMPipeline();

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_KERNELSTOLLVM_PIPELINE_H

//===- Passes.td - Kernel operations as vector code --------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_PASSES_TD
#define NNET3_CONVERSION_KERNELTOVECTOR_PASSES_TD

include "mlir/Pass/PassBase.td"

def KernelToVector : Pass<"convert-kernel-to-vector", "::mlir::ModuleOp"> {
  let summary = "lower kernel operations to loops over vectors";
  let description = [{
    Each operation of the kernel dialect becomes loops over the vectors of the
    module's `kernel.target`. The last columns of a row, which do not fill a
    vector, are a shorter vector. Operations whose component the runtime
    computes become calls of the runtime.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect"];
}

def KernelPackMatmuls : Pass<"kernel-pack-matmuls", "::mlir::ModuleOp"> {
  let summary = "make matmuls on packed weights of matmuls of memory";
  let description = [{
    Each `kernel.matmul` of a function with a `kernel.entry` becomes a
    `kernel.gemm` for each of its batches. A `kernel.pack` before it packs what
    they multiply with, for the module's `kernel.target`. The panels are behind
    the arena, in memory that one operation after the other uses. Weights that
    several operations read are packed once, to memory of their own. A
    transposed input is copied, too, as rows of what it is the transpose of.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

#endif // NNET3_CONVERSION_KERNELTOVECTOR_PASSES_TD

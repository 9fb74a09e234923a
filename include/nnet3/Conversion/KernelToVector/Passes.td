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

#endif // NNET3_CONVERSION_KERNELTOVECTOR_PASSES_TD

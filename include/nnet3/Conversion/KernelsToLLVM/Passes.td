//===- Passes.td - From kernels to the LLVM dialect --------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELSTOLLVM_PASSES_TD
#define NNET3_CONVERSION_KERNELSTOLLVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def Nnet3ApproximateMath : Pass<"nnet3-approximate-math"> {
  let summary = "compute exp, log and tanh by polynomials";
  let description = [{
    A vector of them is then computed by vector instructions, not by a call for
    each element. The relative error is below 1e-6. If the module's `kernel.target`
    has no fused multiply-add, they multiply and add.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def Nnet3HoistAllocations : Pass<"nnet3-hoist-allocations"> {
  let summary = "allocate memory on the stack once for all rounds of a loop";
  let description = [{
    A kernel for devices allocates memory for each block of threads. Where the
    blocks are rounds of a loop, they use the same memory one after the other.
  }];
}

def Nnet3KeepCalls : Pass<"nnet3-keep-calls", "::mlir::ModuleOp"> {
  let summary = "keep LLVM from inlining the functions of kernels";
  let description = [{
    A kernel runs much longer than its call takes, and the steps of a recurrence
    in front of and behind its loop call the same kernels: inlined, each call
    would be another copy of the code to be optimised.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // NNET3_CONVERSION_KERNELSTOLLVM_PASSES_TD

//===- Passes.td - From kernels to the LLVM dialect --------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELSTOLLVM_PASSES_TD
#define NNET3_CONVERSION_KERNELSTOLLVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def Nnet3ApproximateMath : Pass<"nnet3-approximate-math"> {
  let summary = "compute exp, log and tanh by polynomials";
  let description = [{
    Replaces the math operations by polynomials, so that vectors are computed by
    vector instructions and not by one call for each element. The relative error
    is below 1e-6. Uses separate multiplications and additions if the module's
    `kernel.target` has no fused multiply-add.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def Nnet3HoistAllocations : Pass<"nnet3-hoist-allocations"> {
  let summary = "hoist stack allocations out of loops";
  let description = [{
    A device kernel allocates memory for each block of threads. If the blocks
    are iterations of a sequential loop, all iterations can use one allocation.
  }];
}

def Nnet3KeepCalls : Pass<"nnet3-keep-calls", "::mlir::ModuleOp"> {
  let summary = "keep LLVM from inlining the functions of kernels";
  let description = [{
    A call takes little time compared with the kernel itself. The steps of a
    recurrence before and after its loop call the same kernels, and inlining
    would create a copy to optimise for each call.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // NNET3_CONVERSION_KERNELSTOLLVM_PASSES_TD

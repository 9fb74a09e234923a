//===- Passes.td - From kernels to the LLVM dialect --------*- tablegen -*-===//

#ifndef NNET3_CONVERSION_KERNELSTOLLVM_PASSES_TD
#define NNET3_CONVERSION_KERNELSTOLLVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def Nnet3ApproximateMath : Pass<"nnet3-approximate-math"> {
  let summary = "compute exp, log and tanh by polynomials";
  let description = [{
    A vector of them is then computed by vector instructions, not by a call for
    each element. The relative error is below 1e-6.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // NNET3_CONVERSION_KERNELSTOLLVM_PASSES_TD

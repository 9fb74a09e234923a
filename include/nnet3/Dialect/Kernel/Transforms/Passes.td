//===- Passes.td - Passes on the kernel dialect ------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_KERNEL_TRANSFORMS_PASSES_TD
#define NNET3_DIALECT_KERNEL_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def KernelOutline : Pass<"kernel-outline", "::mlir::ModuleOp"> {
  let summary = "move kernel operations into functions, equal ones into one";
  let description = [{
    Each operation of the kernel dialect becomes a call of a function with that
    operation. The arguments of the function are the memory of the calling
    function (its memrefs, then its other arguments) and then the
    index operands of the operation and of its views, such as the offsets of the
    views in the arena. Operations that differ in nothing but these share one
    function, which is named after the operation.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect"];
}

#endif // NNET3_DIALECT_KERNEL_TRANSFORMS_PASSES_TD

//===- Passes.td - Computations on tensors -----------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOLINALG_PASSES_TD
#define NNET3_CONVERSION_NNET3TOLINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertNnet3ToLinalg
    : Pass<"convert-nnet3-to-linalg", "::mlir::ModuleOp"> {
  let summary = "convert computations to functions on tensors";
  let description = [{
    Converts each computation without a backward pass to a `func.func` whose
    arguments are its inputs and whose results are its outputs, in the order of
    `accept_input` and `provide_output`; the attribute `nnet3.node` has the name
    of the node. The function uses upstream dialects only: `linalg` for
    matmuls, broadcasts and reductions, `tensor` for slices, `arith` and `math`
    on whole tensors for elementwise work. Parameters become constants.
    Networks, requests and streams are removed.

    The pass represents a matrix as a set of rectangles, each with the tensor
    that a command wrote there. A read of some rows and columns becomes slices
    and concatenations of these tensors. Components use the same scalar regions
    as generated code: the scalar operations become operations on tensors, and
    the code of one row becomes code for all rows at once.

    Commands of backward passes, statistics, loops and components in training
    mode are errors. `nnet3-fuse-affine` has to run before.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::nnet3::kernel::KernelDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def Nnet3DecomposeConcats
    : Pass<"nnet3-decompose-concats", "::mlir::ModuleOp"> {
  let summary = "lower tensor.concat to tensor.insert_slice";
  let description = [{
    Replaces `tensor.concat` by `tensor.insert_slice`, which can be bufferized.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

#endif // NNET3_CONVERSION_NNET3TOLINALG_PASSES_TD

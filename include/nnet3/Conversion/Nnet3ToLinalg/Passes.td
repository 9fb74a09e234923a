//===- Passes.td - Computations on tensors -----------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOLINALG_PASSES_TD
#define NNET3_CONVERSION_NNET3TOLINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertNnet3ToLinalg
    : Pass<"convert-nnet3-to-linalg", "::mlir::ModuleOp"> {
  let summary = "make functions on tensors of computations";
  let description = [{
    Each computation without a backward pass becomes a `func.func` whose
    arguments are its inputs and whose results are its outputs, in the order of
    `accept_input` and `provide_output`; the attribute `nnet3.node` has the name
    of the node. The operations are those of upstream dialects: `linalg` for
    products, broadcasts and reductions, `tensor` for slices, `arith` and `math`
    on whole tensors for elements. Parameters are constants. Networks,
    requests and streams are removed.

    A matrix is a set of rectangles, each with the tensor that a command wrote
    there; to read some rows and columns is to slice and to concatenate these.
    Components compute as in generated code: their scalar operations become
    operations on tensors, and the code of a row is carried out on all rows at
    once.

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
  let summary = "make insertions of concatenations of tensors";
  let description = [{
    `tensor.concat` becomes `tensor.insert_slice`, which can be bufferized.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

#endif // NNET3_CONVERSION_NNET3TOLINALG_PASSES_TD

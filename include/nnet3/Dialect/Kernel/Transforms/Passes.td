//===- Passes.td - Passes on the kernel dialect ------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_KERNEL_TRANSFORMS_PASSES_TD
#define NNET3_DIALECT_KERNEL_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def KernelInferAlignment
    : Pass<"kernel-infer-alignment", "::mlir::ModuleOp"> {
  let summary = "note at which multiples the rows of device kernels begin";
  let description = [{
    Finds `alignment` of `kernel.map` and `kernel.gemv`, at most 4 floats, from
    the offsets and strides of their views where these are constants. Offsets of
    rows in tables are read from `kernel.resources`.
  }];
}

def KernelFuseMaps : Pass<"kernel-fuse-maps", "::mlir::func::FuncOp"> {
  let summary = "merge maps of the same rows and columns that follow each other";
  let description = [{
    Two `kernel.map` of the same rows, columns and alignment become one whose
    region computes what both compute. It has the values that the second one
    reads of the outputs of the first one, loads what both read once, and stores
    what both write once. That is possible if the views of both, as far as one
    of them writes, are equal or do not overlap.

    A `kernel.map` of one row becomes part of a `kernel.gemv` before it in the
    same way. If it has a half, a third or a quarter of the columns, the sums are
    divided into blocks of its columns.

    A function that `kernel-outline` makes has at most 16 offsets as arguments
    after this.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
  let statistics = [
    Statistic<"numFused", "fused", "Number of maps that became part of others">,
  ];
}

def KernelFuseEpilogues
    : Pass<"kernel-fuse-epilogues", "::mlir::func::FuncOp"> {
  let summary = "merge maps of the sums of a matmul into it";
  let description = [{
    A `kernel.map` behind a `kernel.gemm` that reads the output of the matmul,
    and writes nothing else, becomes part of the matmul's region. Its other
    inputs have a number for each element of the output or for each column, and
    do not overlap the output.
  }];
  let statistics = [
    Statistic<"numFused", "fused", "Number of maps that became part of matmuls">,
  ];
}

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

def KernelMergeFunctions
    : Pass<"kernel-merge-functions", "::mlir::ModuleOp"> {
  let summary = "make one function of several that differ in constant numbers";
  let description = [{
    Private functions that are called, and differ in nothing but the values of
    indexes and floats, such as numbers of rows, become one, which gets these
    numbers as arguments, at most 12 of them. Distances of addresses in the code
    of matmuls stay constants: functions that differ in these stay apart.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect"];
}

def KernelSplitGemms : Pass<"kernel-split-gemms", "::mlir::func::FuncOp"> {
  let summary = "multiply inputs one after the other if their weights are large";
  let description = [{
    For each tile of rows, a `kernel.gemm` reads one panel of the weights of all
    its inputs; a splice, for example, has several inputs. If these panels
    exceed `bytes`, the pass replaces the operation by several with fewer inputs
    each. The output holds the partial sums in between. Weights are then read
    from memory once for all rows. A matrix whose weights alone exceed `bytes`
    becomes several inputs of fewer columns; an operation with such rows of a
    table stays whole.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
  let options = [
    Option<"bytes", "bytes", "int64_t", "0",
           "size of the weights of a panel that the second-level cache keeps; "
           "0 means a quarter of `l2_bytes` of `kernel.target`">,
  ];
}

def KernelPackByPanel : Pass<"kernel-pack-by-panel", "::mlir::func::FuncOp"> {
  let summary = "pack a panel where it is multiplied";
  let description = [{
    A `kernel.pack` writes all panels of a matrix, for the `kernel.gemm` behind
    it, or several that multiply one input after the other. Where nothing else
    reads these panels, the pass makes a loop over them: a round packs the rows
    of one panel that a `kernel.gemm` needs, multiplies them, and computes a
    panel's columns of the output. All rounds pack to the same memory, which the
    second-level cache keeps. A `kernel.gemm` with fewer rows than two tiles, or
    one with views at offsets that are not constants, stays as it is.

    If the module's `kernel.target` has several threads, each has a share of the
    panels and memory of its own. If there are too few panels, there is no loop,
    and the threads share the rows of `kernel.gemm`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def KernelSplitAtSteps : Pass<"kernel-split-at-steps", "::mlir::ModuleOp"> {
  let summary = "split functions of training steps at what the caller does";
  let description = [{
    The function of a `kernel.entry` that calls functions with
    `kernel.precondition` or `kernel.compute_objectives`, which
    `kernel-outline` has made, becomes several functions without such calls.
    The entry's `steps` say in which order the caller calls the functions and
    does the rest. Functions that nothing calls any more are erased.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect"];
}

#endif // NNET3_DIALECT_KERNEL_TRANSFORMS_PASSES_TD

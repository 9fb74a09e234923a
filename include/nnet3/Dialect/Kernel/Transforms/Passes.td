//===- Passes.td - Passes on the kernel dialect ------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_KERNEL_TRANSFORMS_PASSES_TD
#define NNET3_DIALECT_KERNEL_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def KernelInferAlignment
    : Pass<"kernel-infer-alignment", "::mlir::ModuleOp"> {
  let summary = "infer the alignment of the rows of device kernels";
  let description = [{
    Sets `alignment` of `kernel.map` and `kernel.gemv`, at most 4 floats, if the
    offsets and strides of their views are constants. For rows at offsets of a
    row table, the offsets are read from `kernel.resources`.
  }];
}

def KernelFuseMaps : Pass<"kernel-fuse-maps", "::mlir::func::FuncOp"> {
  let summary = "fuse consecutive maps of the same rows and columns";
  let description = [{
    Fuses two consecutive `kernel.map` of the same rows, columns and alignment.
    The new region forwards the outputs of the first map to the second one,
    loads an element that both read once, and stores an element that both write
    once. A view that one of the maps writes must be equal to, or not overlap
    with, each view of the other map.

    A `kernel.map` of one row is fused into a `kernel.gemv` before it in the
    same way. If the map has a half, a third or a quarter of the columns, the
    accumulators are divided into blocks as wide as the map.

    Maps are fused only as long as `kernel-outline` will make a function with at
    most 16 offsets as arguments.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
  let statistics = [
    Statistic<"numFused", "fused", "Number of maps that were fused">,
  ];
}

def KernelFuseEpilogues
    : Pass<"kernel-fuse-epilogues", "::mlir::func::FuncOp"> {
  let summary = "fuse maps into the epilogue of a matmul";
  let description = [{
    Moves the region of a `kernel.map` after a `kernel.gemm` into the region of
    the matmul, if the map reads the output of the matmul and writes nothing
    else. The other inputs of the map must have one value for each element or
    each column of the output, and must not overlap with the output.
  }];
  let statistics = [
    Statistic<"numFused", "fused", "Number of maps fused into matmuls">,
  ];
}

def KernelOutline : Pass<"kernel-outline", "::mlir::ModuleOp"> {
  let summary = "outline kernel operations into shared functions";
  let description = [{
    Replaces each operation of the kernel dialect by a call of a function that
    contains it. The arguments of the function are the memrefs of the calling
    function, its other arguments, and the index operands of the operation and
    of its views, such as the offsets of the views in the arena. Operations that
    differ only in these index operands share one function, which is named after
    the operation.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect"];
}

def KernelMergeFunctions
    : Pass<"kernel-merge-functions", "::mlir::ModuleOp"> {
  let summary = "merge functions that differ only in constants";
  let description = [{
    Merges private functions that differ only in the values of index and float
    constants, such as numbers of rows. The merged function takes these values
    as arguments, at most 12 of them. Strides in the code of matmuls remain
    constants: functions that differ in them are not merged.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect"];
}

def KernelSplitGemms : Pass<"kernel-split-gemms", "::mlir::func::FuncOp"> {
  let summary = "split matmuls whose panels exceed the second-level cache";
  let description = [{
    For each tile of rows, a `kernel.gemm` reads one panel of the weights of all
    its inputs; a splice, for example, has several inputs. If these panels
    exceed `bytes`, the pass replaces the operation by several with fewer inputs
    each. The output holds the partial sums in between. Weights are then read
    from memory once for all rows. An input whose weights alone exceed `bytes`
    is split into several inputs of fewer columns; if its rows are at offsets of
    a row table, the operation is not split.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
  let options = [
    Option<"bytes", "bytes", "int64_t", "0",
           "largest size of the weights of a panel, which should stay in the "
           "second-level cache; 0: a quarter of `l2_bytes` of `kernel.target`">,
  ];
}

def KernelPackByPanel : Pass<"kernel-pack-by-panel", "::mlir::func::FuncOp"> {
  let summary = "pack each panel just before its matmul";
  let description = [{
    A `kernel.pack` writes all panels of a matrix for the `kernel.gemm` after
    it, or for several that multiply one input each. If nothing else reads the
    panels, the pass makes a loop over them: an iteration packs the rows of one
    panel that a `kernel.gemm` needs, multiplies them, and computes the columns
    of the output that belong to the panel. All iterations pack to the same
    buffer, which stays in the second-level cache. A `kernel.gemm` with fewer
    rows than two tiles, or with views at offsets that are not constant, is not
    changed.

    If a second matmul adds to the output of the first one, some rows further
    down, as the time offsets of a component do, both have one loop, in which a
    panel has the weights of both, and a row that both add to is computed once.
    If two matmuls multiply rows of one matrix, some rows apart, as the
    gradients for the time offsets do, both have one loop, in which a panel has
    the rows of both.

    If the module's `kernel.target` has several threads, each thread computes a
    share of the panels with its own buffer. If there are too few panels for
    that, no loop is made, and the threads share the rows of `kernel.gemm`.
  }];
  let statistics = [
    Statistic<"numMerged", "merged", "Number of pairs of matmuls merged">,
    Statistic<"numShared", "shared", "Number of pairs that pack rows once">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def KernelSplitAtSteps : Pass<"kernel-split-at-steps", "::mlir::ModuleOp"> {
  let summary = "split functions of training steps at the caller's steps";
  let description = [{
    Splits the function of a `kernel.entry` at calls of functions with
    `kernel.precondition`, `kernel.precondition_product`, `kernel.allreduce`,
    `kernel.sum_gradient` or `kernel.compute_objectives`, as `kernel-outline`
    makes them, because the caller executes these operations. The entry's
    `steps` list the calls of the new functions and the operations of the caller
    in their order. Functions without remaining calls are erased.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect"];
}

#endif // NNET3_DIALECT_KERNEL_TRANSFORMS_PASSES_TD

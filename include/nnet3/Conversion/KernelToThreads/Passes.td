//===- Passes.td - Kernel operations as loops of threads ---*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOTHREADS_PASSES_TD
#define NNET3_CONVERSION_KERNELTOTHREADS_PASSES_TD

include "mlir/Pass/PassBase.td"

def KernelToThreads : Pass<"convert-kernel-to-threads", "::mlir::ModuleOp"> {
  let summary = "lower kernel operations to parallel loops for a device";
  let description = [{
    Lowers each function with one operation of the kernel dialect, as
    `kernel-outline` makes it, to a device kernel. Its outermost loop is an
    `scf.parallel`, each iteration of which is a block of threads. The threads
    of a block share the iterations of the `scf.parallel` loops inside. The
    function's attribute `kernel.block` has the number of threads of a block.
    Operations that the runtime executes are not lowered: `kernel.matmul`,
    `kernel.precondition`, `kernel.allreduce`, `kernel.compute_objectives`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def KernelSplitReductions
    : Pass<"kernel-split-reductions", "::mlir::ModuleOp"> {
  let summary = "split reductions of many rows into partial and final sums";
  let description = [{
    Splits a `kernel.reduce_rows` with scratch memory into two, so that enough
    blocks of threads run. The first one writes the partial sum of each slice of
    rows to the scratch memory, the second one adds up the partial sums and the
    blocks of columns. A slice has at least 128 rows. Runs before
    `kernel-outline`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif // NNET3_CONVERSION_KERNELTOTHREADS_PASSES_TD

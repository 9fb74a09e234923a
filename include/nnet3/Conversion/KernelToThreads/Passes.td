//===- Passes.td - Kernel operations as loops of threads ---*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOTHREADS_PASSES_TD
#define NNET3_CONVERSION_KERNELTOTHREADS_PASSES_TD

include "mlir/Pass/PassBase.td"

def KernelToThreads : Pass<"convert-kernel-to-threads", "::mlir::ModuleOp"> {
  let summary = "lower kernel operations to parallel loops for a device";
  let description = [{
    Functions with one operation of the kernel dialect, which `kernel-outline`
    makes, become kernels of a device: one parallel loop around everything,
    whose points are blocks of threads, and in it parallel loops over columns,
    which the threads of a block share. The function's attribute `kernel.block`
    says how many threads a block has. Operations that the runtime executes stay:
    `kernel.matmul`, `kernel.precondition`, `kernel.compute_objectives`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def KernelSplitReductions
    : Pass<"kernel-split-reductions", "::mlir::ModuleOp"> {
  let summary = "reduce many rows in two steps, for enough work on a device";
  let description = [{
    A `kernel.reduce_rows` with scratch memory becomes two: the first one leaves
    the sums of slices of rows in the scratch memory, the second one adds them
    up, together with the blocks of columns. There are as many slices as a
    device needs, of 128 rows or more. Runs before `kernel-outline`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif // NNET3_CONVERSION_KERNELTOTHREADS_PASSES_TD

//===- Passes.td - Kernel operations as vector code --------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_PASSES_TD
#define NNET3_CONVERSION_KERNELTOVECTOR_PASSES_TD

include "mlir/Pass/PassBase.td"

def KernelToVector : Pass<"convert-kernel-to-vector", "::mlir::ModuleOp"> {
  let summary = "lower kernel operations to loops over vectors";
  let description = [{
    Lowers each operation of the kernel dialect to loops over vectors of the
    module's `kernel.target`. The columns at the end of a row that do not fill a
    vector form a shorter vector. `kernel.run_component` becomes a call of the
    runtime. If the target has several threads, loops whose iterations they can
    share become `scf.parallel`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect"];
}

def KernelPackMatmuls : Pass<"kernel-pack-matmuls", "::mlir::ModuleOp"> {
  let summary = "lower kernel.matmul to kernel.pack and kernel.gemm";
  let description = [{
    Lowers each `kernel.matmul` of a function with a `kernel.entry` to one
    `kernel.gemm` for each matrix of its batch. A `kernel.pack` before them
    packs the right-hand operand into panels for the module's `kernel.target`.
    The panels are in a scratch buffer at the end of the arena, which all
    matmuls reuse. Weights that several matmuls read are packed once, to a
    buffer of their own. A transposed input is read in its layout in memory,
    column by column.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def KernelShareLoops : Pass<"kernel-share-loops", "::mlir::ModuleOp"> {
  let summary = "share the loops of training steps among threads";
  let description = [{
    All threads run the functions of each `kernel.entry` at the same time. Each
    thread computes its share of the iterations of every `scf.parallel`, in
    these functions and in the kernels that they call. Kernels that store
    outside of such loops are called by the first thread only. A barrier
    separates two consecutive operations if all threads run at least one of
    them.

    The runtime provides the number of the calling thread (`nnet3lib_thread`),
    the number of threads (`nnet3lib_num_threads`), which may differ from
    `threads` of the module's `kernel.target`, and the barrier
    (`nnet3lib_barrier`). If the target has one thread, the pass changes
    nothing.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::scf::SCFDialect"];
}

#endif // NNET3_CONVERSION_KERNELTOVECTOR_PASSES_TD

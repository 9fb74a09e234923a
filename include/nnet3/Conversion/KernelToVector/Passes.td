//===- Passes.td - Kernel operations as vector code --------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_PASSES_TD
#define NNET3_CONVERSION_KERNELTOVECTOR_PASSES_TD

include "mlir/Pass/PassBase.td"

def KernelToVector : Pass<"convert-kernel-to-vector", "::mlir::ModuleOp"> {
  let summary = "lower kernel operations to loops over vectors";
  let description = [{
    Each operation of the kernel dialect becomes loops over the vectors of the
    module's `kernel.target`. The last columns of a row, which do not fill a
    vector, are a shorter vector. Operations whose component the runtime
    computes become calls of the runtime. If the target has several threads, the
    iterations that these may share are those of `scf.parallel`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect"];
}

def KernelPackMatmuls : Pass<"kernel-pack-matmuls", "::mlir::ModuleOp"> {
  let summary = "make matmuls on packed weights of matmuls of memory";
  let description = [{
    Each `kernel.matmul` of a function with a `kernel.entry` becomes a
    `kernel.gemm` for each of its batches. A `kernel.pack` before it packs what
    they multiply with, for the module's `kernel.target`. The panels are behind
    the arena, in memory that one operation after the other uses. Weights that
    several operations read are packed once, to memory of their own. A
    transposed input is read where it is, column by column.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def KernelShareLoops : Pass<"kernel-share-loops", "::mlir::ModuleOp"> {
  let summary = "let the threads of the target run training steps together";
  let description = [{
    All threads run the functions of each `kernel.entry` at the same time. Of a
    loop `scf.parallel`, in these functions or in the kernels that they call,
    each thread computes its share of the iterations. The first thread alone
    calls a kernel that stores outside of such loops. Between two operations of
    which all threads run one or both, they wait for each other.

    The runtime tells a thread its number (`nnet3lib_thread`) and the number of
    all (`nnet3lib_num_threads`), which may differ from that of the module's
    `kernel.target`, and lets it wait (`nnet3lib_barrier`). With one thread, the
    pass changes nothing.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::scf::SCFDialect"];
}

#endif // NNET3_CONVERSION_KERNELTOVECTOR_PASSES_TD

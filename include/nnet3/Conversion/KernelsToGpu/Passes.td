//===- Passes.td - Parallel kernels as GPU functions -------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELSTOGPU_PASSES_TD
#define NNET3_CONVERSION_KERNELSTOGPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def Nnet3ConvertKernelsToGpu
    : Pass<"convert-nnet3-kernels-to-gpu", "::mlir::ModuleOp"> {
  let summary = "make GPU functions of parallel kernels";
  let description = [{
    Kernels that `convert-nnet3-to-kernels{device=true}` makes become functions
    of one `gpu.module`, and calls of them `gpu.launch_func`. The points of the
    loop around everything become blocks of threads, whose number is in the
    kernel's attribute `kernel.block`; each loop inside is shared out among the
    threads of its block. With `warps` in it points become warps, of which a
    block has as many as its threads are: they wait for nobody else. Matmuls
    stay calls.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

def Nnet3ExpandGpuReductions
    : Pass<"nnet3-expand-gpu-reductions", "::mlir::gpu::GPUModuleOp"> {
  let summary = "make exchanges of values of reductions of blocks and warps";
  let description = [{
    Sums and maxima of a block (`gpu.all_reduce`) become exchanges of values in
    each warp. Then the first thread of each warp writes its value to memory of
    the block, and all threads read all of these, in the same order. There is
    a barrier in each: what threads have written before it can be read behind
    it. The blocks of the functions have to be whole warps. Those of a warp
    (`gpu.subgroup_reduce`) are exchanges of values alone.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def Nnet3ConvertGpuToNVVM
    : Pass<"convert-nnet3-gpu-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "make NVVM code of GPU functions";
  let description = [{
    Like `convert-gpu-to-nvvm`, with bare pointers, but for the functions of the
    math dialect, which need no device library: they become intrinsics that
    are single instructions. `exp` and `tanh` have to be polynomials before
    (`nnet3-approximate-math`).
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

def Nnet3MergeGpuFunctions
    : Pass<"nnet3-merge-gpu-functions", "::mlir::ModuleOp"> {
  let summary = "keep one of GPU functions that are equal";
  let description = [{
    Kernels for other numbers of rows, or of other components of the same kind,
    often differ in nothing but how many blocks of threads are launched. One
    function remains of each `gpu.module`'s that are equal, and is launched
    instead of the others. What nothing uses has to be removed before
    (`canonicalize`, `cse`).
  }];
  let statistics = [
    Statistic<"numMerged", "merged", "Number of functions that were removed">,
  ];
}

#endif // NNET3_CONVERSION_KERNELSTOGPU_PASSES_TD

//===- Passes.td - Parallel kernels as GPU functions -------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELSTOGPU_PASSES_TD
#define NNET3_CONVERSION_KERNELSTOGPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def Nnet3ConvertKernelsToGpu
    : Pass<"convert-nnet3-kernels-to-gpu", "::mlir::ModuleOp"> {
  let summary = "convert parallel kernels to GPU functions";
  let description = [{
    Moves the kernels that `convert-nnet3-to-kernels{device=true}` makes into
    one `gpu.module`, and converts calls of them to `gpu.launch_func`. Each
    iteration of a kernel's outermost loop becomes a block of threads; the
    kernel's attribute `kernel.block` has the number of threads. The threads of
    a block share the iterations of each loop inside. If `kernel.block` has
    `warps`, each iteration becomes a warp, which does not synchronise with
    other warps of its block. Matmuls remain calls.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

def Nnet3ExpandGpuReductions
    : Pass<"nnet3-expand-gpu-reductions", "::mlir::gpu::GPUModuleOp"> {
  let summary = "lower block and warp reductions to shuffles";
  let description = [{
    Lowers a sum or maximum of a block (`gpu.all_reduce`) to shuffles within
    each warp. The first thread of each warp then stores the value of its warp
    to shared memory. After a barrier, all threads combine these values in the
    same order. The barrier also makes earlier stores of the block visible to
    all of its threads. The size of a block must be a multiple of the warp size.
    A reduction of a warp (`gpu.subgroup_reduce`) needs shuffles only.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def Nnet3ConvertGpuToNVVM
    : Pass<"convert-nnet3-gpu-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "lower GPU functions to the NVVM dialect";
  let description = [{
    Like `convert-gpu-to-nvvm` with bare pointers, but lowers operations of the
    math dialect to LLVM intrinsics, each a single instruction, instead of calls
    of CUDA's device library. `nnet3-approximate-math` must have replaced `exp`
    and `tanh` before.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

def Nnet3MergeGpuFunctions
    : Pass<"nnet3-merge-gpu-functions", "::mlir::ModuleOp"> {
  let summary = "deduplicate equal GPU functions";
  let description = [{
    Kernels for different numbers of rows, or for different components of one
    kind, often differ only in the number of blocks of a launch. The pass keeps
    one of each set of equal functions of a `gpu.module` and launches it instead
    of the others. Run `canonicalize` and `cse` before, because unused
    operations count as differences.
  }];
  let statistics = [
    Statistic<"numMerged", "merged", "Number of functions that were removed">,
  ];
}

#endif // NNET3_CONVERSION_KERNELSTOGPU_PASSES_TD

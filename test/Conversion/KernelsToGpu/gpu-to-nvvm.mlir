// RUN: nnet3-opt --pass-pipeline='builtin.module(gpu.module(convert-nnet3-gpu-to-nvvm))' --split-input-file %s | FileCheck %s --implicit-check-not=__nv_

// Memory is a bare pointer, and no function is one of CUDA's device library.

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @kernel(
  // CHECK-SAME:    !llvm.ptr) attributes {gpu.kernel, nvvm.kernel}
  gpu.func @kernel(%memory: memref<8xf32>) kernel {
    // CHECK: nvvm.read.ptx.sreg.tid.x
    %i = gpu.thread_id x
    // CHECK: llvm.load
    %x = memref.load %memory[%i] : memref<8xf32>
    // CHECK: llvm.intr.sqrt
    %root = math.sqrt %x : f32
    // CHECK: llvm.intr.fabs
    %size = math.absf %root : f32
    // CHECK: llvm.intr.floor
    %whole = math.floor %size : f32
    // CHECK: nvvm.barrier0
    gpu.barrier
    memref.store %whole, %memory[%i] : memref<8xf32>
    gpu.return
  }
}

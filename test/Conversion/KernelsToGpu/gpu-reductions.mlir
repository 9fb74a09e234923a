// RUN: nnet3-opt --pass-pipeline='builtin.module(gpu.module(nnet3-expand-gpu-reductions))' %s | FileCheck %s

gpu.module @kernels {
  // Each of three warps writes what it has, and all threads read all of it.
  // CHECK-LABEL: gpu.func @sum
  // CHECK-SAME: workgroup(%[[BUFFER:.*]] : memref<3xf32, #gpu.address_space<workgroup>>)
  // CHECK-COUNT-5: gpu.shuffle xor
  // CHECK: scf.if
  // CHECK: memref.store %{{.*}}, %[[BUFFER]]
  // CHECK-NEXT: }
  // CHECK: gpu.barrier
  // CHECK-COUNT-3: memref.load %[[BUFFER]]
  // CHECK: %[[SUM:.*]] = arith.addf
  // CHECK-NOT: arith.addf
  // CHECK: memref.store %[[SUM]]
  gpu.func @sum(%m: memref<128xf32>) kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
    %thread = gpu.thread_id x
    %x = memref.load %m[%thread] : memref<128xf32>
    %sum = gpu.all_reduce add %x uniform {} : (f32) -> f32
    memref.store %sum, %m[%thread] : memref<128xf32>
    gpu.return
  }

  // One warp needs no memory, but what it has written is to be read behind it.
  // CHECK-LABEL: gpu.func @maximum
  // CHECK-NOT: workgroup
  // CHECK-COUNT-5: arith.maximumf
  // CHECK-NEXT: gpu.barrier
  // CHECK-NOT: memref.load
  // CHECK: gpu.return
  gpu.func @maximum(%m: memref<128xf32>, %x: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %thread = gpu.thread_id x
    %max = gpu.all_reduce maximumf %x uniform {} : (f32) -> f32
    memref.store %max, %m[%thread] : memref<128xf32>
    gpu.return
  }

  // Warps of their own wait for nobody.
  // CHECK-LABEL: gpu.func @warps
  // CHECK-COUNT-5: gpu.shuffle xor
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @warps(%m: memref<128xf32>, %x: f32) kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
    %thread = gpu.thread_id x
    %sum = gpu.subgroup_reduce add %x uniform : (f32) -> f32
    memref.store %sum, %m[%thread] : memref<128xf32>
    gpu.return
  }
}

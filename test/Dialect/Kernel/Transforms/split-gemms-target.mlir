// RUN: nnet3-opt %s -split-input-file --pass-pipeline='builtin.module(func.func(kernel-split-gemms))' | FileCheck %s

// Each of two inputs has 16384 bytes of a panel, which is a quarter of this
// second-level cache: they are multiplied one after the other.
// CHECK-LABEL: func @small_cache
// CHECK-COUNT-2: kernel.gemm
module attributes {kernel.target = #kernel.target<vector_bits = 256, vector_registers = 16, l2_bytes = 65536>} {
func.func @small_cache(%arena: memref<8192xf32>, %weights: memref<8192xf32>) {
  %a = memref.reinterpret_cast %arena to offset: [0], sizes: [20, 128], strides: [128, 1] : memref<8192xf32> to memref<20x128xf32, strided<[128, 1]>>
  %b = memref.reinterpret_cast %arena to offset: [2560], sizes: [20, 128], strides: [128, 1] : memref<8192xf32> to memref<20x128xf32, strided<[128, 1], offset: 2560>>
  %y = memref.reinterpret_cast %arena to offset: [5120], sizes: [20, 32], strides: [32, 1] : memref<8192xf32> to memref<20x32xf32, strided<[32, 1], offset: 5120>>
  %w = memref.reinterpret_cast %weights to offset: [0], sizes: [1, 256, 32], strides: [8192, 32, 1] : memref<8192xf32> to memref<1x256x32xf32, strided<[8192, 32, 1]>>
  kernel.gemm ins(%a, %b : memref<20x128xf32, strided<[128, 1]>>, memref<20x128xf32, strided<[128, 1], offset: 2560>>) panel_rows [0, 128] weights(%w : memref<1x256x32xf32, strided<[8192, 32, 1]>>) outs(%y : memref<20x32xf32, strided<[32, 1], offset: 5120>>) tile_rows 2 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}
}

// -----

// CHECK-LABEL: func @large_cache
// CHECK-COUNT-1: kernel.gemm
// CHECK-NOT: kernel.gemm
module attributes {kernel.target = #kernel.target<vector_bits = 256, vector_registers = 16, l2_bytes = 131072>} {
func.func @large_cache(%arena: memref<8192xf32>, %weights: memref<8192xf32>) {
  %a = memref.reinterpret_cast %arena to offset: [0], sizes: [20, 128], strides: [128, 1] : memref<8192xf32> to memref<20x128xf32, strided<[128, 1]>>
  %b = memref.reinterpret_cast %arena to offset: [2560], sizes: [20, 128], strides: [128, 1] : memref<8192xf32> to memref<20x128xf32, strided<[128, 1], offset: 2560>>
  %y = memref.reinterpret_cast %arena to offset: [5120], sizes: [20, 32], strides: [32, 1] : memref<8192xf32> to memref<20x32xf32, strided<[32, 1], offset: 5120>>
  %w = memref.reinterpret_cast %weights to offset: [0], sizes: [1, 256, 32], strides: [8192, 32, 1] : memref<8192xf32> to memref<1x256x32xf32, strided<[8192, 32, 1]>>
  kernel.gemm ins(%a, %b : memref<20x128xf32, strided<[128, 1]>>, memref<20x128xf32, strided<[128, 1], offset: 2560>>) panel_rows [0, 128] weights(%w : memref<1x256x32xf32, strided<[8192, 32, 1]>>) outs(%y : memref<20x32xf32, strided<[32, 1], offset: 5120>>) tile_rows 2 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}
}

// RUN: nnet3-opt --convert-kernel-to-vector -split-input-file %s | FileCheck %s

// A target without fused multiply-add multiplies, and then adds.
module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 16, fma = false>} {
// CHECK-LABEL: func.func @map_without
// CHECK-NOT: fma
// CHECK: %[[P:.*]] = arith.mulf %[[X:.*]], %[[X]] : vector<4xf32>
// CHECK-NEXT: arith.addf %[[P]], %[[X]] : vector<4xf32>
// CHECK-NOT: fma
func.func @map_without(%arena: memref<96xf32>) {
  %x = memref.reinterpret_cast %arena to offset: [0], sizes: [2, 4], strides: [4, 1] : memref<96xf32> to memref<2x4xf32, strided<[4, 1]>>
  kernel.map ins(%x : memref<2x4xf32, strided<[4, 1]>>) outs(%x : memref<2x4xf32, strided<[4, 1]>>) {
  ^bb0(%a: f32):
    %s = math.fma %a, %a, %a : f32
    kernel.yield %s : f32
  }
  return
}

// CHECK-LABEL: func.func @gemm_without
// CHECK-NOT: fma
// CHECK: arith.mulf {{.*}} : vector<4xf32>
// CHECK-NEXT: arith.addf {{.*}} : vector<4xf32>
// CHECK-NOT: fma
func.func @gemm_without(%arena: memref<96xf32>, %weights: memref<96xf32>) {
  %x = memref.reinterpret_cast %arena to offset: [0], sizes: [2, 4], strides: [4, 1] : memref<96xf32> to memref<2x4xf32, strided<[4, 1]>>
  %y = memref.reinterpret_cast %arena to offset: [32], sizes: [2, 4], strides: [4, 1] : memref<96xf32> to memref<2x4xf32, strided<[4, 1], offset: 32>>
  %w = memref.reinterpret_cast %weights to offset: [0], sizes: [1, 4, 4], strides: [16, 4, 1] : memref<96xf32> to memref<1x4x4xf32, strided<[16, 4, 1]>>
  kernel.gemm ins(%x : memref<2x4xf32, strided<[4, 1]>>) panel_rows [0] weights(%w : memref<1x4x4xf32, strided<[16, 4, 1]>>) outs(%y : memref<2x4xf32, strided<[4, 1], offset: 32>>) tile_rows 2 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}
}

// -----

module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 16>} {
// CHECK-LABEL: func.func @map_with
// CHECK: math.fma {{.*}} : vector<4xf32>
func.func @map_with(%arena: memref<96xf32>) {
  %x = memref.reinterpret_cast %arena to offset: [0], sizes: [2, 4], strides: [4, 1] : memref<96xf32> to memref<2x4xf32, strided<[4, 1]>>
  kernel.map ins(%x : memref<2x4xf32, strided<[4, 1]>>) outs(%x : memref<2x4xf32, strided<[4, 1]>>) {
  ^bb0(%a: f32):
    %s = math.fma %a, %a, %a : f32
    kernel.yield %s : f32
  }
  return
}
}

// RUN: nnet3-opt --convert-kernel-to-vector %s | FileCheck %s

// A tile fetches what the next one begins with while it multiplies: a line of
// 16 floats for each of its columns, the same row for 8 of them. The last row
// has the other columns.
// CHECK-LABEL: func.func @many_columns
// CHECK:       scf.for %[[TILE:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NOT:   read
// CHECK:       scf.for %[[K:[^ ]*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args
// CHECK:       %[[COLUMNS:.*]] = arith.constant 8 : index
// CHECK:       %[[FROM_K:.*]] = arith.divui %[[K]], %[[COLUMNS]]
// CHECK:       %[[LAST:.*]] = arith.constant 5 : index
// CHECK:       %[[I:.*]] = arith.minui %[[FROM_K]], %[[LAST]]
// CHECK:       %[[LINE:.*]] = arith.remui %[[K]]
// CHECK:       %[[ROW:.*]] = arith.addi %[[TILE]], %[[I]]
// CHECK:       arith.muli %[[ROW]]
// CHECK:       %[[FLOATS:.*]] = arith.muli %[[LINE]]
// CHECK:       %[[PLACE:.*]] = arith.addi %{{.*}}, %[[FLOATS]]
// CHECK:       memref.prefetch %{{.*}}[%[[PLACE]]], read, locality<3>
// CHECK:       vector.fma

// Too few columns: it fetches all lines first.
// CHECK-LABEL:    func.func @few_columns
// CHECK-COUNT-24: memref.prefetch %{{.*}}, read, locality<3>
// CHECK:          iter_args
// CHECK-NOT:      read
// CHECK:          return
module attributes {kernel.target = #kernel.target<vector_bits = 512, vector_registers = 32>} {
  func.func @many_columns(%arena: memref<65536xf32>, %x_at: index, %w_at: index, %y_at: index) {
    %x = memref.reinterpret_cast %arena to offset: [%x_at], sizes: [18, 64], strides: [64, 1] : memref<65536xf32> to memref<18x64xf32, strided<[64, 1], offset: ?>>
    %w = memref.reinterpret_cast %arena to offset: [%w_at], sizes: [1, 64, 64], strides: [4096, 64, 1] : memref<65536xf32> to memref<1x64x64xf32, strided<[4096, 64, 1], offset: ?>>
    %y = memref.reinterpret_cast %arena to offset: [%y_at], sizes: [18, 64], strides: [128, 1] : memref<65536xf32> to memref<18x64xf32, strided<[128, 1], offset: ?>>
    kernel.gemm ins(%x : memref<18x64xf32, strided<[64, 1], offset: ?>>) panel_rows [0] weights(%w : memref<1x64x64xf32, strided<[4096, 64, 1], offset: ?>>) init(%y : memref<18x64xf32, strided<[128, 1], offset: ?>>) outs(%y : memref<18x64xf32, strided<[128, 1], offset: ?>>) tile_rows 6 {
    ^bb0(%sum: f32):
      kernel.yield %sum : f32
    }
    return
  }

  func.func @few_columns(%arena: memref<65536xf32>, %x_at: index, %w_at: index, %y_at: index) {
    %x = memref.reinterpret_cast %arena to offset: [%x_at], sizes: [18, 12], strides: [12, 1] : memref<65536xf32> to memref<18x12xf32, strided<[12, 1], offset: ?>>
    %w = memref.reinterpret_cast %arena to offset: [%w_at], sizes: [1, 12, 64], strides: [768, 64, 1] : memref<65536xf32> to memref<1x12x64xf32, strided<[768, 64, 1], offset: ?>>
    %y = memref.reinterpret_cast %arena to offset: [%y_at], sizes: [18, 64], strides: [128, 1] : memref<65536xf32> to memref<18x64xf32, strided<[128, 1], offset: ?>>
    kernel.gemm ins(%x : memref<18x12xf32, strided<[12, 1], offset: ?>>) panel_rows [0] weights(%w : memref<1x12x64xf32, strided<[768, 64, 1], offset: ?>>) init(%y : memref<18x64xf32, strided<[128, 1], offset: ?>>) outs(%y : memref<18x64xf32, strided<[128, 1], offset: ?>>) tile_rows 6 {
    ^bb0(%sum: f32):
      kernel.yield %sum : f32
    }
    return
  }
}

// RUN: nnet3-opt --convert-kernel-to-vector %s | FileCheck %s
// RUN: nnet3-opt --kernel-split-gemms=bytes=512 %s | FileCheck %s --check-prefix=SPLIT
// RUN: nnet3-opt --kernel-split-gemms=bytes=512 --convert-kernel-to-vector -o /dev/null %s

// The rows of a transposed matrix: column k of each row is 40 k further on, and
// rows are neighbours. The line of the next rows is asked for. Elements are not
// loaded as lanes, although rows have four.
// CHECK-LABEL: func.func @product
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args
// CHECK: %[[STRIDE:.*]] = arith.constant 40
// CHECK: %[[COLUMN:.*]] = arith.muli %[[K]], %[[STRIDE]]
// CHECK: %[[FIRST:.*]] = arith.addi %{{.*}}, %[[COLUMN]]
// CHECK: %[[LINE:.*]] = arith.constant 16
// CHECK: %[[NEXT:.*]] = arith.addi %[[FIRST]], %[[LINE]]
// CHECK: memref.prefetch %{{.*}}[%[[NEXT]]], read
// CHECK: arith.addi %{{.*}}, %[[COLUMN]]
// CHECK: memref.load
// CHECK: vector.broadcast
// CHECK: vector.fma

// SPLIT-LABEL: func.func @product
// SPLIT: %[[A:.*]] = memref.subview %{{.*}}[0, 0] [32, {{.*}}] [1, 1] : memref<32x36xf32, strided<[1, 40], offset: ?>>
// SPLIT: kernel.gemm ins(%[[A]] : memref<32x{{.*}}xf32, strided<[1, 40], offset: ?>>)
module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 32, row_lanes = 4>} {
  func.func @product(%arena: memref<4096xf32>, %x_at: index, %w_at: index, %y_at: index) {
    %x = memref.reinterpret_cast %arena to offset: [%x_at], sizes: [32, 36], strides: [1, 40] : memref<4096xf32> to memref<32x36xf32, strided<[1, 40], offset: ?>>
    %w = memref.reinterpret_cast %arena to offset: [%w_at], sizes: [1, 36, 8], strides: [288, 8, 1] : memref<4096xf32> to memref<1x36x8xf32, strided<[288, 8, 1], offset: ?>>
    %y = memref.reinterpret_cast %arena to offset: [%y_at], sizes: [32, 8], strides: [8, 1] : memref<4096xf32> to memref<32x8xf32, strided<[8, 1], offset: ?>>
    kernel.gemm ins(%x : memref<32x36xf32, strided<[1, 40], offset: ?>>) panel_rows [0] weights(%w : memref<1x36x8xf32, strided<[288, 8, 1], offset: ?>>) outs(%y : memref<32x8xf32, strided<[8, 1], offset: ?>>) tile_rows 8 {
    ^bb0(%sum: f32):
      kernel.yield %sum : f32
    }
    return
  }
}

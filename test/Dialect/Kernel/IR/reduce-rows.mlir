// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt --verify-roundtrip -o /dev/null %s

// CHECK-LABEL: func.func @moments
func.func @moments(%x: memref<36x32xf32, strided<[32, 1], offset: ?>>, %m: memref<1x32xf32>, %s: memref<1x32xf32>) {
  // CHECK: kernel.reduce_rows ins(%{{.*}} : memref<36x32xf32, {{.*}}>) outs(%{{.*}}, %{{.*}} : memref<1x32xf32>, memref<1x32xf32>) accumulate {
  // CHECK-NEXT: ^bb0(%[[C:.*]]: index, %[[ROW:.*]]: memref<32xf32, strided<[1], offset: ?>>):
  // CHECK-NEXT: %[[V:.*]] = memref.load %[[ROW]][%[[C]]]
  // CHECK-NEXT: %[[W:.*]] = arith.mulf %[[V]], %[[V]]
  // CHECK-NEXT: kernel.yield %[[V]], %[[W]] : f32, f32
  kernel.reduce_rows ins(%x : memref<36x32xf32, strided<[32, 1], offset: ?>>) outs(%m, %s : memref<1x32xf32>, memref<1x32xf32>) accumulate {
  ^bb0(%c: index, %row: memref<32xf32, strided<[1], offset: ?>>):
    %v = memref.load %row[%c] : memref<32xf32, strided<[1], offset: ?>>
    %w = arith.mulf %v, %v : f32
    kernel.yield %v, %w : f32, f32
  }
  return
}

// Slices of rows, blocks of columns, a vector, and memory for sums of slices.
// CHECK-LABEL: func.func @slices
func.func @slices(%x: memref<36x32xf32>, %v: memref<8xf32>, %y: memref<3x8xf32>, %scratch: memref<96xf32>) {
  // CHECK: kernel.reduce_rows ins({{.*}}) outs(%{{.*}} : memref<3x8xf32>) scratch(%{{.*}} : memref<96xf32>) blocks 4 {
  kernel.reduce_rows ins(%x, %v : memref<36x32xf32>, memref<8xf32>) outs(%y : memref<3x8xf32>) scratch(%scratch : memref<96xf32>) blocks 4 {
  ^bb0(%c: index, %row: memref<32xf32, strided<[1], offset: ?>>, %vector: memref<8xf32, strided<[1], offset: ?>>):
    %a = memref.load %row[%c] : memref<32xf32, strided<[1], offset: ?>>
    kernel.yield %a : f32
  }
  return
}

// An index of each row.
// CHECK-LABEL: func.func @row_indexes
func.func @row_indexes(%i: memref<2x1xi32>, %y: memref<2x4xf32>) {
  // CHECK: kernel.map_rows ins(%{{.*}} : memref<2x1xi32>)
  // CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: memref<1xi32, strided<[1], offset: ?>>, %{{.*}}: memref<4xf32
  kernel.map_rows ins(%i : memref<2x1xi32>) outs(%y : memref<2x4xf32>) {
  ^bb0(%part: index, %indexes: memref<1xi32, strided<[1], offset: ?>>, %to: memref<4xf32, strided<[1], offset: ?>>):
    kernel.yield
  }
  return
}

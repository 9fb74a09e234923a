// RUN: nnet3-opt --convert-kernel-to-vector %s | FileCheck %s

module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 16>} {

// Six columns are a vector of four and one of two. A vector is loaded for the
// columns, a single column as a scalar, the rows of a smaller matrix in turn.
// CHECK-LABEL: func.func @spread
// CHECK-SAME: (%[[ARENA:.*]]: memref<96xf32>, %[[WEIGHTS:.*]]: memref<16xf32>
// CHECK: scf.for %[[ROW:.*]] =
// CHECK: arith.remui %[[ROW]], %c2
// CHECK: vector.load %[[ARENA]]{{.*}} vector<4xf32>
// CHECK: %[[ONE:.*]] = memref.load %[[ARENA]]
// CHECK: vector.broadcast %[[ONE]] : f32 to vector<4xf32>
// CHECK: vector.load %[[WEIGHTS]]{{.*}} vector<4xf32>
// CHECK: arith.constant dense<2.000000e+00> : vector<4xf32>
// CHECK: arith.cmpf olt, {{.*}} : vector<4xf32>
// CHECK: arith.select {{.*}} : vector<4xi1>, vector<4xf32>
// CHECK: vector.store {{.*}} vector<4xf32>
// CHECK: vector.store {{.*}} vector<2xf32>
func.func @spread(%arena: memref<96xf32>, %weights: memref<16xf32>, %at: index) {
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [4, 6], strides: [8, 1] : memref<96xf32> to memref<4x6xf32, strided<[8, 1], offset: ?>>
  %first = memref.subview %y[0, 0] [2, 6] [1, 1] : memref<4x6xf32, strided<[8, 1], offset: ?>> to memref<2x6xf32, strided<[8, 1], offset: ?>>
  %column = memref.subview %y[0, 3] [4, 1] [1, 1] : memref<4x6xf32, strided<[8, 1], offset: ?>> to memref<4x1xf32, strided<[8, 1], offset: ?>>
  %scale = memref.reinterpret_cast %weights to offset: [8], sizes: [6], strides: [1] : memref<16xf32> to memref<6xf32, strided<[1], offset: 8>>
  kernel.map ins(%first, %column, %scale : memref<2x6xf32, strided<[8, 1], offset: ?>>, memref<4x1xf32, strided<[8, 1], offset: ?>>, memref<6xf32, strided<[1], offset: 8>>) outs(%y : memref<4x6xf32, strided<[8, 1], offset: ?>>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %two = arith.constant 2.0 : f32
    %less = arith.cmpf olt, %a, %two : f32
    %s = arith.select %less, %b, %c : f32
    kernel.yield %s : f32
  }
  return
}

// A vector with fewer columns is read again: as a whole vector, or column by
// column where a vector would go beyond its end.
// CHECK-LABEL: func.func @repeated
// CHECK: %[[AT:.*]] = arith.remui %{{.*}}, %c4
// CHECK: %[[PLACE:.*]] = arith.addi %{{.*}}, %[[AT]]
// CHECK: vector.load %{{.*}}[%[[PLACE]]] {{.*}} vector<4xf32>
// CHECK-COUNT-4: arith.remui %{{.*}}, %c3
// CHECK: vector.from_elements {{.*}} : vector<4xf32>
func.func @repeated(%arena: memref<96xf32>, %weights: memref<16xf32>, %at: index) {
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [2, 12], strides: [12, 1] : memref<96xf32> to memref<2x12xf32, strided<[12, 1], offset: ?>>
  %four = memref.reinterpret_cast %weights to offset: [%at], sizes: [4], strides: [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  %three = memref.reinterpret_cast %weights to offset: [%at], sizes: [3], strides: [1] : memref<16xf32> to memref<3xf32, strided<[1], offset: ?>>
  kernel.map ins(%four, %three : memref<4xf32, strided<[1], offset: ?>>, memref<3xf32, strided<[1], offset: ?>>) outs(%y : memref<2x12xf32, strided<[12, 1], offset: ?>>) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %b : f32
    kernel.yield %p : f32
  }
  return
}

// An absent row reads as zeros; where the result is added, nothing happens.
// CHECK-LABEL: func.func @absent
// CHECK: arith.cmpi sge
// CHECK: scf.if
// CHECK: vector.load
// CHECK: vector.store
// CHECK: } else {
// CHECK-NOT: vector.load
// CHECK: dense<0.000000e+00>
// CHECK: vector.store
// CHECK: scf.for
// CHECK: scf.if
// CHECK: arith.addf
// CHECK-NOT: else
// CHECK: return
func.func @absent(%arena: memref<96xf32>, %table: memref<8xi32>, %at: index) {
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [4, 4], strides: [4, 1] : memref<96xf32> to memref<4x4xf32, strided<[4, 1], offset: ?>>
  %rows = kernel.indexed_rows %arena, %table[%at] : memref<96xf32>, memref<8xi32> to !kernel.rows<4x4>
  kernel.map ins(%rows : !kernel.rows<4x4>) outs(%y : memref<4x4xf32, strided<[4, 1], offset: ?>>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.map ins(%rows : !kernel.rows<4x4>) outs(%y : memref<4x4xf32, strided<[4, 1], offset: ?>>) accumulate {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  return
}

}

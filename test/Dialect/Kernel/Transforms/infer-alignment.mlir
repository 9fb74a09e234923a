// RUN: nnet3-opt --kernel-infer-alignment %s | FileCheck %s

kernel.resources weights 1 layout [] calls [] row_tables <0, _, 8, 4, 6, 12>

// CHECK-LABEL: func.func @rows
func.func @rows(%arena: memref<96xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [8], sizes: [2, 8], strides: [12, 1] : memref<96xf32> to memref<2x8xf32, strided<[12, 1], offset: 8>>
  // CHECK: kernel.map outs({{.*}}) alignment 4 {
  kernel.map outs(%x : memref<2x8xf32, strided<[12, 1], offset: 8>>) {
    %c = arith.constant 0.0 : f32
    kernel.yield %c : f32
  }
  // An element for each row may be anywhere.
  %column = memref.subview %x[0, 3] [2, 1] [1, 1] : memref<2x8xf32, strided<[12, 1], offset: 8>> to memref<2x1xf32, strided<[12, 1], offset: 11>>
  // CHECK: kernel.map ins({{.*}}) outs({{.*}}) alignment 4 {
  kernel.map ins(%column : memref<2x1xf32, strided<[12, 1], offset: 11>>) outs(%x : memref<2x8xf32, strided<[12, 1], offset: 8>>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %part = memref.subview %x[0, 2] [2, 4] [1, 1] : memref<2x8xf32, strided<[12, 1], offset: 8>> to memref<2x4xf32, strided<[12, 1], offset: 10>>
  // CHECK: kernel.map outs({{.*}}) alignment 2 {
  kernel.map outs(%part : memref<2x4xf32, strided<[12, 1], offset: 10>>) {
    %c = arith.constant 0.0 : f32
    kernel.yield %c : f32
  }
  // The distance of a single row does not matter.
  %row = memref.reinterpret_cast %arena to offset: [8], sizes: [1, 8], strides: [9, 1] : memref<96xf32> to memref<1x8xf32, strided<[9, 1], offset: 8>>
  // CHECK: kernel.map outs({{.*}}) alignment 4 {
  kernel.map outs(%row : memref<1x8xf32, strided<[9, 1], offset: 8>>) {
    %c = arith.constant 0.0 : f32
    kernel.yield %c : f32
  }
  %odd = memref.reinterpret_cast %arena to offset: [8], sizes: [2, 7], strides: [8, 1] : memref<96xf32> to memref<2x7xf32, strided<[8, 1], offset: 8>>
  // CHECK: kernel.map outs(%{{[^ ]*}} : {{[^)]*}}) {
  kernel.map outs(%odd : memref<2x7xf32, strided<[8, 1], offset: 8>>) {
    %c = arith.constant 0.0 : f32
    kernel.yield %c : f32
  }
  %unknown = memref.reinterpret_cast %arena to offset: [%at], sizes: [2, 8], strides: [8, 1] : memref<96xf32> to memref<2x8xf32, strided<[8, 1], offset: ?>>
  // CHECK: kernel.map outs(%{{[^ ]*}} : {{[^)]*}}) {
  kernel.map outs(%unknown : memref<2x8xf32, strided<[8, 1], offset: ?>>) {
    %c = arith.constant 0.0 : f32
    kernel.yield %c : f32
  }
  return
}

// The rows that are there are at 0, 8 and 4, or at 4, 6 and 12.
// CHECK-LABEL: func.func @tables
func.func @tables(%arena: memref<96xf32>, %table: memref<6xi32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %x = kernel.indexed_rows %arena, %table[%c0] : memref<96xf32>, memref<6xi32> to !kernel.rows<4x4>
  // CHECK: kernel.map outs({{.*}}) alignment 4 {
  kernel.map outs(%x : !kernel.rows<4x4>) {
    %c = arith.constant 0.0 : f32
    kernel.yield %c : f32
  }
  %y = kernel.indexed_rows %arena, %table[%c3] : memref<96xf32>, memref<6xi32> to !kernel.rows<3x4>
  // CHECK: kernel.map outs({{.*}}) alignment 2 {
  kernel.map outs(%y : !kernel.rows<3x4>) {
    %c = arith.constant 0.0 : f32
    kernel.yield %c : f32
  }
  // Nobody says where rows beyond the table are.
  // CHECK: kernel.map outs(%{{[^ ]*}} : !kernel.rows<4x4>) {
  %z = kernel.indexed_rows %arena, %table[%c3] : memref<96xf32>, memref<6xi32> to !kernel.rows<4x4>
  kernel.map outs(%z : !kernel.rows<4x4>) {
    %c = arith.constant 0.0 : f32
    kernel.yield %c : f32
  }
  return
}

// Integers count in numbers of their own; a group of rows, and a vector that is
// read again, are to begin at multiples each time.
// CHECK-LABEL: func.func @others
func.func @others(%arena: memref<96xf32>, %weights: memref<96xf32>) {
  %words = memref.reinterpret_cast %arena to offset: [9], sizes: [2, 2], strides: [2, 1] : memref<96xf32> to memref<2x2xf32, strided<[2, 1], offset: 9>>
  %bytes = kernel.narrow %words : memref<2x2xf32, strided<[2, 1], offset: 9>> to memref<2x8xi8, strided<[8, 1], offset: ?>>
  // CHECK: kernel.map outs({{.*}}) alignment 4 {
  kernel.map outs(%bytes : memref<2x8xi8, strided<[8, 1], offset: ?>>) {
    %c = arith.constant 0 : i8
    kernel.yield %c : i8
  }
  %groups = memref.reinterpret_cast %arena to offset: [0], sizes: [2, 2, 4], strides: [18, 4, 1] : memref<96xf32> to memref<2x2x4xf32, strided<[18, 4, 1]>>
  %y = memref.reinterpret_cast %arena to offset: [48], sizes: [4, 4], strides: [4, 1] : memref<96xf32> to memref<4x4xf32, strided<[4, 1], offset: 48>>
  // CHECK: kernel.map ins({{.*}}) outs({{.*}}) alignment 2 {
  kernel.map ins(%groups : memref<2x2x4xf32, strided<[18, 4, 1]>>) outs(%y : memref<4x4xf32, strided<[4, 1], offset: 48>>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %v = memref.reinterpret_cast %weights to offset: [0], sizes: [2], strides: [1] : memref<96xf32> to memref<2xf32, strided<[1]>>
  // CHECK: kernel.map ins({{.*}}) outs({{.*}}) alignment 2 {
  kernel.map ins(%v : memref<2xf32, strided<[1]>>) outs(%y : memref<4x4xf32, strided<[4, 1], offset: 48>>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %x = memref.reinterpret_cast %arena to offset: [0], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1]>>
  %z = memref.reinterpret_cast %arena to offset: [9], sizes: [1, 4], strides: [4, 1] : memref<96xf32> to memref<1x4xf32, strided<[4, 1], offset: 9>>
  %w = memref.reinterpret_cast %weights to offset: [0], sizes: [4, 4], strides: [8, 1] : memref<96xf32> to memref<4x4xf32, strided<[8, 1]>>
  // CHECK: kernel.gemv {{.*}} alignment 4 {
  kernel.gemv rows(%x : memref<1x4xf32, strided<[4, 1]>>) weights(%w : memref<4x4xf32, strided<[8, 1]>>) outs(%z : memref<1x4xf32, strided<[4, 1], offset: 9>>) {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  // CHECK: kernel.gemv rows({{.*}}) weights({{.*}}) outs(%{{[^ ]*}} : {{[^)]*}}) {
  kernel.gemv rows(%z : memref<1x4xf32, strided<[4, 1], offset: 9>>) weights(%w : memref<4x4xf32, strided<[8, 1]>>) outs(%x : memref<1x4xf32, strided<[4, 1]>>) {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  return
}

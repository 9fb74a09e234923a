// RUN: nnet3-opt --kernel-outline %s | FileCheck %s

// Operations that differ in nothing but offsets share a function. Offsets that
// canonicalization has made part of a type are arguments, too.

// CHECK-LABEL: func.func @program
// CHECK-SAME: (%[[ARENA:.*]]: memref<96xf32>, %[[CONTEXT:.*]]: !llvm.ptr, %[[TABLES:.*]]: memref<4xi32>)
func.func @program(%arena: memref<96xf32>, %context: !llvm.ptr, %tables: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c24 = arith.constant 24 : index
  // CHECK: call @map_0(%[[ARENA]], %[[TABLES]], %[[CONTEXT]], %c0, %c24)
  %x = memref.reinterpret_cast %arena to offset: [%c0], sizes: [2, 8], strides: [8, 1] : memref<96xf32> to memref<2x8xf32, strided<[8, 1], offset: ?>>
  %left = memref.subview %x[0, 0] [2, 4] [1, 1] : memref<2x8xf32, strided<[8, 1], offset: ?>> to memref<2x4xf32, strided<[8, 1], offset: ?>>
  %right = memref.subview %x[0, 4] [2, 4] [1, 1] : memref<2x8xf32, strided<[8, 1], offset: ?>> to memref<2x4xf32, strided<[8, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%c24], sizes: [2, 4], strides: [4, 1] : memref<96xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
  kernel.map ins(%left, %right : memref<2x4xf32, strided<[8, 1], offset: ?>>, memref<2x4xf32, strided<[8, 1], offset: ?>>) outs(%y : memref<2x4xf32, strided<[4, 1], offset: ?>>) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %b : f32
    kernel.yield %p : f32
  }
  // CHECK: call @map_0(%[[ARENA]], %[[TABLES]], %[[CONTEXT]], %c24{{.*}}, %c48{{.*}})
  %x1 = memref.reinterpret_cast %arena to offset: [24], sizes: [2, 8], strides: [8, 1] : memref<96xf32> to memref<2x8xf32, strided<[8, 1], offset: 24>>
  %left1 = memref.subview %x1[0, 0] [2, 4] [1, 1] : memref<2x8xf32, strided<[8, 1], offset: 24>> to memref<2x4xf32, strided<[8, 1], offset: 24>>
  %right1 = memref.subview %x1[0, 4] [2, 4] [1, 1] : memref<2x8xf32, strided<[8, 1], offset: 24>> to memref<2x4xf32, strided<[8, 1], offset: 28>>
  %y1 = memref.reinterpret_cast %arena to offset: [48], sizes: [2, 4], strides: [4, 1] : memref<96xf32> to memref<2x4xf32, strided<[4, 1], offset: 48>>
  kernel.map ins(%left1, %right1 : memref<2x4xf32, strided<[8, 1], offset: 24>>, memref<2x4xf32, strided<[8, 1], offset: 28>>) outs(%y1 : memref<2x4xf32, strided<[4, 1], offset: 48>>) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %b : f32
    kernel.yield %p : f32
  }
  // Another region is another function.
  // CHECK: call @map_1(
  kernel.map ins(%left, %right : memref<2x4xf32, strided<[8, 1], offset: ?>>, memref<2x4xf32, strided<[8, 1], offset: ?>>) outs(%y : memref<2x4xf32, strided<[4, 1], offset: ?>>) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.addf %a, %b : f32
    kernel.yield %p : f32
  }
  // CHECK: call @map_2(
  %rows = kernel.indexed_rows %arena, %tables[%c2] : memref<96xf32>, memref<4xi32> to !kernel.rows<2x4>
  kernel.map ins(%y : memref<2x4xf32, strided<[4, 1], offset: ?>>) outs(%rows : !kernel.rows<2x4>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  // CHECK: call @run_component_3(
  kernel.run_component %c2 outs(%y : memref<2x4xf32, strided<[4, 1], offset: ?>>) context(%context : !llvm.ptr)
  // CHECK-NOT: memref.subview
  // CHECK: return
  return
}

// CHECK: func.func private @map_0(%[[ARENA:.*]]: memref<96xf32>, %{{.*}}: memref<4xi32>, %{{.*}}: !llvm.ptr, %[[FROM:.*]]: index, %[[TO:.*]]: index)
// CHECK: %[[X:.*]] = memref.reinterpret_cast %[[ARENA]] to offset: [%[[FROM]]], sizes: [2, 8]
// CHECK: memref.subview %[[X]][0, 0]
// CHECK: memref.subview %[[X]][0, 4]
// CHECK: memref.reinterpret_cast %[[ARENA]] to offset: [%[[TO]]], sizes: [2, 4]
// CHECK: kernel.map
// CHECK: arith.mulf
// CHECK: func.func private @map_1
// CHECK: func.func private @map_2(%{{.*}}, %[[BEGIN:[^ ]*]]: index) {
// CHECK: kernel.indexed_rows %{{.*}}, %{{.*}}[%[[BEGIN]]]
// CHECK: func.func private @run_component_3
// CHECK-NOT: func.func

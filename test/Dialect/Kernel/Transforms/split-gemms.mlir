// RUN: nnet3-opt %s --pass-pipeline='builtin.module(func.func(kernel-split-gemms{bytes=4096}))' | FileCheck %s

// 20 rows of two inputs with 32 columns each. A panel has 32 columns, so an
// input has 4096 bytes of it: the inputs are multiplied one after the other,
// and the output keeps the sums.
// CHECK-LABEL: func @splice
// CHECK: %[[A:.*]] = memref.reinterpret_cast %arg0 to offset: [%c0]
// CHECK: %[[B:.*]] = memref.reinterpret_cast %arg0 to offset: [%c1024]
// CHECK: %[[Y:.*]] = memref.reinterpret_cast %arg0 to offset: [%c2048]
// CHECK: kernel.gemm ins(%[[A]] : {{[^)]*}}) panel_rows [0] weights({{[^)]*}}) bias({{[^)]*}}) outs(%[[Y]] : {{.*}}) tile_rows 6 {
// CHECK-NEXT: ^bb0(%[[SUM:.*]]: f32):
// CHECK-NEXT: kernel.yield %[[SUM]] : f32
// CHECK: kernel.gemm ins(%[[B]] : {{[^)]*}}) panel_rows [32] weights({{[^)]*}}) init(%[[Y]] : {{[^)]*}}) outs(%[[Y]] : {{.*}}) tile_rows 6 {
// CHECK: math.absf
// CHECK-NOT: kernel.gemm
func.func @splice(%arena: memref<4096xf32>, %weights: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c2048 = arith.constant 2048 : index
  %a = memref.reinterpret_cast %arena to offset: [%c0], sizes: [20, 32], strides: [32, 1] : memref<4096xf32> to memref<20x32xf32, strided<[32, 1], offset: ?>>
  %b = memref.reinterpret_cast %arena to offset: [%c1024], sizes: [20, 32], strides: [32, 1] : memref<4096xf32> to memref<20x32xf32, strided<[32, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%c2048], sizes: [20, 32], strides: [32, 1] : memref<4096xf32> to memref<20x32xf32, strided<[32, 1], offset: ?>>
  %w = memref.reinterpret_cast %weights to offset: [%c0], sizes: [1, 64, 32], strides: [2048, 32, 1] : memref<4096xf32> to memref<1x64x32xf32, strided<[2048, 32, 1], offset: ?>>
  %bias = memref.reinterpret_cast %weights to offset: [%c2048], sizes: [32], strides: [1] : memref<4096xf32> to memref<32xf32, strided<[1], offset: ?>>
  kernel.gemm ins(%a, %b : memref<20x32xf32, strided<[32, 1], offset: ?>>, memref<20x32xf32, strided<[32, 1], offset: ?>>) panel_rows [0, 32] weights(%w : memref<1x64x32xf32, strided<[2048, 32, 1], offset: ?>>) bias(%bias : memref<32xf32, strided<[1], offset: ?>>) outs(%y : memref<20x32xf32, strided<[32, 1], offset: ?>>) tile_rows 6 {
  ^bb0(%sum: f32):
    %r = math.absf %sum : f32
    kernel.yield %r : f32
  }
  return
}

// One tile of rows reads all weights once anyway.
// CHECK-LABEL: func @few_rows
// CHECK-COUNT-1: kernel.gemm
// CHECK-NOT: kernel.gemm
func.func @few_rows(%arena: memref<4096xf32>, %weights: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c2048 = arith.constant 2048 : index
  %a = memref.reinterpret_cast %arena to offset: [%c0], sizes: [6, 32], strides: [32, 1] : memref<4096xf32> to memref<6x32xf32, strided<[32, 1], offset: ?>>
  %b = memref.reinterpret_cast %arena to offset: [%c1024], sizes: [6, 32], strides: [32, 1] : memref<4096xf32> to memref<6x32xf32, strided<[32, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%c2048], sizes: [6, 32], strides: [32, 1] : memref<4096xf32> to memref<6x32xf32, strided<[32, 1], offset: ?>>
  %w = memref.reinterpret_cast %weights to offset: [%c0], sizes: [1, 64, 32], strides: [2048, 32, 1] : memref<4096xf32> to memref<1x64x32xf32, strided<[2048, 32, 1], offset: ?>>
  kernel.gemm ins(%a, %b : memref<6x32xf32, strided<[32, 1], offset: ?>>, memref<6x32xf32, strided<[32, 1], offset: ?>>) panel_rows [0, 32] weights(%w : memref<1x64x32xf32, strided<[2048, 32, 1], offset: ?>>) outs(%y : memref<6x32xf32, strided<[32, 1], offset: ?>>) tile_rows 6 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

// The epilogue reads what is in the output before.
// CHECK-LABEL: func @in_place
// CHECK-COUNT-1: kernel.gemm
// CHECK-NOT: kernel.gemm
func.func @in_place(%arena: memref<4096xf32>, %weights: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c2048 = arith.constant 2048 : index
  %a = memref.reinterpret_cast %arena to offset: [%c0], sizes: [20, 32], strides: [32, 1] : memref<4096xf32> to memref<20x32xf32, strided<[32, 1], offset: ?>>
  %b = memref.reinterpret_cast %arena to offset: [%c1024], sizes: [20, 32], strides: [32, 1] : memref<4096xf32> to memref<20x32xf32, strided<[32, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%c2048], sizes: [20, 32], strides: [32, 1] : memref<4096xf32> to memref<20x32xf32, strided<[32, 1], offset: ?>>
  %w = memref.reinterpret_cast %weights to offset: [%c0], sizes: [1, 64, 32], strides: [2048, 32, 1] : memref<4096xf32> to memref<1x64x32xf32, strided<[2048, 32, 1], offset: ?>>
  kernel.gemm ins(%a, %b : memref<20x32xf32, strided<[32, 1], offset: ?>>, memref<20x32xf32, strided<[32, 1], offset: ?>>) panel_rows [0, 32] weights(%w : memref<1x64x32xf32, strided<[2048, 32, 1], offset: ?>>) epilogue(%y : memref<20x32xf32, strided<[32, 1], offset: ?>>) outs(%y : memref<20x32xf32, strided<[32, 1], offset: ?>>) tile_rows 6 {
  ^bb0(%sum: f32, %old: f32):
    %r = arith.addf %sum, %old : f32
    kernel.yield %r : f32
  }
  return
}

// One input of 80 columns becomes three.
// CHECK-LABEL: func @long_input
// CHECK: %[[FIRST:.*]] = memref.subview %{{.*}}[0, 0] [20, 32] [1, 1]
// CHECK: %[[SECOND:.*]] = memref.subview %{{.*}}[0, 32] [20, 32] [1, 1]
// CHECK: %[[THIRD:.*]] = memref.subview %{{.*}}[0, 64] [20, 16] [1, 1]
// CHECK: kernel.gemm ins(%[[FIRST]] : {{[^)]*}}) panel_rows [0]
// CHECK: kernel.gemm ins(%[[SECOND]] : {{[^)]*}}) panel_rows [32] {{.*}} init
// CHECK: kernel.gemm ins(%[[THIRD]] : {{[^)]*}}) panel_rows [64] {{.*}} init
// CHECK-NOT: kernel.gemm
func.func @long_input(%arena: memref<4096xf32>, %weights: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c2048 = arith.constant 2048 : index
  %a = memref.reinterpret_cast %arena to offset: [%c0], sizes: [20, 80], strides: [80, 1] : memref<4096xf32> to memref<20x80xf32, strided<[80, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%c2048], sizes: [20, 32], strides: [32, 1] : memref<4096xf32> to memref<20x32xf32, strided<[32, 1], offset: ?>>
  %w = memref.reinterpret_cast %weights to offset: [%c0], sizes: [1, 80, 32], strides: [2560, 32, 1] : memref<4096xf32> to memref<1x80x32xf32, strided<[2560, 32, 1], offset: ?>>
  kernel.gemm ins(%a : memref<20x80xf32, strided<[80, 1], offset: ?>>) panel_rows [0] weights(%w : memref<1x80x32xf32, strided<[2560, 32, 1], offset: ?>>) outs(%y : memref<20x32xf32, strided<[32, 1], offset: ?>>) tile_rows 6 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

// RUN: nnet3-opt %s --pass-pipeline='builtin.module(func.func(kernel-fuse-epilogues))' | FileCheck %s

// The map reads the sums, a matrix and a vector.
// CHECK-LABEL: func @fused
// CHECK: kernel.gemm {{.*}} epilogue(%{{.*}}, %{{.*}} : memref<36x32xf32, {{.*}}>, memref<32xf32, {{.*}}>) outs
// CHECK-NEXT: ^bb0(%[[SUM:.*]]: f32, %[[R:.*]]: f32, %[[S:.*]]: f32):
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[SUM]], %[[S]] : f32
// CHECK-NEXT: %[[Q:.*]] = arith.addf %[[P]], %[[R]] : f32
// CHECK-NEXT: kernel.yield %[[Q]] : f32
// CHECK-NOT: kernel.map
func.func @fused(%arena: memref<4096xf32>, %weights: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c2304 = arith.constant 2304 : index
  %x = memref.reinterpret_cast %arena to offset: [%c0], sizes: [36, 20], strides: [20, 1] : memref<4096xf32> to memref<36x20xf32, strided<[20, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%c1024], sizes: [36, 32], strides: [32, 1] : memref<4096xf32> to memref<36x32xf32, strided<[32, 1], offset: ?>>
  %w = memref.reinterpret_cast %weights to offset: [%c0], sizes: [1, 20, 32], strides: [640, 32, 1] : memref<4096xf32> to memref<1x20x32xf32, strided<[640, 32, 1], offset: ?>>
  kernel.gemm ins(%x : memref<36x20xf32, strided<[20, 1], offset: ?>>) panel_rows [0] weights(%w : memref<1x20x32xf32, strided<[640, 32, 1], offset: ?>>) outs(%y : memref<36x32xf32, strided<[32, 1], offset: ?>>) tile_rows 6 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  %r = memref.reinterpret_cast %arena to offset: [%c2304], sizes: [36, 32], strides: [32, 1] : memref<4096xf32> to memref<36x32xf32, strided<[32, 1], offset: ?>>
  %s = memref.reinterpret_cast %weights to offset: [%c1024], sizes: [32], strides: [1] : memref<4096xf32> to memref<32xf32, strided<[1], offset: ?>>
  kernel.map ins(%y, %r, %s : memref<36x32xf32, strided<[32, 1], offset: ?>>, memref<36x32xf32, strided<[32, 1], offset: ?>>, memref<32xf32, strided<[1], offset: ?>>) outs(%y : memref<36x32xf32, strided<[32, 1], offset: ?>>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %c : f32
    %q = arith.addf %p, %b : f32
    kernel.yield %q : f32
  }
  return
}

// The sums are needed where they are.
// CHECK-LABEL: func @elsewhere
// CHECK: kernel.gemm
// CHECK: kernel.map
func.func @elsewhere(%arena: memref<4096xf32>, %weights: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c2304 = arith.constant 2304 : index
  %x = memref.reinterpret_cast %arena to offset: [%c0], sizes: [36, 20], strides: [20, 1] : memref<4096xf32> to memref<36x20xf32, strided<[20, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%c1024], sizes: [36, 32], strides: [32, 1] : memref<4096xf32> to memref<36x32xf32, strided<[32, 1], offset: ?>>
  %w = memref.reinterpret_cast %weights to offset: [%c0], sizes: [1, 20, 32], strides: [640, 32, 1] : memref<4096xf32> to memref<1x20x32xf32, strided<[640, 32, 1], offset: ?>>
  kernel.gemm ins(%x : memref<36x20xf32, strided<[20, 1], offset: ?>>) panel_rows [0] weights(%w : memref<1x20x32xf32, strided<[640, 32, 1], offset: ?>>) outs(%y : memref<36x32xf32, strided<[32, 1], offset: ?>>) tile_rows 6 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  %r = memref.reinterpret_cast %arena to offset: [%c2304], sizes: [36, 32], strides: [32, 1] : memref<4096xf32> to memref<36x32xf32, strided<[32, 1], offset: ?>>
  kernel.map ins(%y : memref<36x32xf32, strided<[32, 1], offset: ?>>) outs(%r : memref<36x32xf32, strided<[32, 1], offset: ?>>) {
  ^bb0(%a: f32):
    %p = math.absf %a : f32
    kernel.yield %p : f32
  }
  return
}

// The map reads other elements of the output.
// CHECK-LABEL: func @overlapping
// CHECK: kernel.gemm
// CHECK: kernel.map
func.func @overlapping(%arena: memref<4096xf32>, %weights: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c1024 = arith.constant 1024 : index
  %c1056 = arith.constant 1056 : index
  %x = memref.reinterpret_cast %arena to offset: [%c0], sizes: [36, 20], strides: [20, 1] : memref<4096xf32> to memref<36x20xf32, strided<[20, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%c1024], sizes: [36, 32], strides: [32, 1] : memref<4096xf32> to memref<36x32xf32, strided<[32, 1], offset: ?>>
  %w = memref.reinterpret_cast %weights to offset: [%c0], sizes: [1, 20, 32], strides: [640, 32, 1] : memref<4096xf32> to memref<1x20x32xf32, strided<[640, 32, 1], offset: ?>>
  kernel.gemm ins(%x : memref<36x20xf32, strided<[20, 1], offset: ?>>) panel_rows [0] weights(%w : memref<1x20x32xf32, strided<[640, 32, 1], offset: ?>>) outs(%y : memref<36x32xf32, strided<[32, 1], offset: ?>>) tile_rows 6 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  %r = memref.reinterpret_cast %arena to offset: [%c1056], sizes: [36, 32], strides: [32, 1] : memref<4096xf32> to memref<36x32xf32, strided<[32, 1], offset: ?>>
  kernel.map ins(%y, %r : memref<36x32xf32, strided<[32, 1], offset: ?>>, memref<36x32xf32, strided<[32, 1], offset: ?>>) outs(%y : memref<36x32xf32, strided<[32, 1], offset: ?>>) {
  ^bb0(%a: f32, %b: f32):
    %p = arith.addf %a, %b : f32
    kernel.yield %p : f32
  }
  return
}

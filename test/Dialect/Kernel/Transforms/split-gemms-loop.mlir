// RUN: nnet3-opt %s --pass-pipeline='builtin.module(func.func(kernel-split-gemms{bytes=4096}))' | FileCheck %s

// Views that move from round to round of a loop: the epilogue adds rows of
// another matrix, further on by as many rows, so the output may keep the sums.
// CHECK-LABEL: func @apart
// CHECK: scf.for
// CHECK-COUNT-2: kernel.gemm
// CHECK-NOT: kernel.gemm
func.func @apart(%arena: memref<8192xf32>, %weights: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c640 = arith.constant 640 : index
  %c1024 = arith.constant 1024 : index
  %c2048 = arith.constant 2048 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %step = arith.muli %i, %c640 overflow<nsw> : index
    %from = arith.addi %c2048, %step overflow<nsw> : index
    %to = arith.addi %c4096, %step overflow<nsw> : index
    %a = memref.reinterpret_cast %arena to offset: [%c0], sizes: [20, 32], strides: [32, 1] : memref<8192xf32> to memref<20x32xf32, strided<[32, 1], offset: ?>>
    %b = memref.reinterpret_cast %arena to offset: [%c1024], sizes: [20, 32], strides: [32, 1] : memref<8192xf32> to memref<20x32xf32, strided<[32, 1], offset: ?>>
    %r = memref.reinterpret_cast %arena to offset: [%from], sizes: [20, 32], strides: [32, 1] : memref<8192xf32> to memref<20x32xf32, strided<[32, 1], offset: ?>>
    %y = memref.reinterpret_cast %arena to offset: [%to], sizes: [20, 32], strides: [32, 1] : memref<8192xf32> to memref<20x32xf32, strided<[32, 1], offset: ?>>
    %w = memref.reinterpret_cast %weights to offset: [%c0], sizes: [1, 64, 32], strides: [2048, 32, 1] : memref<4096xf32> to memref<1x64x32xf32, strided<[2048, 32, 1], offset: ?>>
    kernel.gemm ins(%a, %b : memref<20x32xf32, strided<[32, 1], offset: ?>>, memref<20x32xf32, strided<[32, 1], offset: ?>>) panel_rows [0, 32] weights(%w : memref<1x64x32xf32, strided<[2048, 32, 1], offset: ?>>) epilogue(%r : memref<20x32xf32, strided<[32, 1], offset: ?>>) outs(%y : memref<20x32xf32, strided<[32, 1], offset: ?>>) tile_rows 6 {
    ^bb0(%sum: f32, %old: f32):
      %z = arith.addf %sum, %old : f32
      kernel.yield %z : f32
    }
  }
  return
}

// The output of the first round moves towards what the epilogue reads in the
// last one.
// CHECK-LABEL: func @meeting
// CHECK: scf.for
// CHECK-COUNT-1: kernel.gemm
// CHECK-NOT: kernel.gemm
func.func @meeting(%arena: memref<8192xf32>, %weights: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c640 = arith.constant 640 : index
  %c1024 = arith.constant 1024 : index
  %c2048 = arith.constant 2048 : index
  %c3328 = arith.constant 3328 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %step = arith.muli %i, %c640 overflow<nsw> : index
    %to = arith.addi %c2048, %step overflow<nsw> : index
    %a = memref.reinterpret_cast %arena to offset: [%c0], sizes: [20, 32], strides: [32, 1] : memref<8192xf32> to memref<20x32xf32, strided<[32, 1], offset: ?>>
    %b = memref.reinterpret_cast %arena to offset: [%c1024], sizes: [20, 32], strides: [32, 1] : memref<8192xf32> to memref<20x32xf32, strided<[32, 1], offset: ?>>
    %r = memref.reinterpret_cast %arena to offset: [%c3328], sizes: [20, 32], strides: [32, 1] : memref<8192xf32> to memref<20x32xf32, strided<[32, 1], offset: ?>>
    %y = memref.reinterpret_cast %arena to offset: [%to], sizes: [20, 32], strides: [32, 1] : memref<8192xf32> to memref<20x32xf32, strided<[32, 1], offset: ?>>
    %w = memref.reinterpret_cast %weights to offset: [%c0], sizes: [1, 64, 32], strides: [2048, 32, 1] : memref<4096xf32> to memref<1x64x32xf32, strided<[2048, 32, 1], offset: ?>>
    kernel.gemm ins(%a, %b : memref<20x32xf32, strided<[32, 1], offset: ?>>, memref<20x32xf32, strided<[32, 1], offset: ?>>) panel_rows [0, 32] weights(%w : memref<1x64x32xf32, strided<[2048, 32, 1], offset: ?>>) epilogue(%r : memref<20x32xf32, strided<[32, 1], offset: ?>>) outs(%y : memref<20x32xf32, strided<[32, 1], offset: ?>>) tile_rows 6 {
    ^bb0(%sum: f32, %old: f32):
      %z = arith.addf %sum, %old : f32
      kernel.yield %z : f32
    }
  }
  return
}

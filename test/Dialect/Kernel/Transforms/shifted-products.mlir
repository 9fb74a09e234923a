// RUN: nnet3-opt --kernel-set-target=cpu=x86-64-v3 --kernel-pack-by-panel --split-input-file %s | FileCheck %s

// dX[r] := dY[r] W1 and dX[r + 4] += dY[r] W2, 32 columns in panels of 16. Rows
// 4 to 39 get both products at once, the first and the last four rows one.

// CHECK-LABEL: func @offsets
// CHECK:         scf.for {{.*}} to %c2{{.*}} step
// CHECK:           kernel.pack ins(%{{.*}} : memref<6x16xf32, strided<[64, 1]{{.*}} outs(%{{.*}} : memref<1x6x16xf32
// CHECK:           %[[BEHIND:.*]] = arith.constant 9096
// CHECK:           %[[SECOND:.*]] = memref.reinterpret_cast %arg0 to offset: [%[[BEHIND]]]
// CHECK:           arith.constant 132
// CHECK:           kernel.pack ins(%{{.*}} : memref<6x16xf32, strided<[64, 1]{{.*}} outs(%[[SECOND]] : memref<1x6x16xf32
// CHECK:           %[[AT:.*]] = arith.constant 9000
// CHECK:           %[[BOTH:.*]] = memref.reinterpret_cast %arg0 to offset: [%[[AT]]], sizes: [1, 12, 16]
// CHECK:           %[[FROM:.*]] = arith.constant 24
// CHECK:           %[[X1:.*]] = memref.reinterpret_cast %arg0 to offset: [%[[FROM]]], sizes: [36, 6], strides: [6, 1]
// CHECK:           %[[FROM:.*]] = arith.constant 0
// CHECK:           %[[X2:.*]] = memref.reinterpret_cast %arg0 to offset: [%[[FROM]]], sizes: [36, 6], strides: [6, 1]
// CHECK:           arith.constant 4128
// CHECK:           kernel.gemm ins(%[[X1]], %[[X2]] : {{.*}} panel_rows [0, 6] weights(%[[BOTH]]
// CHECK-NOT:         init
// CHECK-SAME:        outs(%{{.*}} : memref<36x16xf32, strided<[32, 1]
// CHECK:           arith.constant 4000
// CHECK:           kernel.gemm ins(%{{.*}} : memref<4x6xf32{{.*}} panel_rows [0] weights(%[[BOTH]]
// CHECK-NOT:         init
// CHECK-SAME:        outs(%{{.*}} : memref<4x16xf32
// CHECK:           arith.constant 216
// CHECK:           arith.constant 5280
// CHECK:           kernel.gemm ins(%{{.*}} : memref<4x6xf32{{.*}} panel_rows [6] weights(%[[BOTH]]
// CHECK-SAME:        init(%{{.*}} : memref<4x16xf32{{.*}} outs(%{{.*}} : memref<4x16xf32
// CHECK:         }
// CHECK-NOT:     kernel.gemm
func.func @offsets(%arg0: memref<20000xf32>, %arg1: memref<20000xf32>) {
  %dy = memref.reinterpret_cast %arg0 to offset: [0], sizes: [40, 6], strides: [6, 1] : memref<20000xf32> to memref<40x6xf32, strided<[6, 1]>>
  %w1 = memref.reinterpret_cast %arg1 to offset: [100], sizes: [6, 32], strides: [64, 1] : memref<20000xf32> to memref<6x32xf32, strided<[64, 1], offset: 100>>
  %w2 = memref.reinterpret_cast %arg1 to offset: [132], sizes: [6, 32], strides: [64, 1] : memref<20000xf32> to memref<6x32xf32, strided<[64, 1], offset: 132>>
  %p1 = memref.reinterpret_cast %arg0 to offset: [9000], sizes: [2, 6, 16], strides: [96, 16, 1] : memref<20000xf32> to memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>
  %p2 = memref.reinterpret_cast %arg0 to offset: [9000], sizes: [2, 6, 16], strides: [96, 16, 1] : memref<20000xf32> to memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>
  %dx1 = memref.reinterpret_cast %arg0 to offset: [4000], sizes: [40, 32], strides: [32, 1] : memref<20000xf32> to memref<40x32xf32, strided<[32, 1], offset: 4000>>
  %dx2 = memref.reinterpret_cast %arg0 to offset: [4128], sizes: [40, 32], strides: [32, 1] : memref<20000xf32> to memref<40x32xf32, strided<[32, 1], offset: 4128>>
  kernel.pack ins(%w1 : memref<6x32xf32, strided<[64, 1], offset: 100>>) outs(%p1 : memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>)
  kernel.gemm ins(%dy : memref<40x6xf32, strided<[6, 1]>>) panel_rows [0] weights(%p1 : memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>) outs(%dx1 : memref<40x32xf32, strided<[32, 1], offset: 4000>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.pack ins(%w2 : memref<6x32xf32, strided<[64, 1], offset: 132>>) outs(%p2 : memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>)
  kernel.gemm ins(%dy : memref<40x6xf32, strided<[6, 1]>>) panel_rows [0] weights(%p2 : memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>) init(%dx2 : memref<40x32xf32, strided<[32, 1], offset: 4128>>) outs(%dx2 : memref<40x32xf32, strided<[32, 1], offset: 4128>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

// -----

// The shift is a large part of the rows: each matmul has its loop.

// CHECK-LABEL: func @far
// CHECK-COUNT-2: kernel.gemm ins(%{{.*}} : memref<40x6xf32{{.*}} panel_rows [0]
// CHECK-NOT:     kernel.gemm
func.func @far(%arg0: memref<20000xf32>, %arg1: memref<20000xf32>) {
  %dy = memref.reinterpret_cast %arg0 to offset: [0], sizes: [40, 6], strides: [6, 1] : memref<20000xf32> to memref<40x6xf32, strided<[6, 1]>>
  %w1 = memref.reinterpret_cast %arg1 to offset: [100], sizes: [6, 32], strides: [64, 1] : memref<20000xf32> to memref<6x32xf32, strided<[64, 1], offset: 100>>
  %w2 = memref.reinterpret_cast %arg1 to offset: [132], sizes: [6, 32], strides: [64, 1] : memref<20000xf32> to memref<6x32xf32, strided<[64, 1], offset: 132>>
  %p1 = memref.reinterpret_cast %arg0 to offset: [9000], sizes: [2, 6, 16], strides: [96, 16, 1] : memref<20000xf32> to memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>
  %p2 = memref.reinterpret_cast %arg0 to offset: [9000], sizes: [2, 6, 16], strides: [96, 16, 1] : memref<20000xf32> to memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>
  %dx1 = memref.reinterpret_cast %arg0 to offset: [4000], sizes: [40, 32], strides: [32, 1] : memref<20000xf32> to memref<40x32xf32, strided<[32, 1], offset: 4000>>
  %dx2 = memref.reinterpret_cast %arg0 to offset: [4320], sizes: [40, 32], strides: [32, 1] : memref<20000xf32> to memref<40x32xf32, strided<[32, 1], offset: 4320>>
  kernel.pack ins(%w1 : memref<6x32xf32, strided<[64, 1], offset: 100>>) outs(%p1 : memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>)
  kernel.gemm ins(%dy : memref<40x6xf32, strided<[6, 1]>>) panel_rows [0] weights(%p1 : memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>) outs(%dx1 : memref<40x32xf32, strided<[32, 1], offset: 4000>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.pack ins(%w2 : memref<6x32xf32, strided<[64, 1], offset: 132>>) outs(%p2 : memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>)
  kernel.gemm ins(%dy : memref<40x6xf32, strided<[6, 1]>>) panel_rows [0] weights(%p2 : memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>) init(%dx2 : memref<40x32xf32, strided<[32, 1], offset: 4320>>) outs(%dx2 : memref<40x32xf32, strided<[32, 1], offset: 4320>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

// -----

// Both add to the same rows.

// CHECK-LABEL: func @same_rows
// CHECK:         kernel.gemm ins(%{{.*}}, %{{.*}} : memref<40x6xf32{{.*}} panel_rows [0, 6]
// CHECK-NOT:     kernel.gemm
func.func @same_rows(%arg0: memref<20000xf32>, %arg1: memref<20000xf32>) {
  %dy = memref.reinterpret_cast %arg0 to offset: [0], sizes: [40, 6], strides: [6, 1] : memref<20000xf32> to memref<40x6xf32, strided<[6, 1]>>
  %w1 = memref.reinterpret_cast %arg1 to offset: [100], sizes: [6, 32], strides: [64, 1] : memref<20000xf32> to memref<6x32xf32, strided<[64, 1], offset: 100>>
  %w2 = memref.reinterpret_cast %arg1 to offset: [132], sizes: [6, 32], strides: [64, 1] : memref<20000xf32> to memref<6x32xf32, strided<[64, 1], offset: 132>>
  %p1 = memref.reinterpret_cast %arg0 to offset: [9000], sizes: [2, 6, 16], strides: [96, 16, 1] : memref<20000xf32> to memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>
  %p2 = memref.reinterpret_cast %arg0 to offset: [9000], sizes: [2, 6, 16], strides: [96, 16, 1] : memref<20000xf32> to memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>
  %dx1 = memref.reinterpret_cast %arg0 to offset: [4000], sizes: [40, 32], strides: [32, 1] : memref<20000xf32> to memref<40x32xf32, strided<[32, 1], offset: 4000>>
  %dx2 = memref.reinterpret_cast %arg0 to offset: [4000], sizes: [40, 32], strides: [32, 1] : memref<20000xf32> to memref<40x32xf32, strided<[32, 1], offset: 4000>>
  kernel.pack ins(%w1 : memref<6x32xf32, strided<[64, 1], offset: 100>>) outs(%p1 : memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>)
  kernel.gemm ins(%dy : memref<40x6xf32, strided<[6, 1]>>) panel_rows [0] weights(%p1 : memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>) outs(%dx1 : memref<40x32xf32, strided<[32, 1], offset: 4000>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.pack ins(%w2 : memref<6x32xf32, strided<[64, 1], offset: 132>>) outs(%p2 : memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>)
  kernel.gemm ins(%dy : memref<40x6xf32, strided<[6, 1]>>) panel_rows [0] weights(%p2 : memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>) init(%dx2 : memref<40x32xf32, strided<[32, 1], offset: 4000>>) outs(%dx2 : memref<40x32xf32, strided<[32, 1], offset: 4000>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

// -----

// All rows of the output are one: nothing is merged.

// CHECK-LABEL: func @no_rows_apart
// CHECK-COUNT-2: kernel.gemm ins(%{{.*}} : memref<40x6xf32{{.*}} panel_rows [0]
// CHECK-NOT:     kernel.gemm
func.func @no_rows_apart(%arg0: memref<20000xf32>, %arg1: memref<20000xf32>) {
  %dy = memref.reinterpret_cast %arg0 to offset: [0], sizes: [40, 6], strides: [6, 1] : memref<20000xf32> to memref<40x6xf32, strided<[6, 1]>>
  %w1 = memref.reinterpret_cast %arg1 to offset: [100], sizes: [6, 32], strides: [64, 1] : memref<20000xf32> to memref<6x32xf32, strided<[64, 1], offset: 100>>
  %w2 = memref.reinterpret_cast %arg1 to offset: [132], sizes: [6, 32], strides: [64, 1] : memref<20000xf32> to memref<6x32xf32, strided<[64, 1], offset: 132>>
  %p1 = memref.reinterpret_cast %arg0 to offset: [9000], sizes: [2, 6, 16], strides: [96, 16, 1] : memref<20000xf32> to memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>
  %p2 = memref.reinterpret_cast %arg0 to offset: [9000], sizes: [2, 6, 16], strides: [96, 16, 1] : memref<20000xf32> to memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>
  %dx1 = memref.reinterpret_cast %arg0 to offset: [4000], sizes: [40, 32], strides: [0, 1] : memref<20000xf32> to memref<40x32xf32, strided<[0, 1], offset: 4000>>
  %dx2 = memref.reinterpret_cast %arg0 to offset: [4320], sizes: [40, 32], strides: [0, 1] : memref<20000xf32> to memref<40x32xf32, strided<[0, 1], offset: 4320>>
  kernel.pack ins(%w1 : memref<6x32xf32, strided<[64, 1], offset: 100>>) outs(%p1 : memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>)
  kernel.gemm ins(%dy : memref<40x6xf32, strided<[6, 1]>>) panel_rows [0] weights(%p1 : memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>) outs(%dx1 : memref<40x32xf32, strided<[0, 1], offset: 4000>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.pack ins(%w2 : memref<6x32xf32, strided<[64, 1], offset: 132>>) outs(%p2 : memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>)
  kernel.gemm ins(%dy : memref<40x6xf32, strided<[6, 1]>>) panel_rows [0] weights(%p2 : memref<2x6x16xf32, strided<[96, 16, 1], offset: 9000>>) init(%dx2 : memref<40x32xf32, strided<[0, 1], offset: 4320>>) outs(%dx2 : memref<40x32xf32, strided<[0, 1], offset: 4320>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

// RUN: nnet3-opt --kernel-pack-by-panel --split-input-file %s | FileCheck %s

// Y := X W^T, 40 columns in panels of 16, by two matmuls of parts of X: a panel's
// rows are packed where they are multiplied, to the same memory.

// CHECK-LABEL: func @parts
// CHECK:         scf.for %[[P:.*]] = %{{c0.*}} to %c2{{.*}} step
// CHECK:           %[[FROM:.*]] = arith.muli %[[P]], %c384
// CHECK:           %[[AT:.*]] = arith.addi %c1000{{.*}}, %[[FROM]]
// CHECK:           %[[ROWS:.*]] = memref.reinterpret_cast %arg1 to offset: [%[[AT]]], sizes: [16, 16], strides: [24, 1]
// CHECK:           kernel.pack transposed ins(%[[ROWS]] {{.*}} outs(%[[PANEL:.*]] : memref<1x16x16xf32
// CHECK:           kernel.gemm ins(%{{.*}} : memref<12x16xf32{{.*}} panel_rows [0] weights(%[[PANEL]]
// CHECK-SAME:        bias(%{{.*}} : memref<16xf32{{.*}} outs(%{{.*}} : memref<12x16xf32, strided<[40, 1]
// CHECK:           arith.addi %c1016
// CHECK:           kernel.pack transposed ins(%{{.*}} : memref<16x8xf32, {{.*}} outs(%{{.*}} : memref<1x8x16xf32
// CHECK:           kernel.gemm ins(%{{.*}} : memref<12x8xf32{{.*}} panel_rows [0] weights
// CHECK-SAME:        init(%{{.*}} : memref<12x16xf32{{.*}} epilogue(%{{.*}} : memref<16xf32
// CHECK:         }
// The last 8 columns.
// CHECK:         kernel.pack transposed ins(%{{.*}} : memref<8x16xf32
// CHECK:         kernel.gemm {{.*}} outs(%{{.*}} : memref<12x8xf32
// CHECK:         kernel.pack transposed ins(%{{.*}} : memref<8x8xf32
// CHECK:         kernel.gemm {{.*}} outs(%{{.*}} : memref<12x8xf32
// CHECK-NOT:     kernel.pack
func.func @parts(%arg0: memref<9000xf32>, %arg1: memref<9000xf32>) {
  %x = memref.reinterpret_cast %arg0 to offset: [0], sizes: [12, 24], strides: [24, 1] : memref<9000xf32> to memref<12x24xf32, strided<[24, 1]>>
  %x0 = memref.subview %x[0, 0] [12, 16] [1, 1] : memref<12x24xf32, strided<[24, 1]>> to memref<12x16xf32, strided<[24, 1]>>
  %x1 = memref.subview %x[0, 16] [12, 8] [1, 1] : memref<12x24xf32, strided<[24, 1]>> to memref<12x8xf32, strided<[24, 1], offset: 16>>
  %w = memref.reinterpret_cast %arg1 to offset: [1000], sizes: [40, 24], strides: [24, 1] : memref<9000xf32> to memref<40x24xf32, strided<[24, 1], offset: 1000>>
  %b = memref.reinterpret_cast %arg1 to offset: [3000], sizes: [40], strides: [1] : memref<9000xf32> to memref<40xf32, strided<[1], offset: 3000>>
  %p = memref.reinterpret_cast %arg0 to offset: [5000], sizes: [3, 24, 16], strides: [384, 16, 1] : memref<9000xf32> to memref<3x24x16xf32, strided<[384, 16, 1], offset: 5000>>
  %y = memref.reinterpret_cast %arg0 to offset: [4000], sizes: [12, 40], strides: [40, 1] : memref<9000xf32> to memref<12x40xf32, strided<[40, 1], offset: 4000>>
  kernel.pack transposed ins(%w : memref<40x24xf32, strided<[24, 1], offset: 1000>>) outs(%p : memref<3x24x16xf32, strided<[384, 16, 1], offset: 5000>>)
  kernel.gemm ins(%x0 : memref<12x16xf32, strided<[24, 1]>>) panel_rows [0] weights(%p : memref<3x24x16xf32, strided<[384, 16, 1], offset: 5000>>) bias(%b : memref<40xf32, strided<[1], offset: 3000>>) outs(%y : memref<12x40xf32, strided<[40, 1], offset: 4000>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.gemm ins(%x1 : memref<12x8xf32, strided<[24, 1], offset: 16>>) panel_rows [16] weights(%p : memref<3x24x16xf32, strided<[384, 16, 1], offset: 5000>>) init(%y : memref<12x40xf32, strided<[40, 1], offset: 4000>>) epilogue(%b : memref<40xf32, strided<[1], offset: 3000>>) outs(%y : memref<12x40xf32, strided<[40, 1], offset: 4000>>) tile_rows 4 {
  ^bb0(%sum: f32, %scale: f32):
    %r = arith.mulf %sum, %scale : f32
    kernel.yield %r : f32
  }
  return
}

// -----

// Panels that a later matmul reads, too, are packed before both.

// CHECK-LABEL: func @shared
// CHECK-NOT:     scf.for
// CHECK:         kernel.pack
// CHECK-COUNT-2: kernel.gemm
func.func @shared(%arg0: memref<9000xf32>, %arg1: memref<9000xf32>) {
  %x = memref.reinterpret_cast %arg0 to offset: [0], sizes: [12, 24], strides: [24, 1] : memref<9000xf32> to memref<12x24xf32, strided<[24, 1]>>
  %w = memref.reinterpret_cast %arg1 to offset: [1000], sizes: [24, 32], strides: [32, 1] : memref<9000xf32> to memref<24x32xf32, strided<[32, 1], offset: 1000>>
  %p = memref.reinterpret_cast %arg0 to offset: [5000], sizes: [2, 24, 16], strides: [384, 16, 1] : memref<9000xf32> to memref<2x24x16xf32, strided<[384, 16, 1], offset: 5000>>
  %q = memref.reinterpret_cast %arg0 to offset: [5000], sizes: [2, 24, 16], strides: [384, 16, 1] : memref<9000xf32> to memref<2x24x16xf32, strided<[384, 16, 1], offset: 5000>>
  %y = memref.reinterpret_cast %arg0 to offset: [4000], sizes: [12, 32], strides: [32, 1] : memref<9000xf32> to memref<12x32xf32, strided<[32, 1], offset: 4000>>
  %z = memref.reinterpret_cast %arg0 to offset: [7000], sizes: [12, 32], strides: [32, 1] : memref<9000xf32> to memref<12x32xf32, strided<[32, 1], offset: 7000>>
  kernel.pack ins(%w : memref<24x32xf32, strided<[32, 1], offset: 1000>>) outs(%p : memref<2x24x16xf32, strided<[384, 16, 1], offset: 5000>>)
  kernel.gemm ins(%x : memref<12x24xf32, strided<[24, 1]>>) panel_rows [0] weights(%p : memref<2x24x16xf32, strided<[384, 16, 1], offset: 5000>>) outs(%y : memref<12x32xf32, strided<[32, 1], offset: 4000>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.gemm ins(%x : memref<12x24xf32, strided<[24, 1]>>) panel_rows [0] weights(%q : memref<2x24x16xf32, strided<[384, 16, 1], offset: 5000>>) outs(%z : memref<12x32xf32, strided<[32, 1], offset: 7000>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

// -----

// The output lies in what is packed, and four rows are one tile.

// CHECK-LABEL: func @overlap
// CHECK-NOT:     scf.for
// CHECK-LABEL: func @fewRows
// CHECK-NOT:     scf.for
func.func @overlap(%arg0: memref<9000xf32>) {
  %x = memref.reinterpret_cast %arg0 to offset: [0], sizes: [12, 24], strides: [24, 1] : memref<9000xf32> to memref<12x24xf32, strided<[24, 1]>>
  %w = memref.reinterpret_cast %arg0 to offset: [4100], sizes: [24, 32], strides: [32, 1] : memref<9000xf32> to memref<24x32xf32, strided<[32, 1], offset: 4100>>
  %p = memref.reinterpret_cast %arg0 to offset: [6000], sizes: [2, 24, 16], strides: [384, 16, 1] : memref<9000xf32> to memref<2x24x16xf32, strided<[384, 16, 1], offset: 6000>>
  %y = memref.reinterpret_cast %arg0 to offset: [4000], sizes: [12, 32], strides: [32, 1] : memref<9000xf32> to memref<12x32xf32, strided<[32, 1], offset: 4000>>
  kernel.pack ins(%w : memref<24x32xf32, strided<[32, 1], offset: 4100>>) outs(%p : memref<2x24x16xf32, strided<[384, 16, 1], offset: 6000>>)
  kernel.gemm ins(%x : memref<12x24xf32, strided<[24, 1]>>) panel_rows [0] weights(%p : memref<2x24x16xf32, strided<[384, 16, 1], offset: 6000>>) outs(%y : memref<12x32xf32, strided<[32, 1], offset: 4000>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}
func.func @fewRows(%arg0: memref<9000xf32>) {
  %x = memref.reinterpret_cast %arg0 to offset: [0], sizes: [4, 24], strides: [24, 1] : memref<9000xf32> to memref<4x24xf32, strided<[24, 1]>>
  %w = memref.reinterpret_cast %arg0 to offset: [1000], sizes: [24, 32], strides: [32, 1] : memref<9000xf32> to memref<24x32xf32, strided<[32, 1], offset: 1000>>
  %p = memref.reinterpret_cast %arg0 to offset: [6000], sizes: [2, 24, 16], strides: [384, 16, 1] : memref<9000xf32> to memref<2x24x16xf32, strided<[384, 16, 1], offset: 6000>>
  %y = memref.reinterpret_cast %arg0 to offset: [4000], sizes: [4, 32], strides: [32, 1] : memref<9000xf32> to memref<4x32xf32, strided<[32, 1], offset: 4000>>
  kernel.pack ins(%w : memref<24x32xf32, strided<[32, 1], offset: 1000>>) outs(%p : memref<2x24x16xf32, strided<[384, 16, 1], offset: 6000>>)
  kernel.gemm ins(%x : memref<4x24xf32, strided<[24, 1]>>) panel_rows [0] weights(%p : memref<2x24x16xf32, strided<[384, 16, 1], offset: 6000>>) outs(%y : memref<4x32xf32, strided<[32, 1], offset: 4000>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

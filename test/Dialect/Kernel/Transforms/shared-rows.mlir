// RUN: nnet3-opt --kernel-set-target=cpu=x86-64-v3 --kernel-pack-by-panel --split-input-file %s | FileCheck %s

// dW1 := dY^T X and dW2 := dY^T X', where X' is X two rows further down, in
// panels of 16 of the 32 columns. A panel has 42 rows; dW2 skips the first two.

// CHECK-LABEL: func @gradients
// CHECK:         scf.for {{.*}} to %c2{{.*}} step
// CHECK:           %[[PANEL:.*]] = memref.reinterpret_cast %arg0 to offset: {{.*}}, sizes: [1, 42, 16]
// CHECK:           arith.constant 3000
// CHECK:           kernel.pack ins(%{{.*}} : memref<42x16xf32, strided<[32, 1]{{.*}} outs(%[[PANEL]]
// CHECK:           arith.constant 100 : index
// CHECK:           kernel.gemm ins(%{{.*}} : memref<20x40xf32{{.*}} panel_rows [0] weights(%[[PANEL]] {{.*}} outs(%{{.*}} : memref<20x16xf32, strided<[64, 1]
// CHECK:           arith.constant 132 : index
// CHECK:           kernel.gemm ins(%{{.*}} : memref<20x40xf32{{.*}} panel_rows [2] weights(%[[PANEL]] {{.*}} outs(%{{.*}} : memref<20x16xf32, strided<[64, 1]
// CHECK:         }
// CHECK-NOT:     kernel.gemm
func.func @gradients(%arg0: memref<20000xf32>) {
  %dy = memref.reinterpret_cast %arg0 to offset: [7000], sizes: [20, 40], strides: [1, 20] : memref<20000xf32> to memref<20x40xf32, strided<[1, 20], offset: 7000>>
  %x1 = memref.reinterpret_cast %arg0 to offset: [3000], sizes: [40, 32], strides: [32, 1] : memref<20000xf32> to memref<40x32xf32, strided<[32, 1], offset: 3000>>
  %x2 = memref.reinterpret_cast %arg0 to offset: [3064], sizes: [40, 32], strides: [32, 1] : memref<20000xf32> to memref<40x32xf32, strided<[32, 1], offset: 3064>>
  %p1 = memref.reinterpret_cast %arg0 to offset: [9000], sizes: [2, 40, 16], strides: [640, 16, 1] : memref<20000xf32> to memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>
  %p2 = memref.reinterpret_cast %arg0 to offset: [9000], sizes: [2, 40, 16], strides: [640, 16, 1] : memref<20000xf32> to memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>
  %dw1 = memref.reinterpret_cast %arg0 to offset: [100], sizes: [20, 32], strides: [64, 1] : memref<20000xf32> to memref<20x32xf32, strided<[64, 1], offset: 100>>
  %dw2 = memref.reinterpret_cast %arg0 to offset: [132], sizes: [20, 32], strides: [64, 1] : memref<20000xf32> to memref<20x32xf32, strided<[64, 1], offset: 132>>
  kernel.pack ins(%x1 : memref<40x32xf32, strided<[32, 1], offset: 3000>>) outs(%p1 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>)
  kernel.gemm ins(%dy : memref<20x40xf32, strided<[1, 20], offset: 7000>>) panel_rows [0] weights(%p1 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>) outs(%dw1 : memref<20x32xf32, strided<[64, 1], offset: 100>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.pack ins(%x2 : memref<40x32xf32, strided<[32, 1], offset: 3064>>) outs(%p2 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>)
  kernel.gemm ins(%dy : memref<20x40xf32, strided<[1, 20], offset: 7000>>) panel_rows [0] weights(%p2 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>) outs(%dw2 : memref<20x32xf32, strided<[64, 1], offset: 132>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

// -----

// The reduction is in two parts of 24 and 16 rows, and the second matrix is
// above the first one: the first parts of both follow each other.

// CHECK-LABEL: func @parts
// CHECK:         scf.for
// CHECK:           arith.constant 2936 : index
// CHECK:           kernel.pack ins(%{{.*}} : memref<26x16xf32{{.*}} outs(%[[FIRST:.*]] : memref<1x26x16xf32
// CHECK:           arith.constant 132 : index
// CHECK:           kernel.gemm ins({{.*}} memref<20x24xf32{{.*}} panel_rows [0] weights(%[[FIRST]]
// CHECK-NOT:         init
// CHECK-SAME:        outs
// CHECK:           arith.constant 100 : index
// CHECK:           kernel.gemm ins({{.*}} memref<20x24xf32{{.*}} panel_rows [2] weights(%[[FIRST]]
// CHECK:           arith.constant 3704 : index
// CHECK:           kernel.pack ins(%{{.*}} : memref<18x16xf32{{.*}} outs(%[[SECOND:.*]] : memref<1x18x16xf32
// CHECK:           kernel.gemm ins({{.*}} memref<20x16xf32{{.*}} panel_rows [0] weights(%[[SECOND]] {{.*}} init
// CHECK:           kernel.gemm ins({{.*}} memref<20x16xf32{{.*}} panel_rows [2] weights(%[[SECOND]] {{.*}} init
// CHECK:         }
// CHECK-NOT:     kernel.gemm
func.func @parts(%arg0: memref<20000xf32>) {
  %dy = memref.reinterpret_cast %arg0 to offset: [7000], sizes: [20, 40], strides: [1, 20] : memref<20000xf32> to memref<20x40xf32, strided<[1, 20], offset: 7000>>
  %dy1 = memref.subview %dy[0, 0] [20, 24] [1, 1] : memref<20x40xf32, strided<[1, 20], offset: 7000>> to memref<20x24xf32, strided<[1, 20], offset: 7000>>
  %dy2 = memref.subview %dy[0, 24] [20, 16] [1, 1] : memref<20x40xf32, strided<[1, 20], offset: 7000>> to memref<20x16xf32, strided<[1, 20], offset: 7480>>
  %x1 = memref.reinterpret_cast %arg0 to offset: [3000], sizes: [40, 32], strides: [32, 1] : memref<20000xf32> to memref<40x32xf32, strided<[32, 1], offset: 3000>>
  %x2 = memref.reinterpret_cast %arg0 to offset: [2936], sizes: [40, 32], strides: [32, 1] : memref<20000xf32> to memref<40x32xf32, strided<[32, 1], offset: 2936>>
  %p1 = memref.reinterpret_cast %arg0 to offset: [9000], sizes: [2, 40, 16], strides: [640, 16, 1] : memref<20000xf32> to memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>
  %p2 = memref.reinterpret_cast %arg0 to offset: [9000], sizes: [2, 40, 16], strides: [640, 16, 1] : memref<20000xf32> to memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>
  %dw1 = memref.reinterpret_cast %arg0 to offset: [100], sizes: [20, 32], strides: [64, 1] : memref<20000xf32> to memref<20x32xf32, strided<[64, 1], offset: 100>>
  %dw2 = memref.reinterpret_cast %arg0 to offset: [132], sizes: [20, 32], strides: [64, 1] : memref<20000xf32> to memref<20x32xf32, strided<[64, 1], offset: 132>>
  kernel.pack ins(%x1 : memref<40x32xf32, strided<[32, 1], offset: 3000>>) outs(%p1 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>)
  kernel.gemm ins(%dy1 : memref<20x24xf32, strided<[1, 20], offset: 7000>>) panel_rows [0] weights(%p1 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>) outs(%dw1 : memref<20x32xf32, strided<[64, 1], offset: 100>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.gemm ins(%dy2 : memref<20x16xf32, strided<[1, 20], offset: 7480>>) panel_rows [24] weights(%p1 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>) init(%dw1 : memref<20x32xf32, strided<[64, 1], offset: 100>>) outs(%dw1 : memref<20x32xf32, strided<[64, 1], offset: 100>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.pack ins(%x2 : memref<40x32xf32, strided<[32, 1], offset: 2936>>) outs(%p2 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>)
  kernel.gemm ins(%dy1 : memref<20x24xf32, strided<[1, 20], offset: 7000>>) panel_rows [0] weights(%p2 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>) outs(%dw2 : memref<20x32xf32, strided<[64, 1], offset: 132>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.gemm ins(%dy2 : memref<20x16xf32, strided<[1, 20], offset: 7480>>) panel_rows [24] weights(%p2 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>) init(%dw2 : memref<20x32xf32, strided<[64, 1], offset: 132>>) outs(%dw2 : memref<20x32xf32, strided<[64, 1], offset: 132>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

// -----

// The second matmul reads what the first one writes, or the rows are more than
// an eighth of a panel apart, or not whole rows apart: each has its loop.

// CHECK-LABEL: func @separate
// CHECK-COUNT-6: scf.for
func.func @separate(%arg0: memref<20000xf32>) {
  %dy = memref.reinterpret_cast %arg0 to offset: [7000], sizes: [20, 40], strides: [1, 20] : memref<20000xf32> to memref<20x40xf32, strided<[1, 20], offset: 7000>>
  %written = memref.reinterpret_cast %arg0 to offset: [100], sizes: [20, 40], strides: [1, 20] : memref<20000xf32> to memref<20x40xf32, strided<[1, 20], offset: 100>>
  %x1 = memref.reinterpret_cast %arg0 to offset: [3000], sizes: [40, 32], strides: [32, 1] : memref<20000xf32> to memref<40x32xf32, strided<[32, 1], offset: 3000>>
  %x2 = memref.reinterpret_cast %arg0 to offset: [3064], sizes: [40, 32], strides: [32, 1] : memref<20000xf32> to memref<40x32xf32, strided<[32, 1], offset: 3064>>
  %x6 = memref.reinterpret_cast %arg0 to offset: [3192], sizes: [40, 32], strides: [32, 1] : memref<20000xf32> to memref<40x32xf32, strided<[32, 1], offset: 3192>>
  %part = memref.reinterpret_cast %arg0 to offset: [3010], sizes: [40, 32], strides: [32, 1] : memref<20000xf32> to memref<40x32xf32, strided<[32, 1], offset: 3010>>
  %dw1 = memref.reinterpret_cast %arg0 to offset: [100], sizes: [20, 32], strides: [64, 1] : memref<20000xf32> to memref<20x32xf32, strided<[64, 1], offset: 100>>
  %dw2 = memref.reinterpret_cast %arg0 to offset: [132], sizes: [20, 32], strides: [64, 1] : memref<20000xf32> to memref<20x32xf32, strided<[64, 1], offset: 132>>
  %dw3 = memref.reinterpret_cast %arg0 to offset: [1600], sizes: [20, 32], strides: [32, 1] : memref<20000xf32> to memref<20x32xf32, strided<[32, 1], offset: 1600>>
  %p1 = memref.reinterpret_cast %arg0 to offset: [9000], sizes: [2, 40, 16], strides: [640, 16, 1] : memref<20000xf32> to memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>
  %p2 = memref.reinterpret_cast %arg0 to offset: [9000], sizes: [2, 40, 16], strides: [640, 16, 1] : memref<20000xf32> to memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>
  %p3 = memref.reinterpret_cast %arg0 to offset: [9000], sizes: [2, 40, 16], strides: [640, 16, 1] : memref<20000xf32> to memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>
  %p4 = memref.reinterpret_cast %arg0 to offset: [9000], sizes: [2, 40, 16], strides: [640, 16, 1] : memref<20000xf32> to memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>
  %p5 = memref.reinterpret_cast %arg0 to offset: [9000], sizes: [2, 40, 16], strides: [640, 16, 1] : memref<20000xf32> to memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>
  %p6 = memref.reinterpret_cast %arg0 to offset: [9000], sizes: [2, 40, 16], strides: [640, 16, 1] : memref<20000xf32> to memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>
  kernel.pack ins(%x1 : memref<40x32xf32, strided<[32, 1], offset: 3000>>) outs(%p1 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>)
  kernel.gemm ins(%dy : memref<20x40xf32, strided<[1, 20], offset: 7000>>) panel_rows [0] weights(%p1 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>) outs(%dw1 : memref<20x32xf32, strided<[64, 1], offset: 100>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.pack ins(%x2 : memref<40x32xf32, strided<[32, 1], offset: 3064>>) outs(%p2 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>)
  kernel.gemm ins(%written : memref<20x40xf32, strided<[1, 20], offset: 100>>) panel_rows [0] weights(%p2 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>) outs(%dw3 : memref<20x32xf32, strided<[32, 1], offset: 1600>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.pack ins(%x1 : memref<40x32xf32, strided<[32, 1], offset: 3000>>) outs(%p3 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>)
  kernel.gemm ins(%dy : memref<20x40xf32, strided<[1, 20], offset: 7000>>) panel_rows [0] weights(%p3 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>) outs(%dw1 : memref<20x32xf32, strided<[64, 1], offset: 100>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.pack ins(%x6 : memref<40x32xf32, strided<[32, 1], offset: 3192>>) outs(%p4 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>)
  kernel.gemm ins(%dy : memref<20x40xf32, strided<[1, 20], offset: 7000>>) panel_rows [0] weights(%p4 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>) outs(%dw2 : memref<20x32xf32, strided<[64, 1], offset: 132>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.pack ins(%x1 : memref<40x32xf32, strided<[32, 1], offset: 3000>>) outs(%p5 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>)
  kernel.gemm ins(%dy : memref<20x40xf32, strided<[1, 20], offset: 7000>>) panel_rows [0] weights(%p5 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>) outs(%dw1 : memref<20x32xf32, strided<[64, 1], offset: 100>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.pack ins(%part : memref<40x32xf32, strided<[32, 1], offset: 3010>>) outs(%p6 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>)
  kernel.gemm ins(%dy : memref<20x40xf32, strided<[1, 20], offset: 7000>>) panel_rows [0] weights(%p6 : memref<2x40x16xf32, strided<[640, 16, 1], offset: 9000>>) outs(%dw2 : memref<20x32xf32, strided<[64, 1], offset: 132>>) tile_rows 4 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

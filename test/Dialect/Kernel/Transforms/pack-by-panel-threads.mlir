// RUN: nnet3-opt --kernel-pack-by-panel %s | FileCheck %s

module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 16, threads = 2>} {
  // Two panels: each thread has one, which it packs to memory of its own. No
  // thread shares what it computes alone.
  // CHECK-LABEL: func.func @balanced
  // CHECK:         scf.parallel (%[[THREAD:.*]]) = (%c0{{.*}}) to (%c2{{.*}}) step
  // CHECK:           arith.muli %[[THREAD]], %c2
  // CHECK:           scf.for %{{.*}} = %[[BEGIN:.*]] to %{{.*}} step
  // CHECK:             %[[PLACE:.*]] = arith.muli %[[THREAD]], %c384
  // CHECK:             %[[AT:.*]] = arith.addi %c5000{{.*}}, %[[PLACE]]
  // CHECK:             %[[PANEL:.*]] = memref.reinterpret_cast %arg0 to offset: [%[[AT]]], sizes: [1, 24, 16]
  // CHECK:             kernel.pack {{.*}} outs(%[[PANEL]]
  // CHECK:             kernel.gemm {{.*}} weights(%[[PANEL]]
  // CHECK-SAME:          tile_rows 4 {
  func.func @balanced(%arg0: memref<9000xf32>, %arg1: memref<9000xf32>) {
    %x = memref.reinterpret_cast %arg0 to offset: [0], sizes: [12, 24], strides: [24, 1] : memref<9000xf32> to memref<12x24xf32, strided<[24, 1]>>
    %w = memref.reinterpret_cast %arg1 to offset: [1000], sizes: [24, 32], strides: [32, 1] : memref<9000xf32> to memref<24x32xf32, strided<[32, 1], offset: 1000>>
    %p = memref.reinterpret_cast %arg0 to offset: [5000], sizes: [2, 24, 16], strides: [384, 16, 1] : memref<9000xf32> to memref<2x24x16xf32, strided<[384, 16, 1], offset: 5000>>
    %y = memref.reinterpret_cast %arg0 to offset: [4000], sizes: [12, 32], strides: [32, 1] : memref<9000xf32> to memref<12x32xf32, strided<[32, 1], offset: 4000>>
    kernel.pack ins(%w : memref<24x32xf32, strided<[32, 1], offset: 1000>>) outs(%p : memref<2x24x16xf32, strided<[384, 16, 1], offset: 5000>>)
    kernel.gemm ins(%x : memref<12x24xf32, strided<[24, 1]>>) panel_rows [0] weights(%p : memref<2x24x16xf32, strided<[384, 16, 1], offset: 5000>>) outs(%y : memref<12x32xf32, strided<[32, 1], offset: 4000>>) tile_rows 4 parallel {
    ^bb0(%sum: f32):
      kernel.yield %sum : f32
    }
    return
  }

  // Three panels would keep one thread waiting: the threads share the rows.
  // CHECK-LABEL: func.func @unbalanced
  // CHECK-NOT:     scf.
  // CHECK:         kernel.pack
  // CHECK:         kernel.gemm {{.*}} tile_rows 4 parallel
  func.func @unbalanced(%arg0: memref<9000xf32>, %arg1: memref<9000xf32>) {
    %x = memref.reinterpret_cast %arg0 to offset: [0], sizes: [12, 24], strides: [24, 1] : memref<9000xf32> to memref<12x24xf32, strided<[24, 1]>>
    %w = memref.reinterpret_cast %arg1 to offset: [1000], sizes: [24, 48], strides: [48, 1] : memref<9000xf32> to memref<24x48xf32, strided<[48, 1], offset: 1000>>
    %p = memref.reinterpret_cast %arg0 to offset: [5000], sizes: [3, 24, 16], strides: [384, 16, 1] : memref<9000xf32> to memref<3x24x16xf32, strided<[384, 16, 1], offset: 5000>>
    %y = memref.reinterpret_cast %arg0 to offset: [4000], sizes: [12, 48], strides: [48, 1] : memref<9000xf32> to memref<12x48xf32, strided<[48, 1], offset: 4000>>
    kernel.pack ins(%w : memref<24x48xf32, strided<[48, 1], offset: 1000>>) outs(%p : memref<3x24x16xf32, strided<[384, 16, 1], offset: 5000>>)
    kernel.gemm ins(%x : memref<12x24xf32, strided<[24, 1]>>) panel_rows [0] weights(%p : memref<3x24x16xf32, strided<[384, 16, 1], offset: 5000>>) outs(%y : memref<12x48xf32, strided<[48, 1], offset: 4000>>) tile_rows 4 parallel {
    ^bb0(%sum: f32):
      kernel.yield %sum : f32
    }
    return
  }
}

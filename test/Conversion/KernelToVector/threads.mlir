// RUN: nnet3-opt --convert-kernel-to-vector --canonicalize %s | FileCheck %s

// What two threads may compute apart from each other is in scf.parallel.

module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 16, threads = 2>} {
  // Rows.
  // CHECK-LABEL: func.func @map(
  // CHECK:         scf.parallel (%{{.*}}) = (%c0) to (%c8) step (%c1) {
  // CHECK:           scf.for
  func.func @map(%arena: memref<1024xf32>) {
    %c0 = arith.constant 0 : index
    %x = memref.reinterpret_cast %arena to offset: [%c0], sizes: [8, 12], strides: [12, 1] : memref<1024xf32> to memref<8x12xf32, strided<[12, 1], offset: ?>>
    kernel.map ins(%x : memref<8x12xf32, strided<[12, 1], offset: ?>>) outs(%x : memref<8x12xf32, strided<[12, 1], offset: ?>>) {
    ^bb0(%a: f32):
      %r = arith.addf %a, %a : f32
      kernel.yield %r : f32
    }
    return
  }

  // CHECK-LABEL: func.func @map_rows(
  // CHECK:         scf.parallel (%{{.*}}) = (%c0) to (%c8) step (%c1) {
  // CHECK:           vector.store
  func.func @map_rows(%arena: memref<1024xf32>) {
    %c0 = arith.constant 0 : index
    %x = memref.reinterpret_cast %arena to offset: [%c0], sizes: [8, 12], strides: [12, 1] : memref<1024xf32> to memref<8x12xf32, strided<[12, 1], offset: ?>>
    kernel.map_rows ins(%x : memref<8x12xf32, strided<[12, 1], offset: ?>>) outs(%x : memref<8x12xf32, strided<[12, 1], offset: ?>>) {
    ^bb0(%part: index, %from: memref<12xf32, strided<[1], offset: ?>>, %to: memref<12xf32, strided<[1], offset: ?>>):
      kernel.for_columns [12] {
      ^bb0(%c: index):
        %a = memref.load %from[%c] : memref<12xf32, strided<[1], offset: ?>>
        memref.store %a, %to[%c] : memref<12xf32, strided<[1], offset: ?>>
        kernel.yield
      }
      kernel.yield
    }
    return
  }

  // The columns of sums of all rows; those behind the last vector are a loop of
  // their own.
  // CHECK-LABEL: func.func @sums(
  // CHECK:         scf.parallel (%{{.*}}) = (%c0) to (%c12) step (%c4) {
  // CHECK:           vector.store {{.*}} vector<4xf32>
  // CHECK:         vector.store {{.*}} vector<2xf32>
  func.func @sums(%arena: memref<1024xf32>) {
    %c0 = arith.constant 0 : index
    %c512 = arith.constant 512 : index
    %x = memref.reinterpret_cast %arena to offset: [%c0], sizes: [12, 14], strides: [14, 1] : memref<1024xf32> to memref<12x14xf32, strided<[14, 1], offset: ?>>
    %y = memref.reinterpret_cast %arena to offset: [%c512], sizes: [1, 14], strides: [14, 1] : memref<1024xf32> to memref<1x14xf32, strided<[14, 1], offset: ?>>
    kernel.reduce_rows ins(%x : memref<12x14xf32, strided<[14, 1], offset: ?>>) outs(%y : memref<1x14xf32, strided<[14, 1], offset: ?>>) {
    ^bb0(%c: index, %row: memref<14xf32, strided<[1], offset: ?>>):
      %a = memref.load %row[%c] : memref<14xf32, strided<[1], offset: ?>>
      kernel.yield %a : f32
    }
    return
  }

  // Eight rows at once.
  // CHECK-LABEL: func.func @pack(
  // CHECK:         scf.parallel (%{{.*}}) = (%c0) to (%c16) step (%c8) {
  func.func @pack(%arena: memref<1024xf32>) {
    %c0 = arith.constant 0 : index
    %c512 = arith.constant 512 : index
    %x = memref.reinterpret_cast %arena to offset: [%c0], sizes: [16, 16], strides: [16, 1] : memref<1024xf32> to memref<16x16xf32, strided<[16, 1], offset: ?>>
    %p = memref.reinterpret_cast %arena to offset: [%c512], sizes: [2, 16, 8], strides: [128, 8, 1] : memref<1024xf32> to memref<2x16x8xf32, strided<[128, 8, 1], offset: ?>>
    kernel.pack ins(%x : memref<16x16xf32, strided<[16, 1], offset: ?>>) outs(%p : memref<2x16x8xf32, strided<[128, 8, 1], offset: ?>>)
    return
  }

  // The panels of a matrix, whose rows become columns.
  // CHECK-LABEL: func.func @pack_transposed(
  // CHECK:         scf.parallel (%{{.*}}) = (%c0) to (%c2) step (%c1) {
  // CHECK:           vector.shuffle
  func.func @pack_transposed(%arena: memref<1024xf32>) {
    %c0 = arith.constant 0 : index
    %c512 = arith.constant 512 : index
    %x = memref.reinterpret_cast %arena to offset: [%c0], sizes: [16, 16], strides: [16, 1] : memref<1024xf32> to memref<16x16xf32, strided<[16, 1], offset: ?>>
    %p = memref.reinterpret_cast %arena to offset: [%c512], sizes: [2, 16, 8], strides: [128, 8, 1] : memref<1024xf32> to memref<2x16x8xf32, strided<[128, 8, 1], offset: ?>>
    kernel.pack transposed ins(%x : memref<16x16xf32, strided<[16, 1], offset: ?>>) outs(%p : memref<2x16x8xf32, strided<[128, 8, 1], offset: ?>>)
    return
  }

  // Many rows: each thread multiplies its tiles with all panels.
  // CHECK-LABEL: func.func @tiles(
  // CHECK:         scf.parallel (%[[THREAD:.*]]) = (%c0) to (%c2) step (%c1) {
  // CHECK:           arith.muli %[[THREAD]], %c8
  // CHECK:           scf.for
  // CHECK:             scf.for
  // CHECK:               vector.fma
  func.func @tiles(%arena: memref<1024xf32>) {
    %c0 = arith.constant 0 : index
    %c512 = arith.constant 512 : index
    %x = memref.reinterpret_cast %arena to offset: [%c0], sizes: [32, 4], strides: [4, 1] : memref<1024xf32> to memref<32x4xf32, strided<[4, 1], offset: ?>>
    %p = memref.reinterpret_cast %arena to offset: [%c512], sizes: [2, 4, 8], strides: [32, 8, 1] : memref<1024xf32> to memref<2x4x8xf32, strided<[32, 8, 1], offset: ?>>
    %y = memref.reinterpret_cast %arena to offset: [%c512], sizes: [32, 16], strides: [16, 1] : memref<1024xf32> to memref<32x16xf32, strided<[16, 1], offset: ?>>
    kernel.gemm ins(%x : memref<32x4xf32, strided<[4, 1], offset: ?>>) panel_rows [0] weights(%p : memref<2x4x8xf32, strided<[32, 8, 1], offset: ?>>) outs(%y : memref<32x16xf32, strided<[16, 1], offset: ?>>) tile_rows 4 parallel {
    ^bb0(%sum: f32):
      kernel.yield %sum : f32
    }
    return
  }

  // One tile of rows: the threads share the panels, of which the last one is
  // narrower.
  // CHECK-LABEL: func.func @panels(
  // CHECK:         scf.parallel (%{{.*}}) = (%c0) to (%c4) step (%c1) {
  // CHECK:           vector.fma
  // CHECK:         }
  // CHECK:         vector.fma
  func.func @panels(%arena: memref<1024xf32>) {
    %c0 = arith.constant 0 : index
    %c512 = arith.constant 512 : index
    %x = memref.reinterpret_cast %arena to offset: [%c0], sizes: [4, 4], strides: [4, 1] : memref<1024xf32> to memref<4x4xf32, strided<[4, 1], offset: ?>>
    %p = memref.reinterpret_cast %arena to offset: [%c512], sizes: [5, 4, 8], strides: [32, 8, 1] : memref<1024xf32> to memref<5x4x8xf32, strided<[32, 8, 1], offset: ?>>
    %y = memref.reinterpret_cast %arena to offset: [%c512], sizes: [4, 36], strides: [36, 1] : memref<1024xf32> to memref<4x36xf32, strided<[36, 1], offset: ?>>
    kernel.gemm ins(%x : memref<4x4xf32, strided<[4, 1], offset: ?>>) panel_rows [0] weights(%p : memref<5x4x8xf32, strided<[32, 8, 1], offset: ?>>) outs(%y : memref<4x36xf32, strided<[36, 1], offset: ?>>) tile_rows 4 parallel {
    ^bb0(%sum: f32):
      kernel.yield %sum : f32
    }
    return
  }
}

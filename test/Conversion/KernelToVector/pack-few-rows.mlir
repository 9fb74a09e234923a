// RUN: nnet3-opt --kernel-pack-matmuls %s | FileCheck %s

// With 32 registers, tiles have six rows and four vectors of columns, so eight
// rows would be two tiles, and each would read all weights. If a matmul has few
// rows, as in a step of a recurrence, its weights are packed for higher tiles,
// also for the matmuls of more rows that share them.
module attributes {kernel.target = #kernel.target<vector_bits = 512, vector_registers = 32>} {
  kernel.entry @few arena 65536 inputs [] outputs []
  // CHECK-LABEL: func @few
  func.func @few(%arena: memref<65536xf32>, %weights: memref<65536xf32>) {
    %c0 = arith.constant 0 : index
    %c32768 = arith.constant 32768 : index
    %w = memref.reinterpret_cast %weights to offset: [%c0], sizes: [192, 40], strides: [40, 1] : memref<65536xf32> to memref<192x40xf32, strided<[40, 1], offset: ?>>
    %x = memref.reinterpret_cast %arena to offset: [%c0], sizes: [1, 64, 40], strides: [0, 40, 1] : memref<65536xf32> to memref<1x64x40xf32, strided<[0, 40, 1], offset: ?>>
    %y = memref.reinterpret_cast %arena to offset: [%c32768], sizes: [1, 64, 192], strides: [0, 192, 1] : memref<65536xf32> to memref<1x64x192xf32, strided<[0, 192, 1], offset: ?>>
    %x1 = memref.reinterpret_cast %arena to offset: [%c0], sizes: [1, 8, 40], strides: [0, 40, 1] : memref<65536xf32> to memref<1x8x40xf32, strided<[0, 40, 1], offset: ?>>
    %y1 = memref.reinterpret_cast %arena to offset: [%c32768], sizes: [1, 8, 192], strides: [0, 192, 1] : memref<65536xf32> to memref<1x8x192xf32, strided<[0, 192, 1], offset: ?>>
    // CHECK: kernel.pack transposed {{.*}} outs(%{{.*}} : memref<4x40x48xf32, {{.*}}>)
    // CHECK: kernel.gemm ins(%{{.*}} : memref<64x40xf32, {{.*}}>) {{.*}} weights(%{{.*}} : memref<4x40x48xf32, {{.*}}>) {{.*}} tile_rows 8
    kernel.matmul nt weights(%w : memref<192x40xf32, strided<[40, 1], offset: ?>>) ins(%x : memref<1x64x40xf32, strided<[0, 40, 1], offset: ?>>) outs(%y : memref<1x64x192xf32, strided<[0, 192, 1], offset: ?>>)
    // CHECK: kernel.gemm ins(%{{.*}} : memref<8x40xf32, {{.*}}>) {{.*}} weights(%{{.*}} : memref<4x40x48xf32, {{.*}}>) {{.*}} tile_rows 8
    kernel.matmul nt weights(%w : memref<192x40xf32, strided<[40, 1], offset: ?>>) ins(%x1 : memref<1x8x40xf32, strided<[0, 40, 1], offset: ?>>) outs(%y1 : memref<1x8x192xf32, strided<[0, 192, 1], offset: ?>>)
    // Weights that only many rows are multiplied with keep the cheapest tile.
    %w2 = memref.reinterpret_cast %weights to offset: [%c32768], sizes: [192, 40], strides: [40, 1] : memref<65536xf32> to memref<192x40xf32, strided<[40, 1], offset: ?>>
    // CHECK: kernel.pack transposed {{.*}} outs(%{{.*}} : memref<3x40x64xf32, {{.*}}>)
    // CHECK: kernel.gemm ins(%{{.*}} : memref<64x40xf32, {{.*}}>) {{.*}} weights(%{{.*}} : memref<3x40x64xf32, {{.*}}>)
    kernel.matmul nt weights(%w2 : memref<192x40xf32, strided<[40, 1], offset: ?>>) ins(%x : memref<1x64x40xf32, strided<[0, 40, 1], offset: ?>>) outs(%y : memref<1x64x192xf32, strided<[0, 192, 1], offset: ?>>)
    return
  }
}

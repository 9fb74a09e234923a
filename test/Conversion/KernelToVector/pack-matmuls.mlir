// RUN: nnet3-opt --kernel-pack-matmuls %s | FileCheck %s
// RUN: nnet3-opt --kernel-pack-matmuls %s | nnet3-opt --kernel-fuse-epilogues --kernel-outline --convert-kernel-to-vector -o /dev/null

// Panels are behind the arena of 4096 floats: those of weights that two matmuls
// read in memory of their own, 20 x 32 floats, all others behind.
// CHECK: kernel.entry @products arena 5600
// CHECK-LABEL: func @products
// CHECK-SAME: (%[[ARENA:.*]]: memref<5600xf32>, %[[WEIGHTS:.*]]: memref<5600xf32>)
module attributes {kernel.target = #kernel.target<vector_bits = 256, vector_registers = 16>} {
  kernel.entry @products arena 4096 inputs [] outputs []
  func.func @products(%arena: memref<4096xf32>, %weights: memref<4096xf32>) {
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %c2048 = arith.constant 2048 : index
    %w = memref.reinterpret_cast %weights to offset: [%c0], sizes: [32, 20], strides: [20, 1] : memref<4096xf32> to memref<32x20xf32, strided<[20, 1], offset: ?>>
    %bias = memref.reinterpret_cast %weights to offset: [%c1024], sizes: [32], strides: [1] : memref<4096xf32> to memref<32xf32, strided<[1], offset: ?>>
    %x = memref.reinterpret_cast %arena to offset: [%c0], sizes: [1, 36, 20], strides: [0, 20, 1] : memref<4096xf32> to memref<1x36x20xf32, strided<[0, 20, 1], offset: ?>>
    %y = memref.reinterpret_cast %arena to offset: [%c1024], sizes: [1, 36, 32], strides: [0, 32, 1] : memref<4096xf32> to memref<1x36x32xf32, strided<[0, 32, 1], offset: ?>>
    // The bias stays.
    // CHECK: kernel.pack transposed ins(%{{.*}} : memref<32x20xf32, {{.*}}>) outs(%[[PANELS:.*]] : memref<[[COUNT:.*]]x20x[[WIDTH:.*]]xf32, {{.*}}>)
    // CHECK: kernel.gemm ins(%{{.*}} : memref<36x20xf32, {{.*}}>) panel_rows [0] weights(%[[PANELS]] : {{.*}}) bias(%{{.*}} : memref<32xf32, {{.*}}>) outs(%{{.*}} : memref<36x32xf32, {{.*}}>)
    kernel.matmul nt weights(%w : memref<32x20xf32, strided<[20, 1], offset: ?>>) ins(%x : memref<1x36x20xf32, strided<[0, 20, 1], offset: ?>>) outs(%y : memref<1x36x32xf32, strided<[0, 32, 1], offset: ?>>) bias(%bias : memref<32xf32, strided<[1], offset: ?>>)
    // The same panels; two batches, of which each adds to its output.
    %x2 = memref.reinterpret_cast %arena to offset: [%c0], sizes: [2, 18, 20], strides: [360, 20, 1] : memref<4096xf32> to memref<2x18x20xf32, strided<[360, 20, 1], offset: ?>>
    %y2 = memref.reinterpret_cast %arena to offset: [%c2048], sizes: [2, 18, 32], strides: [576, 32, 1] : memref<4096xf32> to memref<2x18x32xf32, strided<[576, 32, 1], offset: ?>>
    // CHECK-NOT: kernel.pack
    // CHECK-COUNT-2: kernel.gemm ins(%{{.*}} : memref<18x20xf32, {{.*}}>) panel_rows [0] weights({{.*}}) init(%{{.*}} : {{.*}}) outs(%{{.*}} : memref<18x32xf32, {{.*}}>)
    kernel.matmul nt weights(%w : memref<32x20xf32, strided<[20, 1], offset: ?>>) ins(%x2 : memref<2x18x20xf32, strided<[360, 20, 1], offset: ?>>) outs(%y2 : memref<2x18x32xf32, strided<[576, 32, 1], offset: ?>>) beta 1.0
    // Rows of the other factor are panels as they are.
    // CHECK: kernel.pack ins(%{{.*}} : memref<32x20xf32, {{.*}}>) outs(%{{.*}} : memref<{{.*}}x32x{{.*}}xf32, {{.*}}>)
    // CHECK: kernel.gemm ins(%{{.*}} : memref<36x32xf32, {{.*}}>)
    kernel.matmul nn weights(%w : memref<32x20xf32, strided<[20, 1], offset: ?>>) ins(%y : memref<1x36x32xf32, strided<[0, 32, 1], offset: ?>>) outs(%x : memref<1x36x20xf32, strided<[0, 20, 1], offset: ?>>)
    // A transposed input is read as it is.
    %rows = memref.reinterpret_cast %arena to offset: [%c0], sizes: [36, 20], strides: [20, 1] : memref<4096xf32> to memref<36x20xf32, strided<[20, 1], offset: ?>>
    %dw = memref.reinterpret_cast %arena to offset: [%c2048], sizes: [1, 32, 20], strides: [0, 20, 1] : memref<4096xf32> to memref<1x32x20xf32, strided<[0, 20, 1], offset: ?>>
    // CHECK: kernel.pack ins(%{{.*}} : memref<36x20xf32, {{.*}}>) outs(%{{.*}} : memref<{{.*}}x36x{{.*}}xf32, {{.*}}>)
    // CHECK-NOT: kernel.pack
    // CHECK: kernel.gemm ins(%{{.*}} : memref<32x36xf32, strided<[1, 32], {{.*}}>) {{.*}} outs(%{{.*}} : memref<32x20xf32, {{.*}}>)
    kernel.matmul tn weights(%rows : memref<36x20xf32, strided<[20, 1], offset: ?>>) ins(%y : memref<1x36x32xf32, strided<[0, 32, 1], offset: ?>>) outs(%dw : memref<1x32x20xf32, strided<[0, 20, 1], offset: ?>>)
    // CHECK-NOT: kernel.matmul
    return
  }
}

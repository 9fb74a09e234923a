// RUN: nnet3-opt --kernel-pack-matmuls --split-input-file --verify-diagnostics %s

// expected-error@below {{expects 'kernel.target', the target of the kernels}}
module {
  kernel.entry @run arena 64 inputs [] outputs []
  func.func @run(%arena: memref<64xf32>, %weights: memref<64xf32>) {
    return
  }
}

// -----

module attributes {kernel.target = #kernel.target<vector_bits = 256, vector_registers = 16>} {
  kernel.entry @run arena 64 inputs [] outputs []
  // expected-error@below {{expects an arena and weights}}
  func.func @run(%arena: memref<64xf32>) {
    return
  }
}

// -----

module attributes {kernel.target = #kernel.target<vector_bits = 256, vector_registers = 16>} {
  kernel.entry @run arena 64 inputs [] outputs []
  func.func @run(%arena: memref<64xf32>, %weights: memref<64xf32>, %at: index) {
    %c0 = arith.constant 0 : index
    %w = memref.reinterpret_cast %weights to offset: [%c0], sizes: [4, 4], strides: [4, 1] : memref<64xf32> to memref<4x4xf32, strided<[4, 1], offset: ?>>
    %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [1, 4, 4], strides: [0, 4, 1] : memref<64xf32> to memref<1x4x4xf32, strided<[0, 4, 1], offset: ?>>
    %y = memref.reinterpret_cast %arena to offset: [%c0], sizes: [1, 4, 4], strides: [0, 4, 1] : memref<64xf32> to memref<1x4x4xf32, strided<[0, 4, 1], offset: ?>>
    // expected-error@below {{expects views at constant offsets}}
    kernel.matmul nt weights(%w : memref<4x4xf32, strided<[4, 1], offset: ?>>) ins(%x : memref<1x4x4xf32, strided<[0, 4, 1], offset: ?>>) outs(%y : memref<1x4x4xf32, strided<[0, 4, 1], offset: ?>>)
    return
  }
}

// -----

func.func @panels(%arena: memref<512xf32>) {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %w = memref.reinterpret_cast %arena to offset: [%c0], sizes: [4, 5], strides: [5, 1] : memref<512xf32> to memref<4x5xf32, strided<[5, 1], offset: ?>>
  %p = memref.reinterpret_cast %arena to offset: [%c256], sizes: [1, 5, 8], strides: [40, 8, 1] : memref<512xf32> to memref<1x5x8xf32, strided<[40, 8, 1], offset: ?>>
  // expected-error@below {{expects 1 panels of 4 rows, but got 'memref<1x5x8xf32, strided<[40, 8, 1], offset: ?>>'}}
  kernel.pack ins(%w : memref<4x5xf32, strided<[5, 1], offset: ?>>) outs(%p : memref<1x5x8xf32, strided<[40, 8, 1], offset: ?>>)
  return
}

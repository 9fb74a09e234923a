// RUN: nnet3-opt --convert-kernel-to-vector --verify-diagnostics -split-input-file %s

// expected-error@below {{expects 'kernel.target', the target of the kernels}}
module {
func.func @f(%x: memref<2x4xf32>) {
  kernel.map outs(%x : memref<2x4xf32>) {
    %c = arith.constant 0.0 : f32
    kernel.yield %c : f32
  }
  return
}
}

// -----

module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 16>} {
func.func @argument(%x: memref<2x4xf32>) {
  // expected-error@+1 {{expects operands that memref.reinterpret_cast, some columns of one, or kernel.indexed_rows gives}}
  kernel.map outs(%x : memref<2x4xf32>) {
    %c = arith.constant 0.0 : f32
    kernel.yield %c : f32
  }
  return
}
}

// -----

module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 16>} {
func.func @rows(%arena: memref<96xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [4, 4], strides: [4, 1] : memref<96xf32> to memref<4x4xf32, strided<[4, 1], offset: ?>>
  %y = memref.subview %x[1, 0] [2, 4] [1, 1] : memref<4x4xf32, strided<[4, 1], offset: ?>> to memref<2x4xf32, strided<[4, 1], offset: ?>>
  // expected-error@+1 {{expects operands that memref.reinterpret_cast, some columns of one, or kernel.indexed_rows gives}}
  kernel.map outs(%y : memref<2x4xf32, strided<[4, 1], offset: ?>>) {
    %c = arith.constant 0.0 : f32
    kernel.yield %c : f32
  }
  return
}
}

// -----

module attributes {kernel.target = #kernel.target<vector_bits = 256, vector_registers = 16>} {
func.func @panels(%arena: memref<96xf32>, %weights: memref<96xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [4, 4], strides: [4, 1] : memref<96xf32> to memref<4x4xf32, strided<[4, 1], offset: ?>>
  %w = memref.reinterpret_cast %weights to offset: [%at], sizes: [1, 4, 12], strides: [48, 12, 1] : memref<96xf32> to memref<1x4x12xf32, strided<[48, 12, 1], offset: ?>>
  // expected-error@+1 {{expects panels of whole vectors of 8 columns, but got 12 columns}}
  kernel.gemm ins(%x : memref<4x4xf32, strided<[4, 1], offset: ?>>) panel_rows [0] weights(%w : memref<1x4x12xf32, strided<[48, 12, 1], offset: ?>>) outs(%x : memref<4x4xf32, strided<[4, 1], offset: ?>>) tile_rows 2 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}
}

// -----

module attributes {kernel.target = #kernel.target<vector_bits = 256, vector_registers = 16>} {
func.func @arenas(%arena: memref<96xf32>, %weights: memref<96xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [4, 4], strides: [4, 1] : memref<96xf32> to memref<4x4xf32, strided<[4, 1], offset: ?>>
  %y = memref.reinterpret_cast %weights to offset: [%at], sizes: [4, 4], strides: [4, 1] : memref<96xf32> to memref<4x4xf32, strided<[4, 1], offset: ?>>
  %w = memref.reinterpret_cast %weights to offset: [%at], sizes: [1, 4, 8], strides: [32, 8, 1] : memref<96xf32> to memref<1x4x8xf32, strided<[32, 8, 1], offset: ?>>
  // expected-error@+1 {{expects all matrices in one arena}}
  kernel.gemm ins(%x : memref<4x4xf32, strided<[4, 1], offset: ?>>) panel_rows [0] weights(%w : memref<1x4x8xf32, strided<[32, 8, 1], offset: ?>>) outs(%y : memref<4x4xf32, strided<[4, 1], offset: ?>>) tile_rows 2 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}
}

// -----

module attributes {kernel.target = #kernel.target<vector_bits = 256, vector_registers = 16>} {
func.func @scratch(%arena: memref<96xf32>, %weights: memref<96xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [4, 4], strides: [4, 1] : memref<96xf32> to memref<4x4xf32, strided<[4, 1], offset: ?>>
  %s = memref.reinterpret_cast %arena to offset: [%at], sizes: [8], strides: [1] : memref<96xf32> to memref<8xf32, strided<[1], offset: ?>>
  %w = memref.reinterpret_cast %weights to offset: [%at], sizes: [1, 4, 8], strides: [32, 8, 1] : memref<96xf32> to memref<1x4x8xf32, strided<[32, 8, 1], offset: ?>>
  // expected-error@+1 {{expects scratch memory of 64 words, but got 8}}
  kernel.gemm ins(%x : memref<4x4xf32, strided<[4, 1], offset: ?>>) panel_rows [0] weights(%w : memref<1x4x8xf32, strided<[32, 8, 1], offset: ?>>) scratch(%s : memref<8xf32, strided<[1], offset: ?>>) outs(%x : memref<4x4xf32, strided<[4, 1], offset: ?>>) tile_rows 2 precision bf16 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}
}

// -----

module attributes {kernel.target = #kernel.target<vector_bits = 256, vector_registers = 16>} {
func.func @parallel(%arena: memref<96xf32>, %weights: memref<96xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [4, 4], strides: [4, 1] : memref<96xf32> to memref<4x4xf32, strided<[4, 1], offset: ?>>
  %w = memref.reinterpret_cast %weights to offset: [%at], sizes: [1, 4, 8], strides: [32, 8, 1] : memref<96xf32> to memref<1x4x8xf32, strided<[32, 8, 1], offset: ?>>
  // expected-error@+1 {{with 'parallel' expects a function of its own, as kernel-outline makes}}
  kernel.gemm ins(%x : memref<4x4xf32, strided<[4, 1], offset: ?>>) panel_rows [0] weights(%w : memref<1x4x8xf32, strided<[32, 8, 1], offset: ?>>) outs(%x : memref<4x4xf32, strided<[4, 1], offset: ?>>) tile_rows 2 parallel {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}
}

// -----

module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 16>} {
func.func @tile(%arena: memref<960xf32>, %weights: memref<96xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [40, 4], strides: [4, 1] : memref<960xf32> to memref<40x4xf32, strided<[4, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [40, 8], strides: [8, 1] : memref<960xf32> to memref<40x8xf32, strided<[8, 1], offset: ?>>
  %w = memref.reinterpret_cast %weights to offset: [%at], sizes: [1, 4, 8], strides: [32, 8, 1] : memref<96xf32> to memref<1x4x8xf32, strided<[32, 8, 1], offset: ?>>
  // expected-error@+1 {{expects a tile that fits into 16 vector registers, but got 40 rows of 2 vectors}}
  kernel.gemm ins(%x : memref<40x4xf32, strided<[4, 1], offset: ?>>) panel_rows [0] weights(%w : memref<1x4x8xf32, strided<[32, 8, 1], offset: ?>>) outs(%y : memref<40x8xf32, strided<[8, 1], offset: ?>>) tile_rows 4000000000 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}
}

// -----

module attributes {kernel.target = #kernel.target<vector_bits = 256, vector_registers = 16>} {
func.func @gemv(%x: memref<1x20xf32>, %w: memref<8x20xf32>, %y: memref<1x8xf32>) {
  // expected-error@+1 {{has no lowering for CPUs}}
  kernel.gemv rows(%x : memref<1x20xf32>) weights(%w : memref<8x20xf32>) outs(%y : memref<1x8xf32>) {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  return
}
}

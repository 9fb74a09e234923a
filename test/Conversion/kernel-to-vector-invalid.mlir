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

module attributes {kernel.target = #kernel.target<vector_length = 4, vector_registers = 16>} {
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

module attributes {kernel.target = #kernel.target<vector_length = 4, vector_registers = 16>} {
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

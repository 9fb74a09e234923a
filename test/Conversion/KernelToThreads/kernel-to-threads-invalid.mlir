// RUN: nnet3-opt --convert-kernel-to-threads --verify-diagnostics -split-input-file %s

func.func @map(%arena: memref<96xf32>, %context: !llvm.ptr, %at: index) {
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 8], strides: [8, 1] : memref<96xf32> to memref<3x8xf32, strided<[8, 1], offset: ?>>
  // expected-error@+1 {{'kernel.run_component' op has no lowering for devices}}
  kernel.run_component %at outs(%y : memref<3x8xf32, strided<[8, 1], offset: ?>>) context(%context : !llvm.ptr)
  return
}

// -----

func.func @loop(%arena: memref<96xf32>, %at: index) {
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 8], strides: [8, 1] : memref<96xf32> to memref<3x8xf32, strided<[8, 1], offset: ?>>
  scf.for %i = %at to %at step %at {
    // expected-error@+1 {{expects to be in a function, not in a loop}}
    kernel.map_rows outs(%y : memref<3x8xf32, strided<[8, 1], offset: ?>>) {
    ^bb0(%part: index, %to: memref<8xf32, strided<[1], offset: ?>>):
      kernel.yield
    }
  }
  return
}

// -----

func.func @view(%y: memref<3x8xf32>) {
  // expected-error@+1 {{expects operands that memref.reinterpret_cast, some columns of one, or kernel.indexed_rows gives}}
  kernel.map_rows outs(%y : memref<3x8xf32>) {
  ^bb0(%part: index, %to: memref<8xf32, strided<[1], offset: ?>>):
    kernel.yield
  }
  return
}

// -----

func.func @bytes(%arena: memref<288xf32>, %at: index) {
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [2, 2], strides: [2, 1] : memref<288xf32> to memref<2x2xf32, strided<[2, 1], offset: ?>>
  %n = kernel.narrow %y : memref<2x2xf32, strided<[2, 1], offset: ?>> to memref<2x8xi8, strided<[8, 1], offset: ?>>
  // expected-error@+1 {{on elements narrower than f32 expects alignment 4}}
  kernel.map outs(%n : memref<2x8xi8, strided<[8, 1], offset: ?>>) alignment 2 {
    %b = arith.constant 0 : i8
    kernel.yield %b : i8
  }
  return
}

// -----

func.func @gemv(%x: memref<1x20xf32>, %w: memref<8x20xf32>, %y: memref<1x8xf32>) {
  // expected-error@+1 {{expects operands that memref.reinterpret_cast, some columns of one, or kernel.indexed_rows gives}}
  kernel.gemv rows(%x : memref<1x20xf32>) weights(%w : memref<8x20xf32>) outs(%y : memref<1x8xf32>) {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  return
}

// -----

func.func @f(%arena: memref<288xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 4], strides: [4, 1] : memref<288xf32> to memref<3x4xf32, strided<[4, 1], offset: ?>>
  kernel.launch "size" ins(%x : memref<3x4xf32, strided<[4, 1], offset: ?>>) threads 32 {
  ^bb0(%rows: memref<3x4xf32, strided<[4, 1], offset: ?>>):
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{does not load, store or prefetch an element of a view}}
    %n = memref.dim %rows, %c0 : memref<3x4xf32, strided<[4, 1], offset: ?>>
    kernel.yield
  }
  return
}

// -----

func.func @panels(%x: memref<3x4xf32, strided<[4, 1], offset: ?>>, %p: memref<1x3x4xf32, strided<[12, 4, 1], offset: ?>>) {
  // expected-error@+1 {{'kernel.pack' op has no lowering for devices}}
  kernel.pack ins(%x : memref<3x4xf32, strided<[4, 1], offset: ?>>) outs(%p : memref<1x3x4xf32, strided<[12, 4, 1], offset: ?>>)
  return
}

// -----

// Behind an operation that has one.
func.func @second(%arena: memref<96xf32>, %context: !llvm.ptr, %at: index) {
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 8], strides: [8, 1] : memref<96xf32> to memref<3x8xf32, strided<[8, 1], offset: ?>>
  kernel.map outs(%y : memref<3x8xf32, strided<[8, 1], offset: ?>>) {
    %zero = arith.constant 0.0 : f32
    kernel.yield %zero : f32
  }
  // expected-error@+1 {{'kernel.run_component' op has no lowering for devices}}
  kernel.run_component %at outs(%y : memref<3x8xf32, strided<[8, 1], offset: ?>>) context(%context : !llvm.ptr)
  return
}

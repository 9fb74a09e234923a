// RUN: nnet3-opt --verify-diagnostics -split-input-file %s

// expected-error@+1 {{expects vector_length to be a power of 2 of at most 64, but got 12}}
#target = #kernel.target<vector_length = 12, vector_registers = 16>

// -----

// expected-error@+1 {{expects 4 to 64 vector_registers, but got 0}}
#target = #kernel.target<vector_length = 8, vector_registers = 0>

// -----

// expected-error@+1 {{expects 'kernel.target' to be a #kernel.target of a module}}
func.func private @f() attributes {kernel.target = 3 : i64}

// -----

// expected-error@+1 {{has an unknown attribute 'kernel.width'}}
func.func private @f() attributes {kernel.width = 3 : i64}

// -----

// expected-error@+1 {{expects two dimensions, but got 1}}
func.func private @f(!kernel.rows<3>)

// -----

// expected-error@+1 {{expects dims from 1 to 2147483647, but got 0x4}}
func.func private @f(!kernel.rows<0x4>)

// -----

func.func @table(%arena: memref<96xf32>, %table: memref<5xi32>, %at: index) {
  // expected-error@+1 {{expects a table of at least 6 entries, but got 5}}
  %rows = kernel.indexed_rows %arena, %table[%at] : memref<96xf32>, memref<5xi32> to !kernel.rows<6x4>
  return
}

// -----

func.func @inputs(%x: memref<4x4xf32>, %y: memref<6x4xf32>) {
  // expected-error@+1 {{expects inputs for outputs of 6x4, but got 'memref<4x4xf32>'}}
  kernel.map ins(%x : memref<4x4xf32>) outs(%y : memref<6x4xf32>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  return
}

// -----

func.func @rows(%x: !kernel.rows<3x4>, %y: memref<6x4xf32>) {
  // expected-error@+1 {{expects inputs for outputs of 6x4, but got '!kernel.rows<3x4>'}}
  kernel.map ins(%x : !kernel.rows<3x4>) outs(%y : memref<6x4xf32>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  return
}

// -----

func.func @outputs(%x: memref<6x4xf32>, %y: memref<6x5xf32>) {
  // expected-error@+1 {{expects outputs of 6x4, but got 'memref<6x5xf32>'}}
  kernel.map outs(%x, %y : memref<6x4xf32>, memref<6x5xf32>) {
    %c = arith.constant 0.0 : f32
    kernel.yield %c, %c : f32, f32
  }
  return
}

// -----

func.func @none() {
  // expected-error@+1 {{expects an output}}
  "kernel.map"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    kernel.yield
  }) : () -> ()
  return
}

// -----

func.func @arguments(%x: memref<6x4xf32>) {
  // expected-error@+1 {{expects a region with an f32 for each of 1 inputs}}
  kernel.map ins(%x : memref<6x4xf32>) outs(%x : memref<6x4xf32>) {
  ^bb0(%a: f64):
    %b = arith.truncf %a : f64 to f32
    kernel.yield %b : f32
  }
  return
}

// -----

func.func @yields(%x: memref<6x4xf32>) {
  // expected-error@+1 {{expects a region that yields an f32 for each of 1 outputs}}
  kernel.map ins(%x : memref<6x4xf32>) outs(%x : memref<6x4xf32>) {
  ^bb0(%a: f32):
    kernel.yield
  }
  return
}

// -----

func.func private @g(f32) -> f32
func.func @body(%x: memref<6x4xf32>) {
  kernel.map ins(%x : memref<6x4xf32>) outs(%x : memref<6x4xf32>) {
  ^bb0(%a: f32):
    // expected-error@+1 {{does not compute element by element, as the region of kernel.map expects}}
    %b = func.call @g(%a) : (f32) -> f32
    kernel.yield %b : f32
  }
  return
}

// -----

func.func @types(%x: memref<6x4xf64>) {
  // expected-error@+1 {{must be variadic of}}
  kernel.map outs(%x : memref<6x4xf64>) {
    %c = arith.constant 0.0 : f32
    kernel.yield %c : f32
  }
  return
}

// -----

func.func @step(%arena: memref<96xf32>, %table: memref<5xi32>, %x: memref<2x4xf32>, %at: index) {
  // expected-error@+1 {{attribute 'step' failed to satisfy constraint}}
  kernel.add_row_ranges %arena, %table[%at to %at] step 0 outs(%x) : memref<96xf32>, memref<5xi32>, memref<2x4xf32>
  return
}

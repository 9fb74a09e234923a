// RUN: nnet3-opt --verify-diagnostics -split-input-file %s

// expected-error@+1 {{has an unknown attribute 'kernel.target' = 3 : i64}}
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
  // expected-error@+1 {{expects a region with arguments of types ('f32')}}
  kernel.map ins(%x : memref<6x4xf32>) outs(%x : memref<6x4xf32>) {
  ^bb0(%a: f64):
    %b = arith.truncf %a : f64 to f32
    kernel.yield %b : f32
  }
  return
}

// -----

func.func @yields(%x: memref<6x4xf32>) {
  // expected-error@+1 {{expects a region that yields ('f32')}}
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
    // expected-error@+1 {{does not compute element by element, as the regions of kernel operations do}}
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

func.func @gemm_panels(%x: memref<2x4xf32>, %w: memref<2x4x16xf32>, %y: memref<2x16xf32>) {
  // expected-error@+1 {{expects 1 panels of 16 columns, but got 2}}
  kernel.gemm ins(%x : memref<2x4xf32>) panel_rows [0] weights(%w : memref<2x4x16xf32>) outs(%y : memref<2x16xf32>) tile_rows 2 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

// -----

func.func @gemm_first_rows(%x: memref<2x4xf32>, %w: memref<1x4x16xf32>, %y: memref<2x16xf32>) {
  // expected-error@+1 {{expects inputs and a first row of panels for each, but got 1 and 2}}
  kernel.gemm ins(%x : memref<2x4xf32>) panel_rows [0, 2] weights(%w : memref<1x4x16xf32>) outs(%y : memref<2x16xf32>) tile_rows 2 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

// -----

func.func @gemm_column_major(%x: memref<2x4xf32, strided<[1, 2]>>, %w: memref<1x2x16xf32>, %s: memref<32xf32>, %y: memref<2x16xf32>) {
  // expected-error@+1 {{expects rows without gaps in bf16, but input 0 is of type 'memref<2x4xf32, strided<[1, 2]>>'}}
  kernel.gemm ins(%x : memref<2x4xf32, strided<[1, 2]>>) panel_rows [0] weights(%w : memref<1x2x16xf32>) scratch(%s : memref<32xf32>) outs(%y : memref<2x16xf32>) tile_rows 2 precision bf16 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

// -----

func.func @gemm_depth(%x: memref<2x4xf32>, %w: memref<1x5x16xf32>, %y: memref<2x16xf32>) {
  // expected-error@+1 {{expects inputs within panels of 5 rows, but input 0 has rows 2 to 6}}
  kernel.gemm ins(%x : memref<2x4xf32>) panel_rows [2] weights(%w : memref<1x5x16xf32>) outs(%y : memref<2x16xf32>) tile_rows 2 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

// -----

func.func @gemm_input_rows(%x: memref<3x4xf32>, %w: memref<1x4x16xf32>, %y: memref<2x16xf32>) {
  // expected-error@+1 {{expects inputs with 2 rows, but got 3}}
  kernel.gemm ins(%x : memref<3x4xf32>) panel_rows [0] weights(%w : memref<1x4x16xf32>) outs(%y : memref<2x16xf32>) tile_rows 2 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

// -----

func.func @gemm_bias(%x: memref<2x4xf32>, %w: memref<1x4x16xf32>, %b: memref<15xf32>, %y: memref<2x16xf32>) {
  // expected-error@+1 {{expects vectors of 16 values, but got 'memref<15xf32>'}}
  kernel.gemm ins(%x : memref<2x4xf32>) panel_rows [0] weights(%w : memref<1x4x16xf32>) bias(%b : memref<15xf32>) outs(%y : memref<2x16xf32>) tile_rows 2 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

// -----

func.func @gemm_init(%x: memref<3x4xf32>, %w: memref<1x4x16xf32>, %y: memref<3x16xf32>, %i: memref<2x16xf32>) {
  // expected-error@+1 {{expects an init for outputs of 3x16, but got 'memref<2x16xf32>'}}
  kernel.gemm ins(%x : memref<3x4xf32>) panel_rows [0] weights(%w : memref<1x4x16xf32>) init(%i : memref<2x16xf32>) outs(%y : memref<3x16xf32>) tile_rows 2 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

// -----

func.func @gemm_epilogue(%x: memref<3x4xf32>, %w: memref<1x4x16xf32>, %y: memref<3x16xf32>, %i: memref<1x16xf32>) {
  // expected-error@+1 {{expects epilogue inputs for outputs of 3x16, but got 'memref<1x16xf32>'}}
  kernel.gemm ins(%x : memref<3x4xf32>) panel_rows [0] weights(%w : memref<1x4x16xf32>) epilogue(%i : memref<1x16xf32>) outs(%y : memref<3x16xf32>) tile_rows 2 {
  ^bb0(%sum: f32, %a: f32):
    kernel.yield %sum : f32
  }
  return
}

// -----

func.func @gemm_scratch(%x: memref<3x4xf32>, %w: memref<1x4x16xf32>, %y: memref<3x16xf32>) {
  // expected-error@+1 {{expects scratch memory for bf16, int8 and int16 alone}}
  kernel.gemm ins(%x : memref<3x4xf32>) panel_rows [0] weights(%w : memref<1x4x16xf32>) outs(%y : memref<3x16xf32>) tile_rows 2 precision bf16 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

// -----

func.func @gemm_scales(%x: memref<3x4xf32>, %w: memref<1x4x16xf32>, %s: memref<96xf32>, %y: memref<3x16xf32>) {
  // expected-error@+1 {{expects scales and sums for int8 and int16 alone}}
  kernel.gemm ins(%x : memref<3x4xf32>) panel_rows [0] weights(%w : memref<1x4x16xf32>) scratch(%s : memref<96xf32>) outs(%y : memref<3x16xf32>) tile_rows 2 precision int8 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

// -----

func.func @gemm_precision(%x: memref<3x4xf32>, %w: memref<1x4x16xf32>, %y: memref<3x16xf32>) {
  // expected-error@+1 {{does not compute in tf32}}
  kernel.gemm ins(%x : memref<3x4xf32>) panel_rows [0] weights(%w : memref<1x4x16xf32>) outs(%y : memref<3x16xf32>) tile_rows 2 precision tf32 {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  return
}

// -----

func.func @vector(%v: memref<3xf32>, %y: memref<6x4xf32>) {
  // expected-error@+1 {{expects inputs for outputs of 6x4, but got 'memref<3xf32>'}}
  kernel.map ins(%v : memref<3xf32>) outs(%y : memref<6x4xf32>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  return
}

// -----

func.func @groups(%x: memref<2x2x4xf32>, %y: memref<6x4xf32>) {
  // expected-error@+1 {{expects inputs for outputs of 6x4, but got 'memref<2x2x4xf32>'}}
  kernel.map ins(%x : memref<2x2x4xf32>) outs(%y : memref<6x4xf32>) {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  return
}

// -----

func.func @alignment(%y: memref<6x6xf32>) {
  // expected-error@+1 {{expects multiples of 4 columns, but got 6}}
  kernel.map outs(%y : memref<6x6xf32>) alignment 4 {
    %c = arith.constant 0.0 : f32
    kernel.yield %c : f32
  }
  return
}

// -----

func.func @sums_of_bytes(%y: memref<6x8xi8>) {
  // expected-error@+1 {{accumulates f32 alone}}
  kernel.map outs(%y : memref<6x8xi8>) accumulate {
    %c = arith.constant 0 : i8
    kernel.yield %c : i8
  }
  return
}

// -----

func.func @narrow(%x: memref<9x4xf32, strided<[6, 1], offset: ?>>) {
  // expected-error@+1 {{expects 2 numbers of 'i16' for each f32 of 'memref<9x4xf32, strided<[6, 1], offset: ?>>', but got 'memref<9x8xi16, strided<[24, 1], offset: ?>>'}}
  %y = kernel.narrow %x : memref<9x4xf32, strided<[6, 1], offset: ?>> to memref<9x8xi16, strided<[24, 1], offset: ?>>
  return
}

// -----

func.func @gemv_weights(%x: memref<1x20xf32>, %w: memref<16x8xf32>, %y: memref<1x8xf32>) {
  // expected-error@+1 {{expects a single row, and weights of 16x20, but got 'memref<1x20xf32>' and 'memref<16x8xf32>'}}
  kernel.gemv rows(%x : memref<1x20xf32>) weights(%w : memref<16x8xf32>) outs(%y : memref<1x8xf32>) {
  ^bb0(%s: f32, %t: f32):
    kernel.yield %s : f32
  }
  return
}

// -----

func.func @gemv_rows(%x: memref<1x20xf32>, %w: memref<8x20xf32>, %y: memref<1x8xf32>) {
  // expected-error@+1 {{expects rows and weights for each, but got 2 and 1}}
  kernel.gemv rows(%x, %x : memref<1x20xf32>, memref<1x20xf32>) weights(%w : memref<8x20xf32>) outs(%y : memref<1x8xf32>) {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  return
}

// -----

func.func @gemv_blocks(%x: memref<1x20xf32>, %w: memref<12x20xf32>, %y: memref<1x8xf32>) {
  // expected-error@+1 {{expects blocks of 8 sums, but got 12 sums}}
  kernel.gemv rows(%x : memref<1x20xf32>) weights(%w : memref<12x20xf32>) outs(%y : memref<1x8xf32>) {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  return
}

// -----

func.func @gemv_depth(%x: memref<1x22xf32>, %w: memref<8x22xf32>, %y: memref<1x8xf32>) {
  // expected-error@+1 {{expects rows of multiples of 4 columns, but got 22}}
  kernel.gemv rows(%x : memref<1x22xf32>) weights(%w : memref<8x22xf32>) outs(%y : memref<1x8xf32>) alignment 4 {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  return
}

// -----

func.func @gemv_outputs(%x: memref<1x20xf32>, %w: memref<8x20xf32>, %y: memref<1x8xf32>, %z: memref<2x8xf32>) {
  // expected-error@+1 {{expects outputs of 1x8, but got 'memref<2x8xf32>'}}
  kernel.gemv rows(%x : memref<1x20xf32>) weights(%w : memref<8x20xf32>) outs(%y, %z : memref<1x8xf32>, memref<2x8xf32>) {
  ^bb0(%s: f32):
    kernel.yield %s, %s : f32, f32
  }
  return
}

// -----

func.func @gemv_inputs(%x: memref<1x20xf32>, %w: memref<8x20xf32>, %v: memref<4xf32>, %y: memref<1x8xf32>) {
  // expected-error@+1 {{expects inputs of 1x8, but got 'memref<4xf32>'}}
  kernel.gemv rows(%x : memref<1x20xf32>) weights(%w : memref<8x20xf32>) ins(%v : memref<4xf32>) outs(%y : memref<1x8xf32>) {
  ^bb0(%s: f32, %a: f32):
    kernel.yield %s : f32
  }
  return
}

// -----

func.func @gemv_region(%x: memref<1x20xf32>, %w: memref<16x20xf32>, %y: memref<1x8xf32>) {
  // expected-error@+1 {{expects a region with 2 arguments of type f32}}
  kernel.gemv rows(%x : memref<1x20xf32>) weights(%w : memref<16x20xf32>) outs(%y : memref<1x8xf32>) {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  return
}

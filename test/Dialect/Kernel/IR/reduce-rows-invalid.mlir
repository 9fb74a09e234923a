// RUN: nnet3-opt --split-input-file --verify-diagnostics %s

func.func @f(%v: memref<4xf32>, %y: memref<1x4xf32>) {
  // expected-error@+1 {{expects an input with rows}}
  kernel.reduce_rows ins(%v : memref<4xf32>) outs(%y : memref<1x4xf32>) {
  ^bb0(%c: index, %row: memref<4xf32, strided<[1], offset: ?>>):
    %a = arith.constant 1.0 : f32
    kernel.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: memref<2x4xf32>, %y: memref<1x4xf32>, %z: memref<1x3xf32>) {
  // expected-error@+1 {{expects outputs of one shape, but got 'memref<1x3xf32>'}}
  kernel.reduce_rows ins(%x : memref<2x4xf32>) outs(%y, %z : memref<1x4xf32>, memref<1x3xf32>) {
  ^bb0(%c: index, %row: memref<4xf32, strided<[1], offset: ?>>):
    %a = arith.constant 1.0 : f32
    kernel.yield %a, %a : f32, f32
  }
  return
}

// -----

func.func @f(%x: memref<2x4xf32>, %y: memref<3x4xf32>) {
  // expected-error@+1 {{expects at most 2 slices, one for each row, but got 3}}
  kernel.reduce_rows ins(%x : memref<2x4xf32>) outs(%y : memref<3x4xf32>) {
  ^bb0(%c: index, %row: memref<4xf32, strided<[1], offset: ?>>):
    %a = arith.constant 1.0 : f32
    kernel.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: memref<2x4xf32>, %z: memref<3x4xf32>, %y: memref<1x4xf32>) {
  // expected-error@+1 {{expects inputs of 2 rows, but got 'memref<3x4xf32>'}}
  kernel.reduce_rows ins(%x, %z : memref<2x4xf32>, memref<3x4xf32>) outs(%y : memref<1x4xf32>) {
  ^bb0(%c: index, %row: memref<4xf32, strided<[1], offset: ?>>, %other: memref<4xf32, strided<[1], offset: ?>>):
    %a = arith.constant 1.0 : f32
    kernel.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: memref<2x4xf32>, %y: memref<1x4xf32>) {
  // expected-error@+1 {{expects a region with arguments of types 'index', 'memref<4xf32, strided<[1], offset: ?>>'}}
  kernel.reduce_rows ins(%x : memref<2x4xf32>) outs(%y : memref<1x4xf32>) {
  ^bb0(%c: index):
    %a = arith.constant 1.0 : f32
    kernel.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: memref<2x4xf32>, %y: memref<1x4xf32>) {
  // expected-error@+1 {{expects a region that yields an f32 for each of 1 outputs}}
  kernel.reduce_rows ins(%x : memref<2x4xf32>) outs(%y : memref<1x4xf32>) {
  ^bb0(%c: index, %row: memref<4xf32, strided<[1], offset: ?>>):
    %a = arith.constant 1.0 : f64
    kernel.yield %a : f64
  }
  return
}

// -----

func.func @f(%x: memref<2x4xf32>, %y: memref<1x4xf32>) {
  // expected-error@+1 {{expects blocks of columns up to 2^31 - 1 in all, but got 1099511627776}}
  kernel.reduce_rows ins(%x : memref<2x4xf32>) outs(%y : memref<1x4xf32>) blocks 1099511627776 {
  ^bb0(%c: index, %row: memref<4xf32, strided<[1], offset: ?>>):
    %a = arith.constant 1.0 : f32
    kernel.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: memref<2x4xf32>, %y: memref<1x4xf32>) {
  kernel.reduce_rows ins(%x : memref<2x4xf32>) outs(%y : memref<1x4xf32>) {
  ^bb0(%c: index, %row: memref<4xf32, strided<[1], offset: ?>>):
    %a = arith.constant 1.0 : f32
    // expected-error@+1 {{is not allowed in a function of rows}}
    memref.store %a, %row[%c] : memref<4xf32, strided<[1], offset: ?>>
    kernel.yield %a : f32
  }
  return
}

// -----

func.func @f(%x: memref<2x4xf32>) {
  // expected-error@+1 {{expects one output or more}}
  "kernel.reduce_rows"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0>}> ({
  ^bb0(%c: index, %row: memref<4xf32, strided<[1], offset: ?>>):
    kernel.yield
  }) : (memref<2x4xf32>) -> ()
  return
}

// RUN: nnet3-opt --verify-diagnostics -split-input-file %s

// expected-error@+1 {{expects dims and a stride from 1 to 2147483647, but got 3x4 and 0}}
func.func private @f(!kernel.row_ranges<3x4, stride = 0>)

// -----

// expected-error@+1 {{expects two dimensions, but got 1}}
func.func private @f(!kernel.row_ranges<3, stride = 4>)

// -----

func.func @table(%arena: memref<96xf32>, %table: memref<5xi32>, %at: index) {
  // expected-error@+1 {{expects a table of at least 6 entries, but got 5}}
  %rows = kernel.row_ranges %arena, %table[%at, %at] : memref<96xf32>, memref<5xi32> to !kernel.row_ranges<6x4, stride = 4>
  return
}

// -----

func.func @f(%y: memref<2x4xf32>, %x: memref<2x4xf32>, %z: memref<3x4xf32>) {
  // expected-error@+1 {{expects parts that divide 4 columns, but got 3}}
  kernel.map_rows outs(%y : memref<2x4xf32>) parts 3 {
  ^bb0(%part: index, %to: memref<4xf32, strided<[1], offset: ?>>):
    kernel.yield
  }
  return
}

// -----

func.func @f(%y: memref<2x4xf32>, %x: memref<2x4xf32>, %z: memref<3x4xf32>) {
  // expected-error@+1 {{expects inputs of 2 rows, but got 'memref<3x4xf32>'}}
  kernel.map_rows ins(%z : memref<3x4xf32>) outs(%y : memref<2x4xf32>) {
  ^bb0(%part: index, %from: memref<4xf32, strided<[1], offset: ?>>, %to: memref<4xf32, strided<[1], offset: ?>>):
    kernel.yield
  }
  return
}

// -----

func.func @f(%y: memref<2x4xf32>, %x: memref<2x4xf32>, %z: memref<3x4xf32>) {
  // expected-error@+1 {{expects a region with arguments of types 'index', 'memref<4xf32, strided<[1], offset: ?>>', 'memref<4xf32, strided<[1], offset: ?>>'}}
  kernel.map_rows ins(%x : memref<2x4xf32>) outs(%y : memref<2x4xf32>) {
  ^bb0(%part: index, %from: memref<4xf32>, %to: memref<4xf32, strided<[1], offset: ?>>):
    kernel.yield
  }
  return
}

// -----

func.func @f(%y: memref<2x4xf32>, %x: memref<2x4xf32>, %z: memref<3x4xf32>) {
  // expected-error@+1 {{expects a region that yields nothing}}
  kernel.map_rows outs(%y : memref<2x4xf32>) {
  ^bb0(%part: index, %to: memref<4xf32, strided<[1], offset: ?>>):
    %c = arith.constant 1.0 : f32
    kernel.yield %c : f32
  }
  return
}

// -----

func.func @f(%y: memref<2x4xf32>, %x: memref<2x4xf32>, %z: memref<3x4xf32>) {
  kernel.map_rows outs(%y : memref<2x4xf32>) {
  ^bb0(%part: index, %to: memref<4xf32, strided<[1], offset: ?>>):
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    // expected-error@+1 {{expects a loop over columns around it}}
    memref.store %v, %to[%c0] : memref<4xf32, strided<[1], offset: ?>>
    kernel.yield
  }
  return
}

// -----

func.func @f(%y: memref<2x4xf32>, %x: memref<2x4xf32>, %z: memref<3x4xf32>) {
  kernel.map_rows outs(%y : memref<2x4xf32>) {
  ^bb0(%part: index, %to: memref<4xf32, strided<[1], offset: ?>>):
    // expected-error@+1 {{is not allowed in a function of rows}}
    %m = memref.alloca() : memref<4xf32>
    kernel.yield
  }
  return
}

// -----

func.func @f(%y: memref<2x4xf32>, %x: memref<2x4xf32>, %z: memref<3x4xf32>) {
  kernel.map_rows outs(%y : memref<2x4xf32>) {
  ^bb0(%part: index, %to: memref<4xf32, strided<[1], offset: ?>>):
    // expected-error@+1 {{is not allowed in a function of rows}}
    %m = arith.constant dense<1.0> : vector<4xf32>
    kernel.yield
  }
  return
}

// -----

func.func @f(%y: memref<2x4xf32>, %x: memref<2x4xf32>, %z: memref<3x4xf32>) {
  kernel.map_rows ins(%x : memref<2x4xf32>) outs(%y : memref<2x4xf32>) {
  ^bb0(%part: index, %from: memref<4xf32, strided<[1], offset: ?>>, %to: memref<4xf32, strided<[1], offset: ?>>):
    kernel.for_columns [4] {
    ^bb0(%c: index):
      %v = memref.load %from[%c] : memref<4xf32, strided<[1], offset: ?>>
      // expected-error@+1 {{expects the row of the output}}
      memref.store %v, %from[%c] : memref<4xf32, strided<[1], offset: ?>>
      kernel.yield
    }
    kernel.yield
  }
  return
}

// -----

func.func @f(%y: memref<2x4xf32>, %x: memref<2x4xf32>, %z: memref<3x4xf32>) {
  kernel.map_rows outs(%y : memref<2x4xf32>) {
  ^bb0(%part: index, %to: memref<4xf32, strided<[1], offset: ?>>):
    // expected-error@+1 {{expects one or two sizes, each from 1 to 2^31 - 1}}
    kernel.for_columns [0] {
    ^bb0(%c: index):
      kernel.yield
    }
    kernel.yield
  }
  return
}

// -----

func.func @f(%y: memref<2x4xf32>, %x: memref<2x4xf32>, %z: memref<3x4xf32>) {
  kernel.map_rows outs(%y : memref<2x4xf32>) {
  ^bb0(%part: index, %to: memref<4xf32, strided<[1], offset: ?>>):
    // expected-error@+1 {{expects a region with 2 arguments of type index}}
    kernel.for_columns [2, 2] {
    ^bb0(%c: index):
      kernel.yield
    }
    kernel.yield
  }
  return
}

// -----

func.func @f(%y: memref<2x4xf32>, %x: memref<2x4xf32>, %z: memref<3x4xf32>) {
  kernel.map_rows outs(%y : memref<2x4xf32>) {
  ^bb0(%part: index, %to: memref<4xf32, strided<[1], offset: ?>>):
    // expected-error@+1 {{expects a region that yields 1 values}}
    %s = kernel.reduce_columns add 4 {
    ^bb0(%c: index):
      kernel.yield
    }
    kernel.yield
  }
  return
}

// -----

func.func @f(%y: memref<2x4xf32>, %x: memref<2x4xf32>, %z: memref<3x4xf32>) {
  kernel.map_rows outs(%y : memref<2x4xf32>) {
  ^bb0(%part: index, %to: memref<4xf32, strided<[1], offset: ?>>):
    %v = arith.constant 1.0 : f64
    // expected-error@+1 {{expects a region that yields 'f32', but got 'f64'}}
    %s = kernel.reduce_columns max 4 {
    ^bb0(%c: index):
      kernel.yield %v : f64
    }
    kernel.yield
  }
  return
}

// -----

func.func @f(%y: memref<2x4xf32>, %x: memref<2x4xf32>, %z: memref<3x4xf32>) {
  kernel.map_rows outs(%y : memref<2x4xf32>) {
  ^bb0(%part: index, %to: memref<4xf32, strided<[1], offset: ?>>):
    %v = arith.constant 1.0 : f32
    // expected-error@+1 {{expects a region that yields 4 values}}
    %s:2 = kernel.dot_columns 4 {
    ^bb0(%c: index):
      kernel.yield %v, %v : f32, f32
    } : f32, f32
    kernel.yield
  }
  return
}

// -----

func.func @f(%y: memref<2x4xf32>, %x: memref<2x4xf32>, %z: memref<3x4xf32>) {
  kernel.map_rows outs(%y : memref<2x4xf32>) {
  ^bb0(%part: index, %to: memref<4xf32, strided<[1], offset: ?>>):
    kernel.for_columns [4] {
    ^bb0(%c: index):
      %v = arith.constant 1.0 : f32
      // expected-error@+1 {{expects a loop over single columns around it}}
      %s = kernel.sum_range %c to %c typical 2 {
      ^bb0(%k: index):
        kernel.yield %v : f32
      }
      kernel.yield
    }
    kernel.yield
  }
  return
}

// -----

func.func @f(%y: memref<2x4xf32>, %x: memref<2x4xf32>, %z: memref<3x4xf32>) {
  kernel.map_rows outs(%y : memref<2x4xf32>) {
  ^bb0(%part: index, %to: memref<4xf32, strided<[1], offset: ?>>):
    // expected-error@+1 {{expects as many results as values, and one or more, but got 0 and 0}}
    "kernel.softmax"() : () -> ()
    kernel.yield
  }
  return
}

// -----

func.func @f(%y: memref<2x4xf32>, %x: memref<2x4xf32>, %g: memref<2x3x4xf32, strided<[8, 4, 1], offset: ?>>) {
  kernel.map_rows ins(%g : memref<2x3x4xf32, strided<[8, 4, 1], offset: ?>>) outs(%y : memref<2x4xf32>) {
  ^bb0(%part: index, %rows: memref<3x4xf32, strided<[4, 1], offset: ?>>, %to: memref<4xf32, strided<[1], offset: ?>>):
    %v = arith.constant 1.0 : f32
    // expected-error@+1 {{expects a region with one argument of type 'memref<4xf32, strided<[1], offset: ?>>'}}
    %s = kernel.sum_rows %rows {
    ^bb0(%row: memref<4xf32>):
      kernel.yield %v : f32
    } : memref<3x4xf32, strided<[4, 1], offset: ?>> -> f64
    kernel.yield
  }
  return
}

// -----

func.func @alone() {
  %v = arith.constant 1.0 : f32
  // expected-error@+1 {{expects parent op 'kernel.map_rows'}}
  %w = kernel.softmax %v : f32
  return
}

// -----

// An operation inside without its operands.
func.func @operands(%x: memref<3x4xf32, strided<[4, 1], offset: ?>>, %y: memref<3x4xf32, strided<[4, 1], offset: ?>>) {
  kernel.map_rows ins(%x : memref<3x4xf32, strided<[4, 1], offset: ?>>) outs(%y : memref<3x4xf32, strided<[4, 1], offset: ?>>) {
  ^bb0(%part: index, %from: memref<4xf32, strided<[1], offset: ?>>, %to: memref<4xf32, strided<[1], offset: ?>>):
    // expected-error@+1 {{requires a single operand}}
    %sum = "kernel.sum_rows"() ({
    ^bb1(%row: memref<4xf32, strided<[1], offset: ?>>):
      %one = arith.constant 1.0 : f32
      "kernel.yield"(%one) : (f32) -> ()
    }) : () -> f64
    kernel.yield
  }
  return
}

// -----

func.func @f(%y: memref<2x4xf32>) {
  kernel.map_rows outs(%y : memref<2x4xf32>) {
  ^bb0(%part: index, %to: memref<4xf32, strided<[1], offset: ?>>):
    // expected-error@+1 {{requires attribute 'sizes'}}
    "kernel.for_columns"() ({
    ^bb0(%c: index):
      %v = arith.constant 1.0 : f32
      %s = kernel.sum_range %c to %c typical 2 {
      ^bb0(%k: index):
        kernel.yield %v : f32
      }
      kernel.yield
    }) : () -> ()
    kernel.yield
  }
  return
}

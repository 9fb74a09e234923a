// RUN: nnet3-opt --convert-kernel-to-vector --verify-diagnostics -split-input-file %s

module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 16>} {
func.func @quotient(%arena: memref<96xf32>, %table: memref<9xi32>, %at: index) {
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 8], strides: [8, 1] : memref<96xf32> to memref<3x8xf32, strided<[8, 1], offset: ?>>
  %list = memref.reinterpret_cast %table to offset: [%at], sizes: [3], strides: [1] : memref<9xi32> to memref<3xi32, strided<[1], offset: ?>>
  kernel.map_rows ins(%list : memref<3xi32, strided<[1], offset: ?>>) outs(%y : memref<3x8xf32, strided<[8, 1], offset: ?>>) {
  ^bb0(%part: index, %l: memref<3xi32, strided<[1], offset: ?>>, %to: memref<8xf32, strided<[1], offset: ?>>):
    %c2 = arith.constant 2 : index
    %one = arith.constant 1.0 : f32
    kernel.for_columns [8] {
    ^bb0(%c: index):
      // expected-error@+1 {{does not compute a linear function of the column}}
      %half = arith.divui %c, %c2 : index
      memref.store %one, %to[%half] : memref<8xf32, strided<[1], offset: ?>>
      kernel.yield
    }
    kernel.yield
  }
  return
}
}

// -----

module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 16>} {
func.func @entry(%arena: memref<96xf32>, %table: memref<9xi32>, %at: index) {
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 8], strides: [8, 1] : memref<96xf32> to memref<3x8xf32, strided<[8, 1], offset: ?>>
  %list = memref.reinterpret_cast %table to offset: [%at], sizes: [3], strides: [1] : memref<9xi32> to memref<3xi32, strided<[1], offset: ?>>
  kernel.map_rows ins(%list : memref<3xi32, strided<[1], offset: ?>>) outs(%y : memref<3x8xf32, strided<[8, 1], offset: ?>>) {
  ^bb0(%part: index, %l: memref<3xi32, strided<[1], offset: ?>>, %to: memref<8xf32, strided<[1], offset: ?>>):
    %c2 = arith.constant 2 : index
    %one = arith.constant 1.0 : f32
    kernel.for_columns [8] {
    ^bb0(%c: index):
      // expected-error@+1 {{expects an entry that all columns have}}
      %v = memref.load %l[%c] : memref<3xi32, strided<[1], offset: ?>>
      memref.store %one, %to[%c] : memref<8xf32, strided<[1], offset: ?>>
      kernel.yield
    }
    kernel.yield
  }
  return
}
}

// -----

module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 16>} {
func.func @scatter(%arena: memref<96xf32>, %table: memref<9xi32>, %at: index) {
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 8], strides: [8, 1] : memref<96xf32> to memref<3x8xf32, strided<[8, 1], offset: ?>>
  %list = memref.reinterpret_cast %table to offset: [%at], sizes: [3], strides: [1] : memref<9xi32> to memref<3xi32, strided<[1], offset: ?>>
  kernel.map_rows ins(%list : memref<3xi32, strided<[1], offset: ?>>) outs(%y : memref<3x8xf32, strided<[8, 1], offset: ?>>) {
  ^bb0(%part: index, %l: memref<3xi32, strided<[1], offset: ?>>, %to: memref<8xf32, strided<[1], offset: ?>>):
    %c2 = arith.constant 2 : index
    %one = arith.constant 1.0 : f32
    kernel.for_columns [8] {
    ^bb0(%c: index):
      %even = arith.muli %c, %c2 : index
      // expected-error@+1 {{expects to store to neighbouring columns}}
      memref.store %one, %to[%even] : memref<8xf32, strided<[1], offset: ?>>
      kernel.yield
    }
    kernel.yield
  }
  return
}
}

// -----

module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 16>} {
func.func @bounds(%arena: memref<96xf32>, %table: memref<9xi32>, %at: index) {
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 8], strides: [8, 1] : memref<96xf32> to memref<3x8xf32, strided<[8, 1], offset: ?>>
  %list = memref.reinterpret_cast %table to offset: [%at], sizes: [3], strides: [1] : memref<9xi32> to memref<3xi32, strided<[1], offset: ?>>
  kernel.map_rows ins(%list : memref<3xi32, strided<[1], offset: ?>>) outs(%y : memref<3x8xf32, strided<[8, 1], offset: ?>>) {
  ^bb0(%part: index, %l: memref<3xi32, strided<[1], offset: ?>>, %to: memref<8xf32, strided<[1], offset: ?>>):
    %c2 = arith.constant 2 : index
    %one = arith.constant 1.0 : f32
    kernel.for_columns [8] {
    ^bb0(%c: index):
      // expected-error@+1 {{expects bounds that all columns have}}
      scf.for %i = %c2 to %c step %c2 {
      }
      memref.store %one, %to[%c] : memref<8xf32, strided<[1], offset: ?>>
      kernel.yield
    }
    kernel.yield
  }
  return
}
}

// -----

module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 16>} {
func.func @carried(%arena: memref<96xf32>, %table: memref<9xi32>, %at: index) {
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 8], strides: [8, 1] : memref<96xf32> to memref<3x8xf32, strided<[8, 1], offset: ?>>
  %list = memref.reinterpret_cast %table to offset: [%at], sizes: [3], strides: [1] : memref<9xi32> to memref<3xi32, strided<[1], offset: ?>>
  kernel.map_rows ins(%list : memref<3xi32, strided<[1], offset: ?>>) outs(%y : memref<3x8xf32, strided<[8, 1], offset: ?>>) {
  ^bb0(%part: index, %l: memref<3xi32, strided<[1], offset: ?>>, %to: memref<8xf32, strided<[1], offset: ?>>):
    %c2 = arith.constant 2 : index
    %one = arith.constant 1.0 : f32
    kernel.for_columns [8] {
    ^bb0(%c: index):
      // expected-error@+1 {{carries an index that differs from column to column}}
      %last = scf.for %i = %c2 to %c2 step %c2 iter_args(%k = %c) -> index {
        scf.yield %k : index
      }
      memref.store %one, %to[%c] : memref<8xf32, strided<[1], offset: ?>>
      kernel.yield
    }
    kernel.yield
  }
  return
}
}

// -----

module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 16>} {
func.func @select(%arena: memref<96xf32>, %table: memref<9xi32>, %at: index) {
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 8], strides: [8, 1] : memref<96xf32> to memref<3x8xf32, strided<[8, 1], offset: ?>>
  %list = memref.reinterpret_cast %table to offset: [%at], sizes: [3], strides: [1] : memref<9xi32> to memref<3xi32, strided<[1], offset: ?>>
  kernel.map_rows ins(%list : memref<3xi32, strided<[1], offset: ?>>) outs(%y : memref<3x8xf32, strided<[8, 1], offset: ?>>) {
  ^bb0(%part: index, %l: memref<3xi32, strided<[1], offset: ?>>, %to: memref<8xf32, strided<[1], offset: ?>>):
    %c2 = arith.constant 2 : index
    %one = arith.constant 1.0 : f32
    kernel.for_columns [8] {
    ^bb0(%c: index):
      %v = memref.load %to[%c] : memref<8xf32, strided<[1], offset: ?>>
      %less = arith.cmpf olt, %v, %one : f32
      // expected-error@+1 {{computes an index that differs from column to column}}
      %k = arith.select %less, %c2, %c2 : index
      memref.store %one, %to[%c] : memref<8xf32, strided<[1], offset: ?>>
      kernel.yield
    }
    kernel.yield
  }
  return
}
}

// RUN: nnet3-opt --convert-kernel-to-vector %s | FileCheck %s
// RUN: nnet3-opt --convert-kernel-to-threads %s | FileCheck --check-prefix=THREADS %s

module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 16>} {

// Neighbouring columns are vectors, of four and of what is left. Every second
// one is loaded by itself; one that all columns have is loaded once.
// CHECK-LABEL: func.func @lanes
// CHECK: scf.for
// CHECK: vector.load %{{.*}} vector<4xf32>
// CHECK-COUNT-4: memref.load %arg0
// CHECK: vector.from_elements {{.*}} : vector<4xf32>
// CHECK: %[[ONE:.*]] = memref.load %arg0
// CHECK: vector.broadcast %[[ONE]] : f32 to vector<4xf32>
// CHECK: vector.store {{.*}} vector<4xf32>
// CHECK: vector.load %{{.*}} vector<2xf32>
// CHECK: vector.store {{.*}} vector<2xf32>
// THREADS-LABEL: func.func @lanes
// THREADS-SAME: kernel.block = #kernel.block<threads = 32
// THREADS: scf.parallel (%{{.*}}, %{{.*}}) = (%{{.*}}, %{{.*}}) to (%c3{{.*}}, %c1
// THREADS: scf.parallel
// THREADS-COUNT-3: memref.load
// THREADS: memref.store
func.func @lanes(%arena: memref<96xf32>, %at: index) {
  %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 12], strides: [12, 1] : memref<96xf32> to memref<3x12xf32, strided<[12, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 6], strides: [6, 1] : memref<96xf32> to memref<3x6xf32, strided<[6, 1], offset: ?>>
  kernel.map_rows ins(%x : memref<3x12xf32, strided<[12, 1], offset: ?>>) outs(%y : memref<3x6xf32, strided<[6, 1], offset: ?>>) {
  ^bb0(%part: index, %from: memref<12xf32, strided<[1], offset: ?>>, %to: memref<6xf32, strided<[1], offset: ?>>):
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    kernel.for_columns [6] {
    ^bb0(%c: index):
      %even = arith.muli %c, %c2 : index
      %a = memref.load %from[%c] : memref<12xf32, strided<[1], offset: ?>>
      %b = memref.load %from[%even] : memref<12xf32, strided<[1], offset: ?>>
      %d = memref.load %from[%c0] : memref<12xf32, strided<[1], offset: ?>>
      %s = math.fma %a, %b, %d : f32
      memref.store %s, %to[%c] : memref<6xf32, strided<[1], offset: ?>>
      kernel.yield
    }
    kernel.yield
  }
  return
}

// Parts, then rows; a sum in f64. On a device a block of threads has a part of
// a row.
// CHECK-LABEL: func.func @parts
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c2
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c3
// CHECK: vector.extract_strided_slice {{.*}} vector<4xf64> to vector<2xf64>
// CHECK: arith.addf {{.*}} : vector<2xf64>
// CHECK: arith.addf {{.*}} : vector<1xf64>
// CHECK: arith.truncf
// THREADS-LABEL: func.func @parts
// THREADS: scf.parallel (%{{.*}}, %{{.*}}) = (%{{.*}}, %{{.*}}) to (%c3{{.*}}, %c2
// THREADS: scf.parallel {{.*}} init (%{{.*}}) -> f32
// THREADS: scf.reduce
func.func @parts(%arena: memref<96xf32>, %at: index) {
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [3, 8], strides: [8, 1] : memref<96xf32> to memref<3x8xf32, strided<[8, 1], offset: ?>>
  kernel.map_rows outs(%y : memref<3x8xf32, strided<[8, 1], offset: ?>>) parts 2 {
  ^bb0(%part: index, %to: memref<8xf32, strided<[1], offset: ?>>):
    %c4 = arith.constant 4 : index
    %first = arith.muli %part, %c4 : index
    %sum = kernel.reduce_columns add 4 {
    ^bb0(%c: index):
      %at0 = arith.addi %first, %c : index
      %v = memref.load %to[%at0] : memref<8xf32, strided<[1], offset: ?>>
      kernel.yield %v : f32
    }
    kernel.for_columns [4] {
    ^bb0(%c: index):
      %at0 = arith.addi %first, %c : index
      memref.store %sum, %to[%at0] : memref<8xf32, strided<[1], offset: ?>>
      kernel.yield
    }
    kernel.yield
  }
  return
}

// The begin and the number of rows come from the table; four rows are added up
// in f32 before they are added in f64. The last four are a group: of the first
// one, up to three rows are there.
// CHECK-LABEL: func.func @ranges
// CHECK-COUNT-2: memref.load %arg1
// CHECK-COUNT-3: scf.if {{.*}} -> (vector<4xf32>)
// CHECK: arith.extf
// CHECK: scf.for {{.*}} -> (vector<4xf64>)
// CHECK-COUNT-4: vector.load {{.*}} vector<4xf32>
// CHECK: arith.extf
// THREADS-LABEL: func.func @ranges
// THREADS-COUNT-2: memref.load %arg1
// THREADS-COUNT-3: scf.if {{.*}} -> (f32)
// THREADS: scf.for {{.*}} -> (f64)
// THREADS-COUNT-4: memref.load %arg0
func.func @ranges(%arena: memref<288xf32>, %table: memref<7xi32>, %begin: index, %count: index, %at: index) {
  %y = memref.reinterpret_cast %arena to offset: [%at], sizes: [2, 4], strides: [4, 1] : memref<288xf32> to memref<2x4xf32, strided<[4, 1], offset: ?>>
  %ranges = kernel.row_ranges %arena, %table[%begin, %count] : memref<288xf32>, memref<7xi32> to !kernel.row_ranges<2x4, stride = 8>
  kernel.map_rows ins(%ranges : !kernel.row_ranges<2x4, stride = 8>) outs(%y : memref<2x4xf32, strided<[4, 1], offset: ?>>) {
  ^bb0(%part: index, %rows: memref<?x4xf32, strided<[8, 1], offset: ?>>, %to: memref<4xf32, strided<[1], offset: ?>>):
    kernel.for_columns [4] {
    ^bb0(%c: index):
      %sum = kernel.sum_rows %rows {
      ^bb0(%row: memref<4xf32, strided<[1], offset: ?>>):
        %v = memref.load %row[%c] : memref<4xf32, strided<[1], offset: ?>>
        kernel.yield %v : f32
      } : memref<?x4xf32, strided<[8, 1], offset: ?>> -> f64
      %s = arith.truncf %sum : f64 to f32
      memref.store %s, %to[%c] : memref<4xf32, strided<[1], offset: ?>>
      kernel.yield
    }
    kernel.yield
  }
  return
}

}

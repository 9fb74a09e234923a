// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt --verify-roundtrip -o /dev/null %s

// CHECK-LABEL: func.func @normalize
func.func @normalize(%x: memref<36x32xf32, strided<[32, 1], offset: ?>>, %y: memref<36x32xf32, strided<[32, 1], offset: ?>>) {
  // CHECK: kernel.map_rows ins(%{{.*}} : memref<36x32xf32, {{.*}}>) outs(%{{.*}} : memref<36x32xf32, {{.*}}>) {
  // CHECK-NEXT: ^bb0(%{{.*}}: index, %[[FROM:.*]]: memref<32xf32, strided<[1], offset: ?>>, %[[TO:.*]]: memref<32xf32, strided<[1], offset: ?>>):
  // CHECK-NEXT: %[[SUM:.*]] = kernel.reduce_columns add 32 {
  // CHECK-NEXT: ^bb0(%[[C:.*]]: index):
  // CHECK-NEXT: %[[V:.*]] = memref.load %[[FROM]][%[[C]]]
  // CHECK-NEXT: kernel.yield %[[V]] : f32
  // CHECK: kernel.for_columns [32] {
  // CHECK: arith.divf %{{.*}}, %[[SUM]]
  // CHECK: memref.store %{{.*}}, %[[TO]]
  // CHECK-NEXT: kernel.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: kernel.yield
  kernel.map_rows ins(%x : memref<36x32xf32, strided<[32, 1], offset: ?>>) outs(%y : memref<36x32xf32, strided<[32, 1], offset: ?>>) {
  ^bb0(%part: index, %from: memref<32xf32, strided<[1], offset: ?>>, %to: memref<32xf32, strided<[1], offset: ?>>):
    %sum = kernel.reduce_columns add 32 {
    ^bb0(%c: index):
      %v = memref.load %from[%c] : memref<32xf32, strided<[1], offset: ?>>
      kernel.yield %v : f32
    }
    kernel.for_columns [32] {
    ^bb0(%c: index):
      %v = memref.load %from[%c] : memref<32xf32, strided<[1], offset: ?>>
      %q = arith.divf %v, %sum : f32
      memref.store %q, %to[%c] : memref<32xf32, strided<[1], offset: ?>>
      kernel.yield
    }
    kernel.yield
  }
  return
}

// Rows that belong to a row, a vector and a list of indexes; two parts.
// CHECK-LABEL: func.func @operands
func.func @operands(%g: memref<2x3x4xf32, strided<[8, 4, 1], offset: ?>>, %v: memref<4xf32>, %i: memref<5xi32>, %y: memref<2x4xf32>) {
  // CHECK: kernel.map_rows ins(%{{.*}} : memref<2x3x4xf32, {{.*}}>, memref<4xf32>, memref<5xi32>) outs(%{{.*}} : memref<2x4xf32>) parts 2 {
  // CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: memref<3x4xf32, strided<[4, 1], offset: ?>>, %{{.*}}: memref<4xf32, strided<[1], offset: ?>>, %{{.*}}: memref<5xi32, strided<[1], offset: ?>>, %{{.*}}: memref<4xf32, strided<[1], offset: ?>>):
  kernel.map_rows ins(%g, %v, %i : memref<2x3x4xf32, strided<[8, 4, 1], offset: ?>>, memref<4xf32>, memref<5xi32>) outs(%y : memref<2x4xf32>) parts 2 {
  ^bb0(%part: index, %rows: memref<3x4xf32, strided<[4, 1], offset: ?>>, %vector: memref<4xf32, strided<[1], offset: ?>>, %list: memref<5xi32, strided<[1], offset: ?>>, %to: memref<4xf32, strided<[1], offset: ?>>):
    %c0 = arith.constant 0 : index
    // CHECK: %[[LARGEST:.*]] = kernel.reduce_columns max 4 {
    %largest = kernel.reduce_columns max 4 {
    ^bb0(%c: index):
      %a = memref.load %vector[%c] : memref<4xf32, strided<[1], offset: ?>>
      kernel.yield %a : f32
    }
    // CHECK: %[[DOTS:.*]]:2 = kernel.dot_columns 4 {
    // CHECK: kernel.yield %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : f32, f32, f32, f32
    // CHECK-NEXT: } : f32, f32
    %dots:2 = kernel.dot_columns 4 {
    ^bb0(%c: index):
      %a = memref.load %rows[%c0, %c] : memref<3x4xf32, strided<[4, 1], offset: ?>>
      %b = memref.load %vector[%c] : memref<4xf32, strided<[1], offset: ?>>
      kernel.yield %a, %b, %b, %b : f32, f32, f32, f32
    } : f32, f32
    // CHECK: %[[WEIGHTS:.*]]:3 = kernel.softmax %[[LARGEST]], %[[DOTS]]#0, %[[DOTS]]#1 : f32, f32, f32
    %weights:3 = kernel.softmax %largest, %dots#0, %dots#1 : f32, f32, f32
    // CHECK: kernel.for_columns [2, 1] {
    // CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index):
    kernel.for_columns [2, 1] {
    ^bb0(%block: index, %c: index):
      %first = memref.load %list[%block] : memref<5xi32, strided<[1], offset: ?>>
      %begin = arith.index_cast %first : i32 to index
      %c4 = arith.constant 4 : index
      // CHECK: kernel.sum_range %{{.*}} to %{{.*}} typical 3 {
      %sum = kernel.sum_range %begin to %c4 typical 3 {
      ^bb0(%k: index):
        %a = memref.load %vector[%k] : memref<4xf32, strided<[1], offset: ?>>
        kernel.yield %a : f32
      }
      %s = arith.addf %sum, %weights#2 : f32
      memref.store %s, %to[%block] : memref<4xf32, strided<[1], offset: ?>>
      kernel.yield
    }
    kernel.yield
  }
  return
}

// CHECK-LABEL: func.func @ranges
func.func @ranges(%arena: memref<288xf32>, %table: memref<7xi32>, %begin: index, %count: index, %y: memref<2x4xf32>) {
  // CHECK: %[[RANGES:.*]] = kernel.row_ranges %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : memref<288xf32>, memref<7xi32> to !kernel.row_ranges<2x4, stride = 8>
  %ranges = kernel.row_ranges %arena, %table[%begin, %count] : memref<288xf32>, memref<7xi32> to !kernel.row_ranges<2x4, stride = 8>
  // CHECK: kernel.map_rows ins(%[[RANGES]] : !kernel.row_ranges<2x4, stride = 8>)
  kernel.map_rows ins(%ranges : !kernel.row_ranges<2x4, stride = 8>) outs(%y : memref<2x4xf32>) {
  ^bb0(%part: index, %rows: memref<?x4xf32, strided<[8, 1], offset: ?>>, %to: memref<4xf32, strided<[1], offset: ?>>):
    kernel.for_columns [4] {
    ^bb0(%c: index):
      // CHECK: kernel.sum_rows %{{.*}} {
      // CHECK-NEXT: ^bb0(%{{.*}}: memref<4xf32, strided<[1], offset: ?>>):
      // CHECK: } : memref<?x4xf32, {{.*}}> -> f64
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

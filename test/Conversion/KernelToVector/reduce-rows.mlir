// RUN: nnet3-opt --kernel-set-target=instruction-sets=neon --convert-kernel-to-vector %s | FileCheck %s
// RUN: nnet3-opt --convert-kernel-to-threads %s | FileCheck --check-prefix=THREADS %s
// RUN: nnet3-opt --kernel-split-reductions %s | FileCheck --check-prefix=SPLIT %s

module {

// Neighbouring columns are vectors, of four and of what is left; four rows are
// added up in f32 before they are in f64. On a device a block of threads has a
// tile of columns: eight groups of threads share the rows.
// CHECK-LABEL: func.func @squares
// CHECK-COUNT-3: scf.if {{.*}} -> (vector<4xf32>)
// CHECK: scf.for {{.*}} -> (vector<4xf64>)
// CHECK-COUNT-4: vector.load {{.*}} vector<4xf32>
// CHECK: arith.extf
// CHECK: %[[SUM:.*]] = arith.truncf {{.*}} to vector<4xf32>
// CHECK: %[[BEFORE:.*]] = vector.load {{.*}} vector<4xf32>
// CHECK: arith.addf %[[BEFORE]], %[[SUM]]
// CHECK: vector.store
// CHECK: scf.for {{.*}} -> (vector<2xf64>)
// THREADS-LABEL: func.func @squares
// THREADS-SAME: kernel.block = #kernel.block<threads = 256>
// THREADS: scf.parallel
// THREADS:   memref.alloca() : memref<256xf32>
// THREADS:   scf.parallel (%[[THREAD:.*]]) =
// THREADS:     arith.remui %[[THREAD]], %c32
// THREADS:     arith.divui %[[THREAD]], %c32
// THREADS:     scf.for {{.*}} step %c8{{.*}} -> (f32)
// THREADS:       arith.mulf
// THREADS:   scf.parallel
// THREADS-COUNT-8: memref.load %alloca
// THREADS:     memref.load %arg0
// THREADS:     arith.addf
// THREADS:     memref.store
// SPLIT-LABEL: func.func @squares
// SPLIT: kernel.reduce_rows {{.*}} accumulate
// SPLIT-NOT: kernel.reduce_rows
func.func @squares(%arena: memref<96xf32>, %from: index, %to: index) {
  %x = memref.reinterpret_cast %arena to offset: [%from], sizes: [12, 6], strides: [6, 1] : memref<96xf32> to memref<12x6xf32, strided<[6, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%to], sizes: [1, 6], strides: [6, 1] : memref<96xf32> to memref<1x6xf32, strided<[6, 1], offset: ?>>
  kernel.reduce_rows ins(%x : memref<12x6xf32, strided<[6, 1], offset: ?>>) outs(%y : memref<1x6xf32, strided<[6, 1], offset: ?>>) accumulate {
  ^bb0(%c: index, %row: memref<6xf32, strided<[1], offset: ?>>):
    %v = memref.load %row[%c] : memref<6xf32, strided<[1], offset: ?>>
    %s = arith.mulf %v, %v : f32
    kernel.yield %s : f32
  }
  return
}

// Sums of simple terms are those of several neighbouring vectors at once, if
// the columns are a multiple of them.
// CHECK-LABEL: func.func @sums
// CHECK: scf.for {{.*}} -> (vector<16xf64>)
// CHECK-COUNT-4: vector.load {{.*}} vector<16xf32>
// THREADS-LABEL: func.func @sums
// SPLIT-LABEL: func.func @sums
func.func @sums(%arena: memref<2048xf32>, %from: index, %to: index) {
  %x = memref.reinterpret_cast %arena to offset: [%from], sizes: [12, 32], strides: [32, 1] : memref<2048xf32> to memref<12x32xf32, strided<[32, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%to], sizes: [1, 32], strides: [32, 1] : memref<2048xf32> to memref<1x32xf32, strided<[32, 1], offset: ?>>
  kernel.reduce_rows ins(%x : memref<12x32xf32, strided<[32, 1], offset: ?>>) outs(%y : memref<1x32xf32, strided<[32, 1], offset: ?>>) {
  ^bb0(%c: index, %row: memref<32xf32, strided<[1], offset: ?>>):
    %v = memref.load %row[%c] : memref<32xf32, strided<[1], offset: ?>>
    kernel.yield %v : f32
  }
  return
}

// 300 rows are two slices of 150 rows; their sums, and those of both blocks of
// columns, are added up by a second operation.
// CHECK-LABEL: func.func @blocks
// CHECK: arith.remui
// CHECK: arith.divui
// THREADS-LABEL: func.func @blocks
// THREADS: arith.remui
// THREADS: arith.divui
// SPLIT-LABEL: func.func @blocks
// SPLIT-DAG: %[[PARTS:.*]] = memref.reinterpret_cast %arg0 to offset: [%arg1], sizes: [2, 8], strides: [8, 1]
// SPLIT-DAG: %[[TOTALS:.*]] = memref.reinterpret_cast %arg0 to offset: [%arg1], sizes: [4, 4], strides: [4, 1]
// SPLIT: kernel.reduce_rows ins(%{{.*}} : memref<300x8xf32, {{.*}}>) outs(%[[PARTS]] : memref<2x8xf32, {{.*}}>) {
// SPLIT: kernel.reduce_rows ins(%[[TOTALS]] : memref<4x4xf32, {{.*}}>) outs(%{{.*}} : memref<1x4xf32, {{.*}}>) accumulate {
// SPLIT-NEXT: ^bb0(%[[C:.*]]: index, %[[ROW:.*]]: memref<4xf32, {{.*}}>):
// SPLIT-NEXT: %[[V:.*]] = memref.load %[[ROW]][%[[C]]]
// SPLIT-NEXT: kernel.yield %[[V]] : f32
func.func @blocks(%arena: memref<4096xf32>, %at: index, %from: index, %to: index) {
  %scratch = memref.reinterpret_cast %arena to offset: [%at], sizes: [16], strides: [1] : memref<4096xf32> to memref<16xf32, strided<[1], offset: ?>>
  %x = memref.reinterpret_cast %arena to offset: [%from], sizes: [300, 8], strides: [8, 1] : memref<4096xf32> to memref<300x8xf32, strided<[8, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%to], sizes: [1, 4], strides: [4, 1] : memref<4096xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
  kernel.reduce_rows ins(%x : memref<300x8xf32, strided<[8, 1], offset: ?>>) outs(%y : memref<1x4xf32, strided<[4, 1], offset: ?>>) scratch(%scratch : memref<16xf32, strided<[1], offset: ?>>) blocks 2 accumulate {
  ^bb0(%c: index, %row: memref<8xf32, strided<[1], offset: ?>>):
    %v = memref.load %row[%c] : memref<8xf32, strided<[1], offset: ?>>
    kernel.yield %v : f32
  }
  return
}

// Each slice has a row of the output.
// CHECK-LABEL: func.func @slices
// CHECK: scf.for %[[SLICE:.*]] = %c0{{.*}} to %c3
// CHECK: arith.muli %[[SLICE]], %c4
// CHECK: arith.minsi
// THREADS-LABEL: func.func @slices
// THREADS: scf.parallel (%{{.*}}) = (%c0{{.*}}) to (%c3
func.func @slices(%arena: memref<96xf32>, %from: index, %to: index) {
  %x = memref.reinterpret_cast %arena to offset: [%from], sizes: [10, 4], strides: [4, 1] : memref<96xf32> to memref<10x4xf32, strided<[4, 1], offset: ?>>
  %y = memref.reinterpret_cast %arena to offset: [%to], sizes: [3, 4], strides: [4, 1] : memref<96xf32> to memref<3x4xf32, strided<[4, 1], offset: ?>>
  kernel.reduce_rows ins(%x : memref<10x4xf32, strided<[4, 1], offset: ?>>) outs(%y : memref<3x4xf32, strided<[4, 1], offset: ?>>) {
  ^bb0(%c: index, %row: memref<4xf32, strided<[1], offset: ?>>):
    %v = memref.load %row[%c] : memref<4xf32, strided<[1], offset: ?>>
    kernel.yield %v : f32
  }
  return
}

}

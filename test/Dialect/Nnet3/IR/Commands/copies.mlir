// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt %s --verify-roundtrip -o /dev/null

nnet3.network @net {}

// CHECK-LABEL: nnet3.computation @copies
nnet3.computation @copies for @net {
  %a = nnet3.alloc_matrix_zeroed : memref<10x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<10x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  // CHECK: nnet3.matrix_copy %[[A:.*]] into %[[B:.*]] alpha 5.000000e-01 : memref<10x4xf32> into memref<10x4xf32>
  nnet3.matrix_copy %a into %b alpha 0.5 : memref<10x4xf32> into memref<10x4xf32>
  // The default factor is not printed.
  // CHECK: nnet3.matrix_add %[[A]] into %[[B]] : memref<10x4xf32> into memref<10x4xf32>
  nnet3.matrix_add %a into %b alpha 1.0 : memref<10x4xf32> into memref<10x4xf32>
  // CHECK: nnet3.copy_rows %[[A]] <_, 0:8> into %[[B]] : memref<10x4xf32> into memref<10x4xf32>
  nnet3.copy_rows %a <_, 0:8> into %b : memref<10x4xf32> into memref<10x4xf32>
  // CHECK: nnet3.add_rows %[[A]] <0:6:3> into %[[C:.*]] alpha 2.000000e+00 : memref<10x4xf32> into memref<3x4xf32>
  nnet3.add_rows %a <0:6:3> into %c alpha 2.0 : memref<10x4xf32> into memref<3x4xf32>
  // CHECK: nnet3.copy_rows_multi [%[[A]], %[[B]]] <9, _, 0 of 1> into %[[C]] : memref<10x4xf32>, memref<10x4xf32> into memref<3x4xf32>
  nnet3.copy_rows_multi [%a, %b] <9, _, 0 of 1> into %c : memref<10x4xf32>, memref<10x4xf32> into memref<3x4xf32>
  // CHECK: nnet3.add_rows_multi [%[[A]], %[[B]]] <3 x 0 of 1> into %[[C]] alpha 2.000000e+00
  nnet3.add_rows_multi [%a, %b] <3 x 0 of 1> into %c alpha 2.0 : memref<10x4xf32>, memref<10x4xf32> into memref<3x4xf32>
  // CHECK: nnet3.copy_to_rows_multi %[[C]] into [%[[A]], %[[B]]] <9, 0 of 1, 1> : memref<3x4xf32> into memref<10x4xf32>, memref<10x4xf32>
  nnet3.copy_to_rows_multi %c into [%a, %b] <9, 0 of 1, 1> : memref<3x4xf32> into memref<10x4xf32>, memref<10x4xf32>
  // CHECK: nnet3.add_to_rows_multi %[[C]] into [%[[A]], %[[B]]] <9, 9 of 1, _> alpha 2.000000e+00
  nnet3.add_to_rows_multi %c into [%a, %b] <9, 9 of 1, _> alpha 2.0 : memref<3x4xf32> into memref<10x4xf32>, memref<10x4xf32>
  // CHECK: nnet3.add_row_ranges %[[A]] begin <0, 3, _> end <3, 10, _> into %[[C]] : memref<10x4xf32> into memref<3x4xf32>
  nnet3.add_row_ranges %a begin <0, 3, _> end <3, 10, _> into %c : memref<10x4xf32> into memref<3x4xf32>
  // CHECK: nnet3.add_row_ranges %[[A]] begin <0:2> end <8:10> step 4 into %[[C]] alpha 5.000000e-01
  nnet3.add_row_ranges %a begin <0:2> end <8:10> step 4 into %c alpha 0.5 : memref<10x4xf32> into memref<3x4xf32>
}

// No longer for 512 sequences than for 8.
// CHECK-LABEL: nnet3.computation @sequences
nnet3.computation @sequences for @net {
  %a = nnet3.alloc_matrix_zeroed : memref<8192x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<5120x4xf32>
  // CHECK: nnet3.copy_rows %{{.*}} <[512 x +16](3:12)> into
  nnet3.copy_rows %a <[512 x +16](3:12)> into %b : memref<8192x4xf32> into memref<5120x4xf32>
}

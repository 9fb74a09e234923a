// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-convert-addition))' %s | FileCheck %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.linear @linear {input_dim = 4, output_dim = 4}
}

// CHECK-LABEL: nnet3.computation @first
nnet3.computation @first for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %d = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %e = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  // CHECK: matrix_copy %{{.*}} into %{{.*}} alpha 5.000000e-01
  nnet3.matrix_add %a into %b alpha 0.5 : memref<4x4xf32> into memref<4x4xf32>
  // CHECK: copy_rows %{{.*}} <_, 0:2>
  nnet3.add_rows %a <_, 0:2> into %c : memref<4x4xf32> into memref<4x4xf32>
  // CHECK: copy_rows_multi
  nnet3.add_rows_multi [%a, %b] <0:1, 0:1 of 1> into %d : memref<4x4xf32>, memref<4x4xf32> into memref<4x4xf32>
  // CHECK: copy_to_rows_multi
  nnet3.add_to_rows_multi %a into [%e] <0:3> : memref<4x4xf32> into memref<4x4xf32>
}

// What has been written besides zeros stays.
// CHECK-LABEL: nnet3.computation @later
nnet3.computation @later for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  nnet3.matrix_add %a into %b : memref<4x4xf32> into memref<4x4xf32>
  // CHECK: matrix_add
  nnet3.matrix_add %a into %b : memref<4x4xf32> into memref<4x4xf32>
  // CHECK: add_rows
  nnet3.add_rows %a <_, 0:2> into %b : memref<4x4xf32> into memref<4x4xf32>
}

// Other rows or columns of the same matrix do not matter.
// CHECK-LABEL: nnet3.computation @parts
nnet3.computation @parts for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<8x4xf32>
  %b1 = nnet3.sub_matrix %b[0, 0] : memref<8x4xf32> to memref<4x4xf32, strided<[4, 1]>>
  %b2 = nnet3.sub_matrix %b[4, 0] : memref<8x4xf32> to memref<4x4xf32, strided<[4, 1], offset: 16>>
  // CHECK: matrix_copy
  nnet3.matrix_add %a into %b1 : memref<4x4xf32> into memref<4x4xf32, strided<[4, 1]>>
  // CHECK: matrix_copy
  nnet3.matrix_add %a into %b2 : memref<4x4xf32> into memref<4x4xf32, strided<[4, 1], offset: 16>>
}

// Computations with loops stay as they are: rounds may add to what others have
// written.
// CHECK-LABEL: nnet3.computation @loop
nnet3.computation @loop for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  nnet3.loop %round to 2 {
    // CHECK: matrix_add
    nnet3.matrix_add %a into %b : memref<4x4xf32> into memref<4x4xf32>
  }
}

// With a factor there is no copy to rows; a component that adds has written;
// sums of ranges have no copying form.
// CHECK-LABEL: nnet3.computation @kept
nnet3.computation @kept for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %d = nnet3.alloc_matrix_zeroed : memref<2x4xf32>
  // CHECK: add_to_rows_multi
  nnet3.add_to_rows_multi %a into [%b] <0:3> alpha 2.0 : memref<4x4xf32> into memref<4x4xf32>
  nnet3.propagate @net::@linear ins(%a : memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  // CHECK: matrix_add
  nnet3.matrix_add %a into %c : memref<4x4xf32> into memref<4x4xf32>
  // CHECK: add_row_ranges
  nnet3.add_row_ranges %a begin <0, 2> end <2, 4> into %d : memref<4x4xf32> into memref<2x4xf32>
}

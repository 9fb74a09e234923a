// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

nnet3.network @net {}
nnet3.computation @c for @net {
  %a = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<4x5xf32>
  // expected-error @below {{requires the same shape for all operands}}
  nnet3.matrix_copy %a into %b : memref<4x4xf32> into memref<4x5xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %a = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<5x4xf32>
  // expected-error @below {{requires the same shape for all operands}}
  nnet3.matrix_add %a into %b : memref<4x4xf32> into memref<5x4xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %a = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<4x5xf32>
  // expected-error @below {{expects matrices with the same columns, but got 4 and 5}}
  nnet3.copy_rows %a <0:3> into %b : memref<4x4xf32> into memref<4x5xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %a = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  // expected-error @below {{expects a row table with 4 entries, but got 3}}
  nnet3.copy_rows %a <0:2> into %a : memref<4x4xf32> into memref<4x4xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %a = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  // expected-error @below {{row table names row 4 of a matrix with 4 rows}}
  nnet3.add_rows %a <0:4:2> into %b : memref<4x4xf32> into memref<3x4xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %a = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  // expected-error @below {{row table names matrix 1, but there are 1}}
  nnet3.add_rows %a <0, 1, 2 of 1> into %b : memref<4x4xf32> into memref<3x4xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %a = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  // A table as long as the matrix says, but not in memory.
  %b = nnet3.alloc_matrix_zeroed : memref<60000000x4xf32>
  // expected-error @below {{row table names row 4 of a matrix with 4 rows}}
  nnet3.copy_rows %a <60000000 x 4> into %b : memref<4x4xf32> into memref<60000000x4xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %a = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<4x5xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<2x4xf32>
  // expected-error @below {{expects matrices with the same columns, but got 5 and 4}}
  nnet3.copy_rows_multi [%a, %b] <0:1> into %c : memref<4x4xf32>, memref<4x5xf32> into memref<2x4xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %a = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<2x4xf32>
  // expected-error @below {{row table names matrix 2, but there are 2}}
  nnet3.add_rows_multi [%a, %a] <0, 1 of 2> into %c : memref<4x4xf32>, memref<4x4xf32> into memref<2x4xf32>
}

// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

nnet3.network @net {}
nnet3.computation @c for @net {
  %a = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  // expected-error @below {{row 2 of matrix 1 is written twice}}
  nnet3.copy_to_rows_multi %c into [%a, %a] <2, 2 of 1, 2 of 1> : memref<3x4xf32> into memref<4x4xf32>, memref<4x4xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %a = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  // expected-error @below {{row 0 of matrix 0 is written twice}}
  nnet3.add_to_rows_multi %c into [%a] <3 x 0> : memref<3x4xf32> into memref<4x4xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %a = nnet3.alloc_matrix_zeroed : memref<4x5xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  // expected-error @below {{expects matrices with the same columns, but got 4 and 5}}
  nnet3.copy_to_rows_multi %c into [%a] <0:2> : memref<3x4xf32> into memref<4x5xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %a = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  // One entry per row of the source, whatever the targets' rows.
  // expected-error @below {{expects a row table with 3 entries, but got 4}}
  nnet3.add_to_rows_multi %c into [%a] <0:3> : memref<3x4xf32> into memref<4x4xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %a = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<2x4xf32>
  // expected-error @below {{expects row tables with 2 entries, but got 2 and 1}}
  nnet3.add_row_ranges %a begin <0, 1> end <1> into %c : memref<4x4xf32> into memref<2x4xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %a = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<2x5xf32>
  // expected-error @below {{expects matrices with the same columns, but got 4 and 5}}
  nnet3.add_row_ranges %a begin <0, 1> end <1, 2> into %c : memref<4x4xf32> into memref<2x5xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %a = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<2x4xf32>
  // expected-error @below {{expects ranges of rows of the source, but got [1, 5)}}
  nnet3.add_row_ranges %a begin <0, 1> end <1, 5> into %c : memref<4x4xf32> into memref<2x4xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %a = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<2x4xf32>
  // expected-error @below {{expects ranges of rows of the source, but got [1, 1)}}
  nnet3.add_row_ranges %a begin <0, 1> end <1, 1> into %c : memref<4x4xf32> into memref<2x4xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %a = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<2x4xf32>
  // A range with a beginning, but no end.
  // expected-error @below {{expects ranges of rows of the source, but got [1, -1)}}
  nnet3.add_row_ranges %a begin <0, 1> end <1, _> into %c : memref<4x4xf32> into memref<2x4xf32>
}

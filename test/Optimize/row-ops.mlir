// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-snip-row-ops))' %s | FileCheck %s --check-prefix=SNIP
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-split-row-ops))' %s | FileCheck %s --check-prefix=SPLIT
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-replace-row-ops))' %s | FileCheck %s --check-prefix=REPLACE

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  %y = nnet3.input_node "y" : !nnet3.rows<4>
}

// SNIP-LABEL: nnet3.computation @blanks
nnet3.computation @blanks for @net {
  %a = nnet3.accept_input "x" : memref<6x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<6x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  // SNIP: %[[V:.*]] = nnet3.sub_matrix %{{.*}}[1, 0]
  // SNIP: add_rows %{{.*}} <3, _, 1> into %[[V]]
  nnet3.add_rows %a <_, 3, _, 1, 2 x _> into %b : memref<6x4xf32> into memref<6x4xf32>
  // The zeros of a copy are written.
  // SNIP: copy_rows %{{.*}} <_, 3, _, 1, 2 x _>
  nnet3.copy_rows %a <_, 3, _, 1, 2 x _> into %b : memref<6x4xf32> into memref<6x4xf32>
  // The rows of the source are cut where the table names those of the target.
  // SNIP: %[[S:.*]] = nnet3.sub_matrix %{{.*}}[2, 0]
  // SNIP: add_to_rows_multi %[[S]] into [%{{.*}}, %{{.*}}] <0, 1 of 1>
  nnet3.add_to_rows_multi %a into [%b, %c] <2 x _, 0, 1 of 1, 2 x _> : memref<6x4xf32> into memref<6x4xf32>, memref<3x4xf32>
  // SNIP: %[[R:.*]] = nnet3.sub_matrix %{{.*}}[1, 0]
  // SNIP: add_row_ranges %{{.*}} begin <0, 3> end <3, 6> into %[[R]]
  nnet3.add_row_ranges %a begin <_, 0, 3> end <_, 3, 6> into %c : memref<6x4xf32> into memref<3x4xf32>
}

// SPLIT-LABEL: nnet3.computation @several
// REPLACE-LABEL: nnet3.computation @several
nnet3.computation @several for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.accept_input "y" : memref<4x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  // SPLIT: %[[C0:.*]] = nnet3.sub_matrix %[[C:.*]][0, 0]
  // SPLIT: %[[A:.*]] = nnet3.sub_matrix %{{.*}}[1, 0]
  // SPLIT: matrix_add %[[A]] into %[[C0]] alpha 2.0
  // SPLIT: add_rows %{{.*}} <1, 0> into
  // REPLACE: add_rows_multi
  nnet3.add_rows_multi [%a, %b] <1:2, 3 of 1, 2 of 1> into %c alpha 2.0 : memref<4x4xf32>, memref<4x4xf32> into memref<4x4xf32>
  // Three changes of the matrix.
  // SPLIT: copy_rows_multi
  nnet3.copy_rows_multi [%a, %b] <0, 1 of 1, 2, 3 of 1> into %c : memref<4x4xf32>, memref<4x4xf32> into memref<4x4xf32>
  // Where rows are read does not matter.
  // SPLIT: add_rows %{{.*}} <0, 3 x 8>
  %d = nnet3.alloc_matrix_zeroed : memref<12x4xf32>
  nnet3.add_rows_multi [%d] <0, 3 x 8> into %c : memref<12x4xf32> into memref<4x4xf32>
}

// SPLIT-LABEL: nnet3.computation @targets
nnet3.computation @targets for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  // SPLIT: matrix_copy
  // SPLIT: matrix_copy
  nnet3.copy_to_rows_multi %a into [%b, %c] <0:1, 0:1 of 1> : memref<4x4xf32> into memref<4x4xf32>, memref<4x4xf32>
  // Inverted: row 0 of the part gets row 1 of the source's.
  // SPLIT: add_rows %{{.*}} <1:0:-1>
  // SPLIT: matrix_add
  nnet3.add_to_rows_multi %a into [%b, %c] <3, 2, 0:1 of 1> : memref<4x4xf32> into memref<4x4xf32>, memref<4x4xf32>
  // Half of the rows of a matrix; with fewer the inverted command would not pay.
  // SPLIT: add_rows %{{.*}} <1, _, _, 3, _, 2, _, 0>
  // SPLIT: add_to_rows_multi
  %d = nnet3.alloc_matrix_zeroed : memref<8x4xf32>
  %e = nnet3.alloc_matrix_zeroed : memref<9x4xf32>
  nnet3.add_to_rows_multi %a into [%d] <7, 0, 5, 3> : memref<4x4xf32> into memref<8x4xf32>
  nnet3.add_to_rows_multi %a into [%e] <7, 0, 5, 3> : memref<4x4xf32> into memref<9x4xf32>
  // An inverted copy would clear rows.
  // SPLIT: copy_to_rows_multi
  nnet3.copy_to_rows_multi %a into [%b, %c] <3, 2, 0:1 of 1> : memref<4x4xf32> into memref<4x4xf32>, memref<4x4xf32>
}

// REPLACE-LABEL: nnet3.computation @consecutive
nnet3.computation @consecutive for @net {
  %a = nnet3.accept_input "x" : memref<9x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<6x4xf32>
  // REPLACE: %[[B:.*]] = nnet3.sub_matrix %{{.*}}[1, 0]
  // REPLACE: %[[A:.*]] = nnet3.sub_matrix %{{.*}}[4, 0]
  // REPLACE: matrix_copy %[[A]] into %[[B]] : memref<4x4xf32
  nnet3.copy_rows %a <_, 4:7, _> into %b : memref<9x4xf32> into memref<6x4xf32>
  // Sequences innermost, moved on by a frame: consecutive, though written as a
  // loop.
  // REPLACE: matrix_add
  nnet3.add_rows %a <[2 x +3](3, 4, 5)> into %b : memref<9x4xf32> into memref<6x4xf32>
  // REPLACE: add_rows %{{.*}} <0:5, 7>
  %c = nnet3.alloc_matrix_zeroed : memref<7x4xf32>
  nnet3.add_rows %a <0:5, 7> into %c : memref<9x4xf32> into memref<7x4xf32>
  // REPLACE: copy_rows %{{.*}} <0, _, 1:4>
  nnet3.copy_rows %a <0, _, 1:4> into %b : memref<9x4xf32> into memref<6x4xf32>
}

// Copies and additions.
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-check-computation))' --verify-diagnostics -split-input-file %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-error@+1 {{copies a matrix to itself}}
  nnet3.matrix_copy %a into %a : memref<4x4xf32> into memref<4x4xf32>
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %a1 = nnet3.sub_matrix %a[0, 0] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  %a2 = nnet3.sub_matrix %a[1, 0] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 4>>
  // expected-error@+1 {{expects a source and a destination that do not overlap}}
  nnet3.matrix_copy %a1 into %a2 alpha 2.0 : memref<2x4xf32, strided<[4, 1]>> into memref<2x4xf32, strided<[4, 1], offset: 4>>
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-error@+1 {{expects a source and a destination that do not overlap}}
  nnet3.matrix_add %a into %a : memref<4x4xf32> into memref<4x4xf32>
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-error@+1 {{expects a source and a destination that do not overlap}}
  nnet3.copy_rows %a <3:0:-1> into %a : memref<4x4xf32> into memref<4x4xf32>
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-error@+1 {{expects a source and a destination that do not overlap}}
  nnet3.add_rows_multi [%b, %a] <0:1, 0:1 of 1> into %a : memref<4x4xf32>, memref<4x4xf32> into memref<4x4xf32>
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.accept_input "x" : memref<4x4xf32>
  // expected-error@+1 {{expects a source and a destination that do not overlap}}
  nnet3.copy_to_rows_multi %a into [%b, %a] <0:1, 0:1 of 1> : memref<4x4xf32> into memref<4x4xf32>, memref<4x4xf32>
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %b1 = nnet3.sub_matrix %b[0, 0] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  %b2 = nnet3.sub_matrix %b[1, 0] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 4>>
  // expected-error@+1 {{row 0 of matrix 1 is written twice, through another view}}
  nnet3.add_to_rows_multi %a into [%b1, %b2] <0:1, 0:1 of 1> : memref<4x4xf32> into memref<2x4xf32, strided<[4, 1]>>, memref<2x4xf32, strided<[4, 1], offset: 4>>
  nnet3.provide_output "y", %b : memref<4x4xf32>
}

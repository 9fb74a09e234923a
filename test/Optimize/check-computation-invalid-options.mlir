// The options.
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-check-computation{check-rewrite=true check-unused-variables=false}))' --verify-diagnostics -split-input-file %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  // expected-note@+1 {{read here}}
  nnet3.matrix_copy %a into %b : memref<4x4xf32> into memref<4x4xf32>
  // expected-error@+1 {{writes m0, which has been read}}
  nnet3.matrix_add %b into %a : memref<4x4xf32> into memref<4x4xf32>
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// -----

// Nothing to complain about: half of %b is not used.
nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  %b1 = nnet3.sub_matrix %b[0, 0] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1]>>
  nnet3.copy_rows %a <0:1> into %b1 : memref<4x4xf32> into memref<2x4xf32, strided<[4, 1]>>
  %c = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  nnet3.copy_rows %b1 <0:1, 0:1> into %c : memref<2x4xf32, strided<[4, 1]>> into memref<4x4xf32>
  nnet3.provide_output "y", %c : memref<4x4xf32>
}

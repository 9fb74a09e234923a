// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

// Storage is given back, moved and compressed whole.

nnet3.network @net {}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %v = nnet3.sub_matrix %m[0, 0] : memref<4x4xf32> to memref<2x4xf32>
  // expected-error @below {{expects a whole matrix, but got a sub-matrix}}
  nnet3.dealloc_matrix %v : memref<2x4xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %v = nnet3.sub_matrix %m[0, 0] : memref<4x4xf32> to memref<2x4xf32>
  // expected-error @below {{expects a whole matrix, but got a sub-matrix}}
  %n = nnet3.move_matrix %v : memref<2x4xf32>
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %v = nnet3.sub_matrix %m[0, 0] : memref<4x4xf32> to memref<2x4xf32>
  // expected-error @below {{expects a whole matrix, but got a sub-matrix}}
  nnet3.provide_output "output", %v : memref<2x4xf32>
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
}
nnet3.computation @c for @net {
  // expected-error @below {{expects a whole matrix, but got 'memref<4x4xf32, strided<[8, 1]>>'}}
  %m = nnet3.accept_input "input" : memref<4x4xf32, strided<[8, 1]>>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %v = nnet3.sub_matrix %m[0, 0] : memref<4x4xf32> to memref<2x4xf32>
  // expected-error @below {{expects a whole matrix, but got a sub-matrix}}
  %n = nnet3.compress_matrix %v range 0.0 : memref<2x4xf32> -> !nnet3.compressed<2x4xui8>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  // expected-error @below {{expects matrices of the same shape, but got 'memref<4x4xf32>' and '!nnet3.compressed<2x4xui8>'}}
  %n = nnet3.compress_matrix %m range 0.0 : memref<4x4xf32> -> !nnet3.compressed<2x4xui8>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  // expected-error @below {{expects a range that is not negative, but got -1.000000e+00}}
  %n = nnet3.compress_matrix %m range -1.0 : memref<4x4xf32> -> !nnet3.compressed<4x4xui8>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %n = nnet3.compress_matrix %m range 0.0 : memref<4x4xf32> -> !nnet3.compressed<4x4xui8>
  // expected-error @below {{expects matrices of the same shape, but got 'memref<4x5xf32>' and '!nnet3.compressed<4x4xui8>'}}
  %o = nnet3.decompress_matrix %n : !nnet3.compressed<4x4xui8> -> memref<4x5xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %n = nnet3.compress_matrix %m range 0.0 : memref<4x4xf32> -> !nnet3.compressed<4x4xui8>
  // expected-error @below {{expects a whole matrix, but got 'memref<4x4xf32, strided<[8, 1]>>'}}
  %o = nnet3.decompress_matrix %n : !nnet3.compressed<4x4xui8> -> memref<4x4xf32, strided<[8, 1]>>
}

// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

nnet3.network @net {}
nnet3.computation @c for @net {
  // expected-error @below {{must be two-dimensional f32 memref of static shape with a stride from row to row, but got 'memref<?x4xf32>'}}
  %m = nnet3.alloc_matrix_zeroed : memref<?x4xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  // expected-error @below {{expected builtin.memref, but found 'memref<*xf32>'}}
  %m = nnet3.alloc_matrix_zeroed : memref<*xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  // expected-error @below {{must be two-dimensional f32 memref}}
  %m = nnet3.alloc_matrix_zeroed : memref<4xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  // expected-error @below {{must be two-dimensional f32 memref}}
  %m = nnet3.alloc_matrix_undefined : memref<4x4xf64>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  // expected-error @below {{must be two-dimensional f32 memref}}
  %m = nnet3.alloc_matrix_undefined : memref<0x4xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  // expected-error @below {{must be two-dimensional f32 memref}}
  %m = nnet3.alloc_matrix_undefined : memref<4294967296x4294967296xf32>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  // expected-error @below {{must be two-dimensional f32 memref}}
  %m = nnet3.alloc_matrix_undefined : memref<4x4xf32, affine_map<(d0, d1) -> (d1 floordiv 2, d0, d1)>>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  // expected-error @below {{must be two-dimensional f32 memref}}
  %m = nnet3.alloc_matrix_undefined : memref<4x4xf32, 3>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  // expected-error @below {{expects a whole matrix, but got 'memref<4x4xf32, strided<[8, 1]>>'}}
  %m = nnet3.alloc_matrix_zeroed : memref<4x4xf32, strided<[8, 1]>>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  // expected-error @below {{expects a whole matrix, but got 'memref<4x4xf32, strided<[8, 1]>>'}}
  %m = nnet3.alloc_matrix_undefined : memref<4x4xf32, strided<[8, 1]>>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  // The source has no columns left of its first.
  // expected-error @below {{a 2x2 view at [1, -1] is outside the source's 4x4}}
  %v = nnet3.sub_matrix %m[1, -1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1], offset: 3>>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  // expected-error @below {{a 2x2 view at [9223372036854775807, 0] is outside the source's 4x4}}
  %v = nnet3.sub_matrix %m[9223372036854775807, 0] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1]>>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  // expected-error @below {{expects a result with the source's strides and offset 5, but got 'memref<2x2xf32, strided<[4, 1], offset: 4>>'}}
  %v = nnet3.sub_matrix %m[1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1], offset: 4>>
}

// -----

nnet3.network @net {}
nnet3.computation @c for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  // expected-error @below {{expects a result with the source's strides and offset 0, but got 'memref<2x2xf32>'}}
  %v = nnet3.sub_matrix %m[0, 0] : memref<4x4xf32> to memref<2x2xf32>
}

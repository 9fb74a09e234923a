// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

nnet3.network @net {
  nnet3.affine @affine {input_dim = 4, output_dim = 2}
  nnet3.log_softmax @softmax {dim = 2}
  nnet3.no_op @noop {dim = 2}
  nnet3.rectified_linear @blocks {block_dim = 1, dim = 2}
}
nnet3.computation @c for @net {
  %x = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  %y = nnet3.alloc_matrix_zeroed : memref<3x2xf32>
  // expected-error @below {{refers to an undefined component @net::@relu}}
  nnet3.propagate @net::@relu ins(%y : memref<3x2xf32>) outs(%y : memref<3x2xf32>)
}

// -----

nnet3.network @net {
  nnet3.affine @affine {input_dim = 4, output_dim = 2}
  nnet3.log_softmax @softmax {dim = 2}
  nnet3.no_op @noop {dim = 2}
  nnet3.rectified_linear @blocks {block_dim = 1, dim = 2}
}
nnet3.computation @c for @net {
  %x = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  %y = nnet3.alloc_matrix_zeroed : memref<3x2xf32>
  // expected-error @below {{refers to an undefined component @net}}
  nnet3.propagate @net outs(%y : memref<3x2xf32>)
}

// -----

nnet3.network @net {
  nnet3.affine @affine {input_dim = 4, output_dim = 2}
  nnet3.log_softmax @softmax {dim = 2}
  nnet3.no_op @noop {dim = 2}
  nnet3.rectified_linear @blocks {block_dim = 1, dim = 2}
}
nnet3.network @other {
  nnet3.no_op @noop {dim = 2}
}
nnet3.computation @c for @net {
  %x = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  %y = nnet3.alloc_matrix_zeroed : memref<3x2xf32>
  // expected-error @below {{expects a component of @net, but got @other::@noop}}
  nnet3.propagate @other::@noop ins(%y : memref<3x2xf32>) outs(%y : memref<3x2xf32>)
}

// -----

nnet3.network @net {
  nnet3.affine @affine {input_dim = 4, output_dim = 2}
  nnet3.log_softmax @softmax {dim = 2}
  nnet3.no_op @noop {dim = 2}
  nnet3.rectified_linear @blocks {block_dim = 1, dim = 2}
}
nnet3.computation @c for @net {
  %x = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  %y = nnet3.alloc_matrix_zeroed : memref<3x2xf32>
  // expected-error @below {{expects an input with 4 columns, but got 2}}
  nnet3.propagate @net::@affine ins(%y : memref<3x2xf32>) outs(%y : memref<3x2xf32>)
}

// -----

nnet3.network @net {
  nnet3.affine @affine {input_dim = 4, output_dim = 2}
  nnet3.log_softmax @softmax {dim = 2}
  nnet3.no_op @noop {dim = 2}
  nnet3.rectified_linear @blocks {block_dim = 1, dim = 2}
}
nnet3.computation @c for @net {
  %x = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  %y = nnet3.alloc_matrix_zeroed : memref<3x2xf32>
  // expected-error @below {{expects an output with 2 columns, but got 4}}
  nnet3.propagate @net::@affine ins(%x : memref<3x4xf32>) outs(%x : memref<3x4xf32>)
}

// -----

nnet3.network @net {
  nnet3.affine @affine {input_dim = 4, output_dim = 2}
  nnet3.log_softmax @softmax {dim = 2}
  nnet3.no_op @noop {dim = 2}
  nnet3.rectified_linear @blocks {block_dim = 1, dim = 2}
}
nnet3.computation @c for @net {
  %x = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  %y = nnet3.alloc_matrix_zeroed : memref<3x2xf32>
  %z = nnet3.alloc_matrix_zeroed : memref<2x2xf32>
  // expected-error @below {{expects as many input rows as output rows, but got 3 and 2}}
  nnet3.propagate @net::@affine ins(%x : memref<3x4xf32>) outs(%z : memref<2x2xf32>)
}

// -----

nnet3.network @net {
  nnet3.affine @affine {input_dim = 4, output_dim = 2}
  nnet3.log_softmax @softmax {dim = 2}
  nnet3.no_op @noop {dim = 2}
  nnet3.rectified_linear @blocks {block_dim = 1, dim = 2}
}
nnet3.computation @c for @net {
  %x = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  %y = nnet3.alloc_matrix_zeroed : memref<3x2xf32>
  %z = nnet3.sub_matrix %x[0, 0] : memref<3x4xf32> to memref<3x2xf32, strided<[4, 1]>>
  // expected-error @below {{expects an input whose rows are adjacent, but got 'memref<3x2xf32, strided<[4, 1]>>'}}
  nnet3.propagate @net::@blocks ins(%z : memref<3x2xf32, strided<[4, 1]>>) outs(%y : memref<3x2xf32>)
}

// -----

nnet3.network @net {
  nnet3.affine @affine {input_dim = 4, output_dim = 2}
  nnet3.log_softmax @softmax {dim = 2}
  nnet3.no_op @noop {dim = 2}
  nnet3.rectified_linear @blocks {block_dim = 1, dim = 2}
}
nnet3.computation @c for @net {
  %x = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  %y = nnet3.alloc_matrix_zeroed : memref<3x2xf32>
  // expected-error @below {{component does not propagate in place}}
  nnet3.propagate @net::@softmax ins(%y : memref<3x2xf32>) outs(%y : memref<3x2xf32>)
}

// -----

nnet3.network @net {
  nnet3.affine @affine {input_dim = 4, output_dim = 2}
  nnet3.log_softmax @softmax {dim = 2}
  nnet3.no_op @noop {dim = 2}
  nnet3.rectified_linear @blocks {block_dim = 1, dim = 2}
}
nnet3.computation @c for @net {
  %x = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  %y = nnet3.alloc_matrix_zeroed : memref<3x2xf32>
  // expected-error @below {{component has no memo}}
  %memo = nnet3.propagate @net::@noop ins(%y : memref<3x2xf32>) outs(%y : memref<3x2xf32>) -> !nnet3.memo
}

// -----

nnet3.network @net {
  nnet3.rectified_linear @relu {dim = 2}
}
nnet3.computation @c for @net {
  %y = nnet3.alloc_matrix_zeroed : memref<3x2xf32>
  // expected-error @below {{expects an input, which the component reads}}
  nnet3.propagate @net::@relu outs(%y : memref<3x2xf32>)
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.tdnn @tdnn {input_dim = 4, output_dim = 4, time_offsets = array<i64: 0>}
}
nnet3.computation @c for @net {
  %a = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  // expected-error@below {{expects an input, which the component reads}}
  nnet3.propagate @net::@tdnn outs(%a : memref<4x4xf32>) precomputed {row_offsets = array<i64: 0>, row_stride = 1}
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

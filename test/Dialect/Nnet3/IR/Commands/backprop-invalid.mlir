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
  // expected-error @below {{component stores no statistics}}
  nnet3.store_stats @net::@noop outs(%y : memref<3x2xf32>)
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
  nnet3.store_stats @net::@softmax outs(%x : memref<3x4xf32>)
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
  // expected-error @below {{refers to an undefined component @net::@relu}}
  nnet3.store_stats @net::@relu outs(%y : memref<3x2xf32>)
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
  // expected-error @below {{refers to an undefined component @net::@relu}}
  nnet3.backprop @net::@relu out_deriv(%y : memref<3x2xf32>) update
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
  // expected-error @below {{component needs its input value}}
  nnet3.backprop @net::@affine out_deriv(%y : memref<3x2xf32>) update
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
  // expected-error @below {{component needs its output value}}
  nnet3.backprop @net::@softmax out_deriv(%y : memref<3x2xf32>) in_deriv(%y : memref<3x2xf32>)
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
  // expected-error @below {{computes nothing: component is not updatable and no input derivative is wanted}}
  nnet3.backprop @net::@noop out_deriv(%y : memref<3x2xf32>)
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
  nnet3.backprop @net::@affine in_value(%x : memref<3x4xf32>) out_deriv(%y : memref<3x2xf32>) in_deriv(%y : memref<3x2xf32>)
}

// -----

nnet3.network @net {
  nnet3.affine @affine {input_dim = 4, output_dim = 2}
  nnet3.log_softmax @softmax {dim = 2}
  nnet3.no_op @noop {dim = 2}
  nnet3.batch_norm @norm {dim = 2}
  nnet3.rectified_linear @blocks {block_dim = 1, dim = 2}
}
nnet3.computation @c for @net {
  %x = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  %y = nnet3.alloc_matrix_zeroed : memref<3x2xf32>
  %memo = nnet3.propagate @net::@norm ins(%y : memref<3x2xf32>) outs(%y : memref<3x2xf32>) -> !nnet3.memo
  // expected-error @below {{component has no memo}}
  nnet3.backprop @net::@noop out_deriv(%y : memref<3x2xf32>) in_deriv(%y : memref<3x2xf32>) memo(%memo : !nnet3.memo)
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
  %z = nnet3.alloc_matrix_zeroed : memref<3x2xf32>
  // expected-error @below {{component does not backpropagate in place}}
  nnet3.backprop @net::@softmax out_value(%y : memref<3x2xf32>) out_deriv(%z : memref<3x2xf32>) in_deriv(%z : memref<3x2xf32>)
}

// -----

nnet3.network @net {
  nnet3.batch_norm @norm {dim = 2}
  nnet3.sigmoid @sigmoid {dim = 2}
}
nnet3.computation @c for @net {
  %y = nnet3.alloc_matrix_zeroed : memref<3x2xf32>
  %memo = nnet3.propagate @net::@norm ins(%y : memref<3x2xf32>) outs(%y : memref<3x2xf32>) -> !nnet3.memo
  // expected-error @below {{component has no memo}}
  nnet3.store_stats @net::@sigmoid ins(%y : memref<3x2xf32>) outs(%y : memref<3x2xf32>) memo(%memo : !nnet3.memo)
}

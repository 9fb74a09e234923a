// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

nnet3.network @net {
  // expected-error @below {{requires attribute 'num_blocks'}}
  nnet3.block_affine @block {input_dim = 6, output_dim = 4}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a num_blocks that divides input_dim 6, but got 4}}
  nnet3.block_affine @block {input_dim = 6, output_dim = 4, num_blocks = 4}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a num_blocks that divides output_dim 4, but got 3}}
  nnet3.block_affine @block {input_dim = 6, output_dim = 4, num_blocks = 3}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects linear_params of type 'tensor<4x3xf32>', but got 'tensor<2x3xf32>'}}
  nnet3.block_affine @block {input_dim = 6, output_dim = 4, num_blocks = 2, linear_params = dense<1.0> : tensor<2x3xf32>}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a num_repeats that divides input_dim 6, but got 4}}
  nnet3.repeated_affine @repeated {input_dim = 6, output_dim = 4, num_repeats = 4}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects linear_params of type 'tensor<2x3xf32>', but got 'tensor<4x3xf32>'}}
  nnet3.repeated_affine @repeated {input_dim = 6, output_dim = 4, num_repeats = 2, linear_params = dense<1.0> : tensor<4x3xf32>}
}

// -----

nnet3.network @net {
  // expected-error @below {{attribute 'num_repeats' failed to satisfy constraint}}
  nnet3.natural_gradient_repeated_affine @repeated {input_dim = 6, output_dim = 4, num_repeats = 0}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects bias_params of type 'tensor<2xf32>', but got 'tensor<4xf32>'}}
  nnet3.natural_gradient_repeated_affine @repeated {input_dim = 6, output_dim = 4, num_repeats = 2, bias_params = dense<1.0> : tensor<4xf32>}
}

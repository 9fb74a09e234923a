// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

nnet3.network @net {
  // expected-error @below {{requires attribute 'dim'}}
  nnet3.no_op @noop
}

// -----

nnet3.network @net {
  // expected-error @below {{expects an input_dim above output_dim 4, but got 4}}
  nnet3.elementwise_product @product {input_dim = 4, output_dim = 4}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects an output_dim that divides input_dim 5, but got 2}}
  nnet3.elementwise_product @product {input_dim = 5, output_dim = 2}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects an output_dim that divides input_dim 5, but got 2}}
  nnet3.sum_block @block {input_dim = 5, output_dim = 2}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects at least one size}}
  nnet3.sum_group @group {sizes = array<i64>}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects positive sizes, but got 0}}
  nnet3.sum_group @group {sizes = array<i64: 2, 0>}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects positive sizes, but got 9223372036854775807}}
  nnet3.sum_group @group {sizes = array<i64: 9223372036854775807, 1>}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects at least one column}}
  nnet3.permute @permute {column_map = array<i64>}
}

// -----

nnet3.network @net {
  // expected-error @below {{column_map is not a permutation of 0 to 2}}
  nnet3.permute @permute {column_map = array<i64: 0, 1, 3>}
}

// -----

nnet3.network @net {
  // expected-error @below {{column_map is not a permutation of 0 to 2}}
  nnet3.permute @permute {column_map = array<i64: 0, 1, 1>}
}

// -----

nnet3.network @net {
  // expected-error @below {{column_map is not a permutation of 0 to 0}}
  nnet3.permute @permute {column_map = array<i64: -1>}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects scales of type 'tensor<2xf32>', but got 'tensor<1x2xf32>'}}
  nnet3.fixed_scale @scale {dim = 2, scales = dense<1.0> : tensor<1x2xf32>}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects bias of type 'tensor<2xf32>', but got 'tensor<3xf32>'}}
  nnet3.fixed_bias @bias {dim = 2, bias = dense<1.0> : tensor<3xf32>}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects scales of type 'tensor<2xf32>', but got 'tensor<3xf32>'}}
  nnet3.per_element_scale @scale {dim = 2, scales = dense<1.0> : tensor<3xf32>}
}

// -----

nnet3.network @net {
  // expected-error @below {{attribute 'rank' failed to satisfy constraint}}
  nnet3.natural_gradient_per_element_scale @scale {dim = 2, rank = -1}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a block_dim that divides dim 4, but got 3}}
  nnet3.per_element_offset @offset {dim = 4, block_dim = 3}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a block_dim that divides dim 4, but got 3}}
  nnet3.scale_and_offset @both {dim = 4, block_dim = 3}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects offsets of type 'tensor<2xf32>', but got 'tensor<4xf32>'}}
  nnet3.scale_and_offset @both {dim = 4, block_dim = 2, offsets = dense<1.0> : tensor<4xf32>}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects an output_dim that divides input_dim 6, but got 4}}
  nnet3.pnorm @pnorm {input_dim = 6, output_dim = 4}
}

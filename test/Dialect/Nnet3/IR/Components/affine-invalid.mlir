// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expects parent op to be one of 'nnet3.network, nnet3.composite'}}
nnet3.affine @affine {input_dim = 3, output_dim = 2}

// -----

nnet3.network @net {
  // expected-error @below {{requires attribute 'output_dim'}}
  nnet3.affine @affine {input_dim = 3}
}

// -----

nnet3.network @net {
  // expected-error @below {{attribute 'input_dim' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  nnet3.affine @affine {input_dim = 0, output_dim = 2}
}

// -----

nnet3.network @net {
  // expected-error @below {{attribute 'output_dim' failed to satisfy constraint}}
  nnet3.natural_gradient_affine @affine {input_dim = 1, output_dim = 2147483648}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects linear_params of type 'tensor<2x3xf32>', but got 'tensor<3x2xf32>'}}
  nnet3.affine @affine {input_dim = 3, output_dim = 2, linear_params = dense<1.0> : tensor<3x2xf32>}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects bias_params of type 'tensor<2xf32>', but got 'vector<2xf32>'}}
  nnet3.natural_gradient_affine @affine {input_dim = 3, output_dim = 2, bias_params = dense<1.0> : vector<2xf32>}
}

// -----

nnet3.network @net {
  // expected-error @below {{attribute 'params' failed to satisfy constraint: float32 elements attribute}}
  nnet3.linear @linear {input_dim = 3, output_dim = 2, params = dense<1.0> : tensor<2x3xf64>}
}

// -----

nnet3.network @net {
  // expected-error @below {{attribute 'update_period' failed to satisfy constraint}}
  nnet3.linear @linear {input_dim = 3, output_dim = 2, update_period = 0}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects linear_params of type 'tensor<2x3xf32>', but got 'tensor<6xf32>'}}
  nnet3.fixed_affine @affine {input_dim = 3, output_dim = 2, linear_params = dense<1.0> : tensor<6xf32>}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a name that config files can hold, but got 'a b'}}
  nnet3.affine @"a b" {input_dim = 3, output_dim = 2}
}

// -----

nnet3.network @net {
  // expected-note @below {{see existing symbol definition here}}
  nnet3.affine @a {input_dim = 3, output_dim = 2}
  // expected-error @below {{redefinition of symbol named 'a'}}
  nnet3.affine @a {input_dim = 3, output_dim = 2}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects at most 536870912 elements in linear_params, but its shape is 100000x100000}}
  nnet3.affine @affine {input_dim = 100000, output_dim = 100000}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects at most 536870912 elements in params, but its shape is 2147483647x2147483647}}
  nnet3.linear @linear {input_dim = 2147483647, output_dim = 2147483647}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects dims up to 2147483647, but got 2147483650}}
  nnet3.lstm_nonlinearity @lstm {cell_dim = 429496730}
}

// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

nnet3.network @net {
  // expected-error @below {{requires attribute 'output_dim'}}
  nnet3.constant @constant
}

// -----

nnet3.network @net {
  // expected-error @below {{expects output of type 'tensor<2xf32>', but got 'tensor<3xf32>'}}
  nnet3.constant @constant {output_dim = 2, output = dense<1.0> : tensor<3xf32>}
}

// -----

nnet3.network @net {
  // expected-error @below {{attribute 'input_dim' failed to satisfy constraint}}
  nnet3.constant_function @constant {input_dim = 0, output_dim = 2}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects output of type 'tensor<2xf32>', but got 'tensor<3xf32>'}}
  nnet3.constant_function @constant {input_dim = 3, output_dim = 2, output = dense<1.0> : tensor<3xf32>}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a dropout_proportion between 0 and 1, but got 1.500000e+00}}
  nnet3.dropout_mask @mask {output_dim = 2, dropout_proportion = 1.5 : f32}
}

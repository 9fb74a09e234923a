// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

nnet3.network @net {
  // expected-error @below {{expects at least one time offset}}
  nnet3.tdnn @tdnn {input_dim = 3, output_dim = 2, time_offsets = array<i64>}
}

// -----

nnet3.network @net {
  // expected-error @below {{time offset -1 is listed twice}}
  nnet3.tdnn @tdnn {input_dim = 3, output_dim = 2, time_offsets = array<i64: -1, 0, -1>}
}

// -----

nnet3.network @net {
  // expected-error @below {{time offset 9223372036854775807 is too large}}
  nnet3.tdnn @tdnn {input_dim = 3, output_dim = 2, time_offsets = array<i64: 9223372036854775807>}
}

// -----

nnet3.network @net {
  // expected-error @below {{time offset -1000001 is too large}}
  nnet3.tdnn @tdnn {input_dim = 3, output_dim = 2, time_offsets = array<i64: -1000001>}
}

// -----

nnet3.network @net {
  // expected-error @below {{has bias_params, but use_bias is false}}
  nnet3.tdnn @tdnn {input_dim = 3, output_dim = 2, time_offsets = array<i64: 0>, use_bias = false, bias_params = dense<1.0> : tensor<2xf32>}
}

// -----

nnet3.network @net {
  // One block of columns per offset.
  // expected-error @below {{expects linear_params of type 'tensor<2x6xf32>', but got 'tensor<2x3xf32>'}}
  nnet3.tdnn @tdnn {input_dim = 3, output_dim = 2, time_offsets = array<i64: -1, 1>, linear_params = dense<1.0> : tensor<2x3xf32>}
}

// -----

nnet3.network @net {
  // expected-error @below {{requires attribute 'time_offsets'}}
  nnet3.tdnn @tdnn {input_dim = 3, output_dim = 2}
}

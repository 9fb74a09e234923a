// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

nnet3.network @net {
  // expected-error @below {{expects params of type 'tensor<3x2xf32>', but got 'tensor<2x3xf32>'}}
  nnet3.lstm_nonlinearity @lstm {cell_dim = 2, params = dense<1.0> : tensor<2x3xf32>}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects self_repair_config of type 'tensor<10xf32>', but got 'tensor<5xf32>'}}
  nnet3.lstm_nonlinearity @lstm {cell_dim = 2, self_repair_config = dense<1.0> : tensor<5xf32>}
}

// -----

nnet3.network @net {
  // expected-error @below {{requires attribute 'cell_dim'}}
  nnet3.lstm_nonlinearity @lstm
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a positive scale, but got 0.000000e+00}}
  nnet3.backprop_truncation @trunc {dim = 2, scale = 0.0 : f32}
}

// -----

nnet3.network @net {
  // expected-error @below {{attribute 'zeroing_interval' failed to satisfy constraint}}
  nnet3.backprop_truncation @trunc {dim = 2, zeroing_interval = 0}
}

// -----

nnet3.network @net {
  // expected-error @below {{attribute 'recurrence_interval' failed to satisfy constraint}}
  nnet3.backprop_truncation @trunc {dim = 2, recurrence_interval = 9223372036854775807}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a clipping_threshold that is not negative, but got -1.000000e+00}}
  nnet3.clip_gradient @clip {dim = 2, clipping_threshold = -1.0 : f32}
}

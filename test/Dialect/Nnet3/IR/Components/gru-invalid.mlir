// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

nnet3.network @net {
  // expected-error @below {{requires attribute 'cell_dim'}}
  nnet3.gru_nonlinearity @gru
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a recurrent_dim up to cell_dim 3, but got 4}}
  nnet3.gru_nonlinearity @gru {cell_dim = 3, recurrent_dim = 4}
}

// -----

nnet3.network @net {
  // expected-error @below {{attribute 'recurrent_dim' failed to satisfy constraint}}
  nnet3.gru_nonlinearity @gru {cell_dim = 3, recurrent_dim = 0}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects w_h of type 'tensor<3x2xf32>', but got 'tensor<3x3xf32>'}}
  nnet3.gru_nonlinearity @gru {cell_dim = 3, recurrent_dim = 2, w_h = dense<1.0> : tensor<3x3xf32>}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects deriv_avg of type 'tensor<3xf32>', but got 'tensor<2xf32>'}}
  nnet3.gru_nonlinearity @gru {cell_dim = 3, deriv_avg = dense<1.0> : tensor<2xf32>}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects w_h of type 'tensor<3xf32>', but got 'tensor<3x3xf32>'}}
  nnet3.output_gru_nonlinearity @opgru {cell_dim = 3, w_h = dense<1.0> : tensor<3x3xf32>}
}

// -----

nnet3.network @net {
  // expected-error @below {{attribute 'update_period' failed to satisfy constraint}}
  nnet3.output_gru_nonlinearity @opgru {cell_dim = 3, update_period = 0}
}

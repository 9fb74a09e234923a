// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

nnet3.network @net {
  // expected-error @below {{expects a block_dim that divides dim 4, but got 3}}
  nnet3.rectified_linear @relu {dim = 4, block_dim = 3}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a block_dim that divides dim 4, but got 8}}
  nnet3.sigmoid @sigmoid {dim = 4, block_dim = 8}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects value_avg of type 'tensor<4xf32>', but got 'tensor<5xf32>'}}
  nnet3.tanh @tanh {dim = 4, value_avg = dense<1.0> : tensor<5xf32>}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects oderiv_rms of type 'tensor<4xf32>', but got 'tensor<1xf32>'}}
  nnet3.softmax @softmax {dim = 4, oderiv_rms = dense<1.0> : tensor<1xf32>}
}

// -----

nnet3.network @net {
  // expected-error @below {{attribute 'dim' failed to satisfy constraint}}
  nnet3.log_softmax @softmax {dim = -4}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a positive target_rms, but got 0.000000e+00}}
  nnet3.normalize @renorm {input_dim = 4, target_rms = 0.0 : f32}
}

// -----

nnet3.network @net {
  // A comparison with NaN must not let it pass.
  // expected-error @below {{expects a positive target_rms, but got nan}}
  nnet3.normalize @renorm {input_dim = 4, target_rms = 0x7FC00000 : f32}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a block_dim that divides input_dim 4, but got 3}}
  nnet3.normalize @renorm {input_dim = 4, block_dim = 3}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a positive epsilon, but got -1.000000e+00}}
  nnet3.batch_norm @norm {dim = 4, epsilon = -1.0 : f32}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a positive target_rms, but got -1.000000e+00}}
  nnet3.batch_norm @norm {dim = 4, target_rms = -1.0 : f32}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a block_dim that divides dim 4, but got 3}}
  nnet3.batch_norm @norm {dim = 4, block_dim = 3}
}

// -----

nnet3.network @net {
  // Statistics are kept per column of a block.
  // expected-error @below {{expects stats_mean of type 'tensor<2xf32>', but got 'tensor<4xf32>'}}
  nnet3.batch_norm @norm {dim = 4, block_dim = 2, stats_mean = dense<1.0> : tensor<4xf32>}
}

// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

nnet3.network @net {
  // expected-error @below {{requires attribute 'num_filters'}}
  nnet3.convolution @conv {input_x_dim = 3, input_y_dim = 4, input_z_dim = 3, filt_x_dim = 2, filt_y_dim = 2, filt_x_step = 1, filt_y_step = 2}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a filt_x_dim up to input_x_dim 3, but got 4}}
  nnet3.convolution @conv {input_x_dim = 3, input_y_dim = 4, input_z_dim = 3, filt_x_dim = 4, filt_y_dim = 2, filt_x_step = 1, filt_y_step = 2, num_filters = 5}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a filt_y_step that divides input_y_dim - filt_y_dim = 2, but got 3}}
  nnet3.convolution @conv {input_x_dim = 3, input_y_dim = 4, input_z_dim = 3, filt_x_dim = 2, filt_y_dim = 2, filt_x_step = 1, filt_y_step = 3, num_filters = 5}
}

// -----

nnet3.network @net {
  // expected-error @below {{attribute 'input_vectorization_order' failed to satisfy constraint: either zyx or yzx}}
  nnet3.convolution @conv {input_x_dim = 3, input_y_dim = 4, input_z_dim = 3, filt_x_dim = 2, filt_y_dim = 2, filt_x_step = 1, filt_y_step = 2, num_filters = 5, input_vectorization_order = "zxy"}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects filter_params of type 'tensor<5x12xf32>', but got 'tensor<5x13xf32>'}}
  nnet3.convolution @conv {input_x_dim = 3, input_y_dim = 4, input_z_dim = 3, filt_x_dim = 2, filt_y_dim = 2, filt_x_step = 1, filt_y_step = 2, num_filters = 5, filter_params = dense<1.0> : tensor<5x13xf32>}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects dims up to 2147483647, but got 9223372036854775807}}
  nnet3.convolution @conv {input_x_dim = 2147483647, input_y_dim = 2147483647, input_z_dim = 2147483647, filt_x_dim = 2, filt_y_dim = 2, filt_x_step = 1, filt_y_step = 1, num_filters = 5}
}

// -----

nnet3.network @net {
  // expected-error @below {{requires attribute 'pool_z_step'}}
  nnet3.maxpooling @pool {input_x_dim = 2, input_y_dim = 2, input_z_dim = 5, pool_x_size = 2, pool_y_size = 1, pool_z_size = 3, pool_x_step = 1, pool_y_step = 1}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a pool_x_size up to input_x_dim 2, but got 3}}
  nnet3.maxpooling @pool {input_x_dim = 2, input_y_dim = 2, input_z_dim = 5, pool_x_size = 3, pool_y_size = 1, pool_z_size = 3, pool_x_step = 1, pool_y_step = 1, pool_z_step = 2}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a pool_z_step that divides input_z_dim - pool_z_size = 3, but got 2}}
  nnet3.maxpooling @pool {input_x_dim = 2, input_y_dim = 2, input_z_dim = 5, pool_x_size = 2, pool_y_size = 1, pool_z_size = 2, pool_x_step = 1, pool_y_step = 1, pool_z_step = 2}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a pool_y_step up to pool_y_size 1, but got 2}}
  nnet3.maxpooling @pool {input_x_dim = 2, input_y_dim = 3, input_z_dim = 5, pool_x_size = 2, pool_y_size = 1, pool_z_size = 3, pool_x_step = 1, pool_y_step = 2, pool_z_step = 2}
}

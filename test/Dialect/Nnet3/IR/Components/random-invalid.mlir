// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

nnet3.network @net {
  // expected-error @below {{expects a dropout_proportion between 0 and 1, but got 1.500000e+00}}
  nnet3.dropout @dropout {dim = 4, dropout_proportion = 1.5 : f32}
}

// -----

nnet3.network @net {
  // expected-error @below {{requires attribute 'dropout_proportion'}}
  nnet3.dropout @dropout {dim = 4}
}

// -----

nnet3.network @net {
  // expected-error @below {{attribute 'time_period' failed to satisfy constraint}}
  nnet3.general_dropout @dropout {dim = 4, time_period = -1}
}

// -----

nnet3.network @net {
  // expected-error @below {{attribute 'specaugment_max_regions' failed to satisfy constraint}}
  nnet3.general_dropout @dropout {dim = 4, specaugment_max_regions = 0}
}

// -----

nnet3.network @net {
  // expected-error @below {{cannot be continuous and have a specaugment_max_proportion}}
  nnet3.general_dropout @dropout {dim = 4, continuous = true, specaugment_max_proportion = 0.5 : f32}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a specaugment_max_proportion between 0 and 1, but got 2.000000e+00}}
  nnet3.general_dropout @dropout {dim = 4, specaugment_max_proportion = 2.0 : f32}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a dropout_proportion between 0 and 1, but got -1.000000e+00}}
  nnet3.general_dropout @dropout {dim = 4, dropout_proportion = -1.0 : f32}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a block_dim that divides dim 4, but got 3}}
  nnet3.general_dropout @dropout {dim = 4, block_dim = 3}
}

// -----

nnet3.network @net {
  // expected-error @below {{attribute 'time_mask_max_frames' failed to satisfy constraint}}
  nnet3.spec_augment_time_mask @mask {dim = 4, time_mask_max_frames = 1}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a zeroed_proportion between 0 and 1, but got nan}}
  nnet3.spec_augment_time_mask @mask {dim = 4, zeroed_proportion = 0x7FC00000 : f32}
}

// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

nnet3.network @net {
  // expected-error @below {{expects an output_dim that divides input_dim 6, but got 4}}
  nnet3.distribute @split {input_dim = 6, output_dim = 4}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects an input_period that divides output_period 3, but got 2}}
  nnet3.statistics_extraction @extraction {input_dim = 4, input_period = 2, output_period = 3}
}

// -----

nnet3.network @net {
  // expected-error @below {{reads 2000000000 rows for one, but at most 16777216 are possible}}
  nnet3.statistics_extraction @extraction {input_dim = 4, output_period = 2000000000}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects an input_dim above 1}}
  nnet3.statistics_pooling @pooling {input_dim = 1, left_context = 1, right_context = 1}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects an odd input_dim for output_stddevs, but got 4}}
  nnet3.statistics_pooling @pooling {input_dim = 4, left_context = 1, right_context = 1, output_stddevs = true}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects an input_period that divides right_context 3, but got 2}}
  nnet3.statistics_pooling @pooling {input_dim = 5, input_period = 2, left_context = 2, right_context = 3}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a variance_floor between 0 and 1, but got 1.0}}
  nnet3.statistics_pooling @pooling {input_dim = 5, left_context = 2, right_context = 3, variance_floor = 1.0 : f32}
}

// -----

nnet3.network @net {
  // expected-error @below {{reads 2147483648 rows for one, but at most 16777216 are possible}}
  nnet3.statistics_pooling @pooling {input_dim = 5, left_context = 0, right_context = 2147483647}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects pairs of a time and a height as offsets, but got 3 numbers}}
  nnet3.time_height_convolution @cnn {num_filters_in = 1, num_filters_out = 1, height_in = 4, height_out = 4, offsets = array<i64: 0, 0, 1>}
}

// -----

nnet3.network @net {
  // expected-error @below {{offset -1000001 is too large}}
  nnet3.time_height_convolution @cnn {num_filters_in = 1, num_filters_out = 1, height_in = 4, height_out = 4, offsets = array<i64: -1000001, 0>}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects different offsets in ascending order, but got (0, 0) after (0, 1)}}
  nnet3.time_height_convolution @cnn {num_filters_in = 1, num_filters_out = 1, height_in = 4, height_out = 4, offsets = array<i64: 0, 1, 0, 0>}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects different required_time_offsets in ascending order, but got 0 after 1}}
  nnet3.time_height_convolution @cnn {num_filters_in = 1, num_filters_out = 1, height_in = 4, height_out = 4, offsets = array<i64: 0, 0, 1, 0>, required_time_offsets = array<i64: 1, 0>}
}

// -----

nnet3.network @net {
  // expected-error @below {{required_time_offsets has 2, which is no time offset}}
  nnet3.time_height_convolution @cnn {num_filters_in = 1, num_filters_out = 1, height_in = 4, height_out = 4, offsets = array<i64: 0, 0, 1, 0>, required_time_offsets = array<i64: 2>}
}

// -----

nnet3.network @net {
  // expected-error @below {{offset (0, 4) is out of range for every height}}
  nnet3.time_height_convolution @cnn {num_filters_in = 1, num_filters_out = 1, height_in = 4, height_out = 4, offsets = array<i64: 0, 0, 0, 4>}
}

// -----

nnet3.network @net {
  // Height 3 would read heights 6 and 7.
  // expected-error @below {{output height 3 has no input at the required time offsets}}
  nnet3.time_height_convolution @cnn {num_filters_in = 1, num_filters_out = 1, height_in = 6, height_out = 4, height_subsample_out = 2, offsets = array<i64: 0, 0, 0, 1>}
}

// -----

nnet3.network @net {
  // expected-error @below {{output height 0 has no input at the required time offsets}}
  nnet3.time_height_convolution @cnn {num_filters_in = 1, num_filters_out = 1, height_in = 4, height_out = 4, offsets = array<i64: 0, 0>, required_time_offsets = array<i64>}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a positive max_memory_mb, but got 0.0}}
  nnet3.time_height_convolution @cnn {num_filters_in = 1, num_filters_out = 1, height_in = 4, height_out = 4, offsets = array<i64: 0, 0>, max_memory_mb = 0.0 : f32}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects linear_params of type 'tensor<2x6xf32>', but got 'tensor<2x3xf32>'}}
  nnet3.time_height_convolution @cnn {num_filters_in = 3, num_filters_out = 2, height_in = 4, height_out = 4, offsets = array<i64: 0, 0, 0, 1>, linear_params = dense<1.0> : tensor<2x3xf32>}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects num_left_inputs and num_right_inputs that are not both 0}}
  nnet3.restricted_attention @attention {key_dim = 2, value_dim = 3, num_left_inputs = 0, num_right_inputs = 0}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects an input dim below 2^31, but got 2147483647 heads of 9}}
  nnet3.restricted_attention @attention {num_heads = 2147483647, key_dim = 2, value_dim = 3, num_left_inputs = 1, num_right_inputs = 0}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects inputs less than 2^31 frames away}}
  nnet3.restricted_attention @attention {key_dim = 2, value_dim = 3, num_left_inputs = 3, num_right_inputs = 0, time_stride = 2147483647}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects num_left_inputs_required up to 1, but got 2}}
  nnet3.restricted_attention @attention {key_dim = 2, value_dim = 3, num_left_inputs = 1, num_right_inputs = 1, num_left_inputs_required = 2}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects num_right_inputs_required up to 1, but got 2}}
  nnet3.restricted_attention @attention {key_dim = 2, value_dim = 3, num_left_inputs = 1, num_right_inputs = 1, num_right_inputs_required = 2}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a key_scale above 0 and up to 1, but got 2.0}}
  nnet3.restricted_attention @attention {key_dim = 2, value_dim = 3, num_left_inputs = 1, num_right_inputs = 1, key_scale = 2.0 : f32}
}

// -----

nnet3.network @net {
  // expected-error @below {{expects 4 numbers as posterior_stats, but got 3}}
  nnet3.restricted_attention @attention {num_heads = 2, key_dim = 2, value_dim = 3, num_left_inputs = 1, num_right_inputs = 0, posterior_stats = array<f64: 1.0, 2.0, 3.0>}
}

// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: nnet3.network @context
nnet3.network @context {
  // CHECK-NEXT: nnet3.distribute @split {input_dim = 6 : i64, output_dim = 2 : i64}
  nnet3.distribute @split {input_dim = 6, output_dim = 2}
  // CHECK-NEXT: nnet3.statistics_extraction @extraction {include_variance = false, input_dim = 4 : i64, input_period = 2 : i64, output_period = 6 : i64}
  nnet3.statistics_extraction @extraction {input_dim = 4, input_period = 2, output_period = 6, include_variance = false}
  // CHECK-NEXT: nnet3.statistics_pooling @pooling {input_dim = 9 : i64, input_period = 6 : i64, left_context = 12 : i64, num_log_count_features = 1 : i64, output_stddevs = true, right_context = 0 : i64, variance_floor = 0.00999999977 : f32}
  nnet3.statistics_pooling @pooling {input_dim = 9, input_period = 6, left_context = 12, right_context = 0, num_log_count_features = 1, output_stddevs = true, variance_floor = 0.01 : f32}
  // CHECK-NEXT: nnet3.time_height_convolution @convolution {height_in = 4 : i64, height_out = 2 : i64, height_subsample_out = 2 : i64, num_filters_in = 1 : i64, num_filters_out = 3 : i64, offsets = array<i64: -1, 0, 0, -1, 0, 1>, required_time_offsets = array<i64: 0>}
  nnet3.time_height_convolution @convolution {num_filters_in = 1, num_filters_out = 3, height_in = 4, height_out = 2, height_subsample_out = 2, offsets = array<i64: -1, 0, 0, -1, 0, 1>, required_time_offsets = array<i64: 0>}
  // CHECK-NEXT: nnet3.restricted_attention @attention {entropy_stats = array<f64: 1.{{.*}}>, key_dim = 2 : i64, key_scale = 5.000000e-01 : f32, num_left_inputs = 1 : i64, num_right_inputs = 0 : i64, output_context = false, posterior_stats = array<f64: {{.*}}>, stats_count = 4.000000e+00 : f64, time_stride = 3 : i64, value_dim = 3 : i64}
  nnet3.restricted_attention @attention {key_dim = 2, value_dim = 3, num_left_inputs = 1, num_right_inputs = 0, time_stride = 3, output_context = false, key_scale = 0.5 : f32, stats_count = 4.0, entropy_stats = array<f64: 1.25>, posterior_stats = array<f64: 3.5, 0.5>}
  // CHECK-NEXT: nnet3.composite @composite attributes {learning_rate = 2.000000e-03 : f32, max_rows_process = 10 : i64} {
  // CHECK-NEXT: nnet3.affine @first {input_dim = 4 : i64, output_dim = 3 : i64}
  // CHECK-NEXT: nnet3.tanh @second {dim = 3 : i64}
  // CHECK-NEXT: }
  nnet3.composite @composite attributes {max_rows_process = 10, learning_rate = 0.002 : f32} {
    nnet3.affine @first {input_dim = 4, output_dim = 3}
    nnet3.tanh @second {dim = 3}
  }
}

// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: nnet3.network @nonlinear
nnet3.network @nonlinear {
  // CHECK-NEXT: nnet3.rectified_linear @relu {block_dim = 2 : i64, count = 8.000000e+00 : f64, deriv_avg = dense<5.000000e-01> : tensor<4xf32>, dim = 4 : i64, value_avg = dense<1.000000e+00> : tensor<4xf32>}
  nnet3.rectified_linear @relu {dim = 4, block_dim = 2, count = 8.0 : f64, value_avg = dense<1.0> : tensor<4xf32>, deriv_avg = dense<0.5> : tensor<4xf32>}
  // CHECK-NEXT: nnet3.sigmoid @sigmoid {dim = 4 : i64, self_repair_scale = 9.99999974E-6 : f32}
  nnet3.sigmoid @sigmoid {dim = 4, self_repair_scale = 1.0e-5 : f32}
  // CHECK-NEXT: nnet3.tanh @tanh {dim = 4 : i64}
  nnet3.tanh @tanh {dim = 4}
  // CHECK-NEXT: nnet3.softmax @softmax {dim = 4 : i64}
  nnet3.softmax @softmax {dim = 4}
  // CHECK-NEXT: nnet3.log_softmax @log_softmax {dim = 4 : i64}
  nnet3.log_softmax @log_softmax {dim = 4}
  // CHECK-NEXT: nnet3.normalize @renorm {add_log_stddev = true, block_dim = 2 : i64, input_dim = 4 : i64}
  nnet3.normalize @renorm {input_dim = 4, block_dim = 2, add_log_stddev = true}
  // CHECK-NEXT: nnet3.batch_norm @norm {block_dim = 2 : i64, count = 3.000000e+00 : f64, dim = 4 : i64, stats_mean = dense<0.000000e+00> : tensor<2xf32>, stats_var = dense<1.000000e+00> : tensor<2xf32>, test_mode = true}
  nnet3.batch_norm @norm {dim = 4, block_dim = 2, test_mode = true, count = 3.0 : f64, stats_mean = dense<0.0> : tensor<2xf32>, stats_var = dense<1.0> : tensor<2xf32>}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  // Two blocks, so two columns more than the input has.
  // CHECK: nnet3.component_node "renorm" @renorm(%{{.*}}) : (!nnet3.rows<4>) -> !nnet3.rows<6>
  %renorm = nnet3.component_node "renorm" @renorm(%in) : (!nnet3.rows<4>) -> !nnet3.rows<6>
}

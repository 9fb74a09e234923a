// RUN: nnet3-opt %s -split-input-file -nnet3-merge-equal-components | FileCheck %s
// RUN: nnet3-opt %s -split-input-file -nnet3-merge-equal-components="inference=true" | FileCheck %s --check-prefix=INFERENCE

// The second layer is the first one, and so is what reads it; the third one has
// another weight, and the fourth another learning rate.
// CHECK-LABEL: @layers
// CHECK-NOT:   @second
// CHECK:       nnet3.affine @fourth
// CHECK:       nnet3.component_node "first" @first
// CHECK-NOT:   "second"
// CHECK:       nnet3.component_node "third" @third
// CHECK:       nnet3.component_node "fourth" @fourth
// CHECK:       %[[TANH:.*]] = nnet3.component_node "first.tanh" @tanh
// CHECK-NOT:   "second.tanh"
// CHECK:       nnet3.append %[[TANH]], %[[TANH]], %third, %fourth
// INFERENCE-LABEL: @layers
// INFERENCE-NOT:   @fourth
// INFERENCE:       nnet3.append %{{.*}}, %{{.*}}, %third, %first
nnet3.network @layers {
  nnet3.affine @first {bias_params = dense<[1.0, 2.0]> : tensor<2xf32>, input_dim = 2, linear_params = dense<[[4.0, 2.0], [2.0, 4.0]]> : tensor<2x2xf32>, output_dim = 2}
  nnet3.affine @second {bias_params = dense<[1.0, 2.0]> : tensor<2xf32>, input_dim = 2, linear_params = dense<[[4.0, 2.0], [2.0, 4.0]]> : tensor<2x2xf32>, output_dim = 2}
  nnet3.affine @third {bias_params = dense<[1.0, 2.0]> : tensor<2xf32>, input_dim = 2, linear_params = dense<[[4.0, 2.0], [2.0, 5.0]]> : tensor<2x2xf32>, output_dim = 2}
  nnet3.affine @fourth {bias_params = dense<[1.0, 2.0]> : tensor<2xf32>, input_dim = 2, learning_rate = 0.5 : f32, linear_params = dense<[[4.0, 2.0], [2.0, 4.0]]> : tensor<2x2xf32>, output_dim = 2}
  nnet3.tanh @tanh {dim = 2}
  %input = nnet3.input_node "input" : !nnet3.rows<2>
  %first = nnet3.component_node "first" @first(%input) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %second = nnet3.component_node "second" @second(%input) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %third = nnet3.component_node "third" @third(%input) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %fourth = nnet3.component_node "fourth" @fourth(%input) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %0 = nnet3.component_node "first.tanh" @tanh(%first) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %1 = nnet3.component_node "second.tanh" @tanh(%second) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %2 = nnet3.append %0, %1, %third, %fourth : (!nnet3.rows<2>, !nnet3.rows<2>, !nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<8>
  nnet3.output_node "output", %2 : !nnet3.rows<8>
}

// -----

// Dropout in training mode draws other numbers in each node.
// CHECK-LABEL: @random
// CHECK: @b
// CHECK: nnet3.component_node "c" @a
nnet3.network @random {
  nnet3.dropout @a {dim = 2, dropout_proportion = 0.5 : f32}
  nnet3.dropout @b {dim = 2, dropout_proportion = 0.5 : f32}
  %input = nnet3.input_node "input" : !nnet3.rows<2>
  %a = nnet3.component_node "a" @a(%input) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %b = nnet3.component_node "b" @b(%input) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %c = nnet3.component_node "c" @a(%input) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %0 = nnet3.append %a, %b, %c : (!nnet3.rows<2>, !nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<6>
  nnet3.output_node "output", %0 : !nnet3.rows<6>
}

// -----

// Batch norm computes with its statistics; those of a rectifier do not count.
// INFERENCE-LABEL: @statistics
// INFERENCE-DAG: @a {
// INFERENCE-DAG: @b {
// INFERENCE-NOT: @d {
// INFERENCE: nnet3.component_node "b" @b
// INFERENCE-NOT: nnet3.component_node "d"
// CHECK-LABEL: @statistics
// CHECK: nnet3.component_node "d" @d
nnet3.network @statistics {
  nnet3.batch_norm @a {count = 1.0 : f64, dim = 2, stats_mean = dense<[1.0, 2.0]> : tensor<2xf32>, stats_var = dense<1.0> : tensor<2xf32>, test_mode = true}
  nnet3.batch_norm @b {count = 1.0 : f64, dim = 2, stats_mean = dense<[1.0, 3.0]> : tensor<2xf32>, stats_var = dense<1.0> : tensor<2xf32>, test_mode = true}
  nnet3.rectified_linear @c {dim = 2}
  nnet3.rectified_linear @d {count = 2.0 : f64, deriv_avg = dense<0.5> : tensor<2xf32>, dim = 2, value_avg = dense<1.0> : tensor<2xf32>}
  %input = nnet3.input_node "input" : !nnet3.rows<2>
  %a = nnet3.component_node "a" @a(%input) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %b = nnet3.component_node "b" @b(%input) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %c = nnet3.component_node "c" @c(%input) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %d = nnet3.component_node "d" @d(%input) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %0 = nnet3.append %a, %b, %c, %d : (!nnet3.rows<2>, !nnet3.rows<2>, !nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<8>
  nnet3.output_node "output", %0 : !nnet3.rows<8>
}

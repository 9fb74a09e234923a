// RUN: nnet3-opt %s -nnet3-apply-svd="name=a bottleneck-dim=1 shrinkage-threshold=1" | FileCheck %s
// RUN: nnet3-opt %s -nnet3-apply-svd="name=a energy-threshold=0.95" 2>&1 | FileCheck %s --check-prefix=ENERGY
// RUN: nnet3-opt %s -nnet3-apply-svd="name=a bottleneck-dim=1 shrinkage-threshold=0.5" 2>&1 \
// RUN: | FileCheck %s --check-prefix=KEPT
// RUN: nnet3-opt %s -nnet3-apply-svd="name=* bottleneck-dim=2" 2>&1 | FileCheck %s --check-prefix=NARROW

// Both nodes that apply the component become two; the bias stays.
// CHECK-NOT: @a {
// CHECK: nnet3.linear @a_a {input_dim = 4 : i64, l2_regularize = 5.000000e-01 : f32
// CHECK-SAME: output_dim = 1
// CHECK-SAME: rank_in = 40 : i64, rank_out = 80
// CHECK: nnet3.natural_gradient_affine @a_b {bias_params = dense<[1.0{{.*}}, 2.0{{.*}}]>
// CHECK-SAME: l2_regularize = 5.000000e-01
// CHECK-SAME: rank_in = 20 : i64, rank_out = 80
// CHECK: %[[A:.*]] = nnet3.component_node "x_a" @a_a(%{{.*}}) : (!nnet3.rows<4>) -> !nnet3.rows<1>
// CHECK: %[[B:.*]] = nnet3.component_node "x_b" @a_b(%[[A]]) : (!nnet3.rows<1>) -> !nnet3.rows<2>
// CHECK: nnet3.append %[[B]], %[[B]]
// CHECK: nnet3.component_node "y_a" @a_a
// CHECK: nnet3.component_node "y_b" @a_b

// The squares of the singular values are 36 and 4; 36 of 40 are too few.
// ENERGY: remark: component 'a' stays as it is: 2 singular values have 1.5 of its parameters
// ENERGY: nnet3.component_node "x" @a

// KEPT: remark: component 'a' stays as it is: 1 singular values have 0.75 of its parameters
// NARROW: warning: component 'a' has a dim of 2 and stays as it is
// NARROW: warning: component 'none' is not affine and stays as it is
nnet3.network @net {
  nnet3.affine @a {bias_params = dense<[1.0, 2.0]> : tensor<2xf32>, input_dim = 4, l2_regularize = 0.5 : f32, linear_params = dense<[[4.0, 2.0, 0.0, 0.0], [2.0, 4.0, 0.0, 0.0]]> : tensor<2x4xf32>, output_dim = 2}
  nnet3.no_op @none {dim = 4}
  %input = nnet3.input_node "input" : !nnet3.rows<4>
  %x = nnet3.component_node "x" @a(%input) : (!nnet3.rows<4>) -> !nnet3.rows<2>
  %0 = nnet3.append %x, %x : (!nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<4>
  %none = nnet3.component_node "none" @none(%0) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %y = nnet3.component_node "y" @a(%none) : (!nnet3.rows<4>) -> !nnet3.rows<2>
  nnet3.output_node "output", %y : !nnet3.rows<2>
}

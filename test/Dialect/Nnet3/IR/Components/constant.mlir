// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: nnet3.network @constants
nnet3.network @constants {
  // CHECK-NEXT: nnet3.constant @constant {output = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, output_dim = 2 : i64}
  nnet3.constant @constant {output_dim = 2, output = dense<[1.0, 2.0]> : tensor<2xf32>}
  // CHECK-NEXT: nnet3.constant_function @fixed {input_dim = 3 : i64, is_updatable = false, output_dim = 2 : i64, use_natural_gradient = false}
  nnet3.constant_function @fixed {input_dim = 3, output_dim = 2, is_updatable = false, use_natural_gradient = false}
  // CHECK-NEXT: nnet3.dropout_mask @mask {continuous = true, dropout_proportion = 2.500000e-01 : f32, output_dim = 2 : i64}
  nnet3.dropout_mask @mask {output_dim = 2, continuous = true, dropout_proportion = 0.25 : f32}
  %a = nnet3.input_node "a" : !nnet3.rows<3>
  // A node without inputs may read itself.
  // CHECK: %[[CONSTANT:.*]] = nnet3.component_node "b" @constant(%[[CONSTANT]]) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %b = nnet3.component_node "b" @constant(%b) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  // CHECK: nnet3.component_node "c" @fixed(%{{.*}}) : (!nnet3.rows<3>) -> !nnet3.rows<2>
  %c = nnet3.component_node "c" @fixed(%a) : (!nnet3.rows<3>) -> !nnet3.rows<2>
}

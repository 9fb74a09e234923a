// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.network(nnet3-fold-batch-norm-ahead))' %s | FileCheck %s

// s = 1 / sqrt(0 + 0.25) = 2, o = -2 (1, -1): the weights 1 2 3 4 become
// 2 4 6 8, the bias 1 becomes 1 + (-2 + 4 - 6 + 8) = 5.
// CHECK-LABEL: nnet3.network @splice
nnet3.network @splice {
  // CHECK-NOT: @norm(
  // CHECK: %[[R:.*]] = nnet3.component_node "relu"
  // CHECK: %[[O:.*]] = nnet3.offset %[[R]], t = 1
  // CHECK: nnet3.append %[[R]], %[[O]]
  // CHECK: nnet3.affine @affine {bias_params = dense_resource<affine.bias_params> : tensor<1xf32>,
  %x = nnet3.input_node "x" : !nnet3.rows<2>
  %r = nnet3.component_node "relu" @relu(%x) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %n = nnet3.component_node "norm" @norm(%r) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %o = nnet3.offset %n, t = 1 : !nnet3.rows<2>
  %s = nnet3.append %n, %o : (!nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<4>
  %a = nnet3.component_node "a" @affine(%s) : (!nnet3.rows<4>) -> !nnet3.rows<1>
  nnet3.output_node "y", %a : !nnet3.rows<1>
  nnet3.rectified_linear @relu {dim = 2}
  nnet3.batch_norm @norm {dim = 2, test_mode = true, epsilon = 0.25 : f32, count = 1.0 : f64, stats_mean = dense<[1.0, -1.0]> : tensor<2xf32>, stats_var = dense<0.0> : tensor<2xf32>}
  nnet3.affine @affine {input_dim = 4, output_dim = 1, linear_params = dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>, bias_params = dense<1.0> : tensor<1xf32>}
}

// Not where a row may be missing, where something else reads it, where two
// nodes have the weights, where there is no bias, nor behind an affine map.
// CHECK-LABEL: nnet3.network @others
nnet3.network @others {
  // CHECK: "n0"
  // CHECK: "n1"
  // CHECK: "n2"
  // CHECK: "n3"
  // CHECK: "n4"
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  %n0 = nnet3.component_node "n0" @norm(%x) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %o = nnet3.offset %n0, t = -1 : !nnet3.rows<1>
  %i = nnet3.if_defined %o : !nnet3.rows<1>
  %a0 = nnet3.component_node "a0" @first(%i) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %n1 = nnet3.component_node "n1" @norm(%a0) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %r1 = nnet3.component_node "r1" @relu(%n1) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %n2 = nnet3.component_node "n2" @norm(%r1) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %a2 = nnet3.component_node "a2" @twice(%n2) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %r2 = nnet3.component_node "r2" @relu(%a2) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %a3 = nnet3.component_node "a3" @twice(%r2) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %r3 = nnet3.component_node "r3" @relu(%a3) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %n3 = nnet3.component_node "n3" @norm(%r3) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %a4 = nnet3.component_node "a4" @linear(%n3) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %r4 = nnet3.component_node "r4" @relu(%a4) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %n4 = nnet3.component_node "n4" @norm(%r4) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %a5 = nnet3.component_node "a5" @second(%n4) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  nnet3.output_node "y", %n4 : !nnet3.rows<1>
  nnet3.output_node "z", %a5 : !nnet3.rows<1>
  nnet3.rectified_linear @relu {dim = 1}
  nnet3.batch_norm @norm {dim = 1, test_mode = true}
  nnet3.linear @linear {input_dim = 1, output_dim = 1, params = dense<1.0> : tensor<1x1xf32>}
  nnet3.affine @first {input_dim = 1, output_dim = 1, linear_params = dense<1.0> : tensor<1x1xf32>, bias_params = dense<1.0> : tensor<1xf32>}
  nnet3.affine @second {input_dim = 1, output_dim = 1, linear_params = dense<1.0> : tensor<1x1xf32>, bias_params = dense<1.0> : tensor<1xf32>}
  nnet3.affine @twice {input_dim = 1, output_dim = 1, linear_params = dense<1.0> : tensor<1x1xf32>, bias_params = dense<1.0> : tensor<1xf32>}
}

// Not where a request gives rows of it.
// CHECK-LABEL: nnet3.network @supplied
nnet3.network @supplied {
  // CHECK: "n"
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  %n = nnet3.component_node "n" @norm(%x) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %a = nnet3.component_node "a" @affine(%n) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  nnet3.output_node "y", %a : !nnet3.rows<1>
  nnet3.batch_norm @norm {dim = 1, test_mode = true}
  nnet3.affine @affine {input_dim = 1, output_dim = 1, linear_params = dense<1.0> : tensor<1x1xf32>, bias_params = dense<1.0> : tensor<1xf32>}
}

nnet3.request @request for @supplied {
  nnet3.request_input "x" <t = 0:1>
  nnet3.request_input "n" <t = 2>
  nnet3.request_output "y" <t = 0:2>
}

// CHECK-DAG: affine.bias_params: "0x040000000000A040"
// CHECK-DAG: affine.linear_params: "0x0400000000000040000080400000C04000000041"

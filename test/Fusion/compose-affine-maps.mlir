// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.network(nnet3-compose-affine-maps))' %s | FileCheck %s
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.network(nnet3-compose-affine-maps{keep-input-maps=true}))' %s | FileCheck --check-prefix=KEEP %s

// (1 2) (1 1; 0 1) = (1 3) at t = 0 and (3 4) (1 1; 0 1) = (3 7) at t = 1, and
// the biases (1 2) give 1 + 2 2 + 3 + 4 2 more, which with 1 is 17. Both read x
// at t = 1, whose weights are 3 + 3.
// KEEP-LABEL: nnet3.network @splice
// KEEP: nnet3.component_node "lda" @lda
// CHECK-LABEL: nnet3.network @splice
nnet3.network @splice {
  // CHECK-NOT: @lda
  // CHECK: %[[X1:.*]] = nnet3.offset %x, t = 1
  // CHECK: %[[X2:.*]] = nnet3.offset %x, t = 2
  // CHECK: %[[IN:.*]] = nnet3.append %x, %[[X1]], %[[X2]]
  // CHECK: nnet3.component_node "a" @affine(%[[IN]]) : (!nnet3.rows<3>) -> !nnet3.rows<1>
  // CHECK: nnet3.affine @affine {{.*}}input_dim = 3
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  %x1 = nnet3.offset %x, t = 1 : !nnet3.rows<1>
  %xs = nnet3.append %x, %x1 : (!nnet3.rows<1>, !nnet3.rows<1>) -> !nnet3.rows<2>
  %l = nnet3.component_node "lda" @lda(%xs) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %l1 = nnet3.offset %l, t = 1 : !nnet3.rows<2>
  %ls = nnet3.append %l, %l1 : (!nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<4>
  %a = nnet3.component_node "a" @affine(%ls) : (!nnet3.rows<4>) -> !nnet3.rows<1>
  nnet3.output_node "y", %a : !nnet3.rows<1>
  nnet3.fixed_affine @lda {input_dim = 2, output_dim = 2, linear_params = dense<[[1.0, 1.0], [0.0, 1.0]]> : tensor<2x2xf32>, bias_params = dense<[1.0, 2.0]> : tensor<2xf32>}
  nnet3.affine @affine {input_dim = 4, output_dim = 1, linear_params = dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>, bias_params = dense<1.0> : tensor<1xf32>}
}

// In front of a recurrence, which keeps its weights, and of a component with
// weights for each time offset.
// CHECK-LABEL: nnet3.network @readers
nnet3.network @readers {
  // CHECK: %[[IN:.*]] = nnet3.append %x, %[[OPT:.*]] :
  // CHECK: nnet3.component_node "w" @w(%[[IN]])
  // CHECK: nnet3.component_node "t" @tdnn(%x)
  // CHECK: nnet3.tdnn @tdnn {{.*}}input_dim = 1
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  %m = nnet3.component_node "m" @map(%x) : (!nnet3.rows<1>) -> !nnet3.rows<2>
  %previous = nnet3.offset %h, t = -1 : !nnet3.rows<1>
  %optional = nnet3.if_defined %previous : !nnet3.rows<1>
  %in = nnet3.append %m, %optional : (!nnet3.rows<2>, !nnet3.rows<1>) -> !nnet3.rows<3>
  %w = nnet3.component_node "w" @w(%in) : (!nnet3.rows<3>) -> !nnet3.rows<1>
  %h = nnet3.component_node "h" @tanh(%w) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %t = nnet3.component_node "t" @tdnn(%m) : (!nnet3.rows<2>) -> !nnet3.rows<1>
  nnet3.output_node "y", %h : !nnet3.rows<1>
  nnet3.output_node "z", %t : !nnet3.rows<1>
  nnet3.tanh @tanh {dim = 1}
  nnet3.linear @map {input_dim = 1, output_dim = 2, params = dense<[[1.0], [2.0]]> : tensor<2x1xf32>}
  nnet3.linear @w {input_dim = 3, output_dim = 1, params = dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>}
  nnet3.tdnn @tdnn {input_dim = 2, output_dim = 1, time_offsets = array<i64: 0, 1>, use_bias = false, linear_params = dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>}
}

// Not where it takes more multiply-adds, where a row may be missing, where
// something else reads it, where the bias has nowhere to go, where there is a
// sum, or where two nodes have the weights.
// CHECK-LABEL: nnet3.network @others
nnet3.network @others {
  // CHECK: "narrow"
  // CHECK: "optional"
  // CHECK: "relu"
  // CHECK: "biased"
  // CHECK: "sum"
  // CHECK: "twice"
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  %n0 = nnet3.component_node "narrow" @narrow(%x) : (!nnet3.rows<4>) -> !nnet3.rows<1>
  %a0 = nnet3.component_node "a0" @wide(%n0) : (!nnet3.rows<1>) -> !nnet3.rows<4>
  %n1 = nnet3.component_node "optional" @l1(%a0) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %i1 = nnet3.if_defined %n1 : !nnet3.rows<4>
  %a1 = nnet3.component_node "a1" @l2(%i1) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %n2 = nnet3.component_node "relu" @relu(%a1) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %n3 = nnet3.component_node "biased" @biased(%n2) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %a3 = nnet3.component_node "a3" @l3(%n3) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %r3 = nnet3.component_node "r3" @relu(%a3) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %s4 = nnet3.sum %x, %r3 : !nnet3.rows<4>
  %n4 = nnet3.component_node "sum" @l4(%s4) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %a4 = nnet3.component_node "a4" @l5(%n4) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %r4 = nnet3.component_node "r4" @relu(%a4) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %n5 = nnet3.component_node "twice" @l6(%r4) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %a5 = nnet3.component_node "a5" @l6(%n5) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "y", %a5 : !nnet3.rows<4>
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.linear @narrow {input_dim = 4, output_dim = 1, params = dense<1.0> : tensor<1x4xf32>}
  nnet3.linear @wide {input_dim = 1, output_dim = 4, params = dense<1.0> : tensor<4x1xf32>}
  nnet3.affine @biased {input_dim = 4, output_dim = 4, linear_params = dense<1.0> : tensor<4x4xf32>, bias_params = dense<1.0> : tensor<4xf32>}
  nnet3.linear @l1 {input_dim = 4, output_dim = 4, params = dense<1.0> : tensor<4x4xf32>}
  nnet3.linear @l2 {input_dim = 4, output_dim = 4, params = dense<1.0> : tensor<4x4xf32>}
  nnet3.linear @l3 {input_dim = 4, output_dim = 4, params = dense<1.0> : tensor<4x4xf32>}
  nnet3.linear @l4 {input_dim = 4, output_dim = 4, params = dense<1.0> : tensor<4x4xf32>}
  nnet3.linear @l5 {input_dim = 4, output_dim = 4, params = dense<1.0> : tensor<4x4xf32>}
  nnet3.linear @l6 {input_dim = 4, output_dim = 4, params = dense<1.0> : tensor<4x4xf32>}
}

// CHECK-DAG: affine.bias_params: "0x0400000000008841"
// CHECK-DAG: affine.linear_params: "0x040000000000803F0000C0400000E040"
// CHECK-DAG: w.params: "0x040000000000A04000004040"
// CHECK-DAG: tdnn.linear_params: "0x040000000000A04000003041"

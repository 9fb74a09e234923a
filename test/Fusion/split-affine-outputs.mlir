// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.network(nnet3-split-affine-outputs))' %s | FileCheck %s

// The recurrence reads column 1 of three; nothing reads column 2, which goes.
// CHECK-LABEL: nnet3.network @recurrence
nnet3.network @recurrence {
  // CHECK: %[[P:.*]] = nnet3.component_node "rp.0" @rp.0(%h) : (!nnet3.rows<2>) -> !nnet3.rows<1>
  // CHECK: %[[R:.*]] = nnet3.component_node "rp.1" @rp.1(%h) : (!nnet3.rows<2>) -> !nnet3.rows<1>
  // CHECK-NOT: @rp(
  // CHECK: nnet3.dim_range_node "r" %[[R]] offset 0 : !nnet3.rows<1> -> !nnet3.rows<1>
  // CHECK: nnet3.dim_range_node "p" %[[P]] offset 0
  // CHECK-NOT: "unread"
  // CHECK: nnet3.affine @rp.0 {{.*}}output_dim = 1
  // CHECK: nnet3.affine @rp.1 {{.*}}output_dim = 1
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  %previous = nnet3.offset %r, t = -1 : !nnet3.rows<1>
  %optional = nnet3.if_defined %previous : !nnet3.rows<1>
  %in = nnet3.append %x, %optional : (!nnet3.rows<1>, !nnet3.rows<1>) -> !nnet3.rows<2>
  %h = nnet3.component_node "h" @tanh(%in) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %rp = nnet3.component_node "rp" @rp(%h) : (!nnet3.rows<2>) -> !nnet3.rows<3>
  %r = nnet3.dim_range_node "r" %rp offset 1 : !nnet3.rows<3> -> !nnet3.rows<1>
  %p = nnet3.dim_range_node "p" %rp offset 0 : !nnet3.rows<3> -> !nnet3.rows<1>
  %unread = nnet3.dim_range_node "unread" %rp offset 2 : !nnet3.rows<3> -> !nnet3.rows<1>
  nnet3.output_node "y", %p : !nnet3.rows<1>
  nnet3.tanh @tanh {dim = 2}
  nnet3.affine @rp {input_dim = 2, output_dim = 3, linear_params = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>, bias_params = dense<[7.0, 8.0, 9.0]> : tensor<3xf32>}
}

// What reads all columns reads both parts.
// CHECK-LABEL: nnet3.network @whole
nnet3.network @whole {
  // CHECK: %[[R:.*]] = nnet3.component_node "rp.0_" @rp.0_(
  // CHECK: %[[P:.*]] = nnet3.component_node "rp.1" @rp.1(
  // CHECK: %[[BOTH:.*]] = nnet3.append %[[R]], %[[P]]
  // CHECK: nnet3.dim_range_node "rp.0" %[[R]]
  // CHECK: nnet3.output_node "y", %[[BOTH]]
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  %previous = nnet3.offset %r, t = -1 : !nnet3.rows<1>
  %optional = nnet3.if_defined %previous : !nnet3.rows<1>
  %in = nnet3.append %x, %optional : (!nnet3.rows<1>, !nnet3.rows<1>) -> !nnet3.rows<2>
  %h = nnet3.component_node "h" @tanh(%in) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %rp = nnet3.component_node "rp" @rp(%h) : (!nnet3.rows<2>) -> !nnet3.rows<3>
  %r = nnet3.dim_range_node "rp.0" %rp offset 0 : !nnet3.rows<3> -> !nnet3.rows<1>
  nnet3.output_node "y", %rp : !nnet3.rows<3>
  nnet3.tanh @tanh {dim = 2}
  nnet3.linear @rp {input_dim = 2, output_dim = 3, params = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>}
}

// Not where the recurrence reads all, where a sum reads it, where there is no
// recurrence, or where the component belongs to two nodes.
// CHECK-LABEL: nnet3.network @others
nnet3.network @others {
  // CHECK: "all"
  // CHECK: "sum"
  // CHECK: "forward"
  // CHECK: "first"
  // CHECK: "second"
  %x = nnet3.input_node "x" : !nnet3.rows<2>
  %p0 = nnet3.offset %all, t = -1 : !nnet3.rows<2>
  %i0 = nnet3.if_defined %p0 : !nnet3.rows<2>
  %s0 = nnet3.sum %x, %i0 : !nnet3.rows<2>
  %all = nnet3.component_node "all" @a(%s0) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %all0 = nnet3.dim_range_node "all0" %all offset 0 : !nnet3.rows<2> -> !nnet3.rows<1>
  %p1 = nnet3.offset %sum0, t = -1 : !nnet3.rows<1>
  %i1 = nnet3.if_defined %p1 : !nnet3.rows<1>
  %s1 = nnet3.append %all0, %i1 : (!nnet3.rows<1>, !nnet3.rows<1>) -> !nnet3.rows<2>
  %sum = nnet3.component_node "sum" @b(%s1) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %sum0 = nnet3.dim_range_node "sum0" %sum offset 0 : !nnet3.rows<2> -> !nnet3.rows<1>
  %s2 = nnet3.sum %x, %sum : !nnet3.rows<2>
  %forward = nnet3.component_node "forward" @c(%s2) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %f0 = nnet3.dim_range_node "f0" %forward offset 0 : !nnet3.rows<2> -> !nnet3.rows<1>
  %f1 = nnet3.dim_range_node "f1" %forward offset 1 : !nnet3.rows<2> -> !nnet3.rows<1>
  %p2 = nnet3.offset %first0, t = -1 : !nnet3.rows<1>
  %i2 = nnet3.if_defined %p2 : !nnet3.rows<1>
  %s3 = nnet3.append %f0, %i2 : (!nnet3.rows<1>, !nnet3.rows<1>) -> !nnet3.rows<2>
  %first = nnet3.component_node "first" @d(%s3) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %first0 = nnet3.dim_range_node "first0" %first offset 0 : !nnet3.rows<2> -> !nnet3.rows<1>
  %second = nnet3.component_node "second" @d(%first) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  nnet3.output_node "y", %second : !nnet3.rows<2>
  nnet3.output_node "z", %f1 : !nnet3.rows<1>
  nnet3.linear @a {input_dim = 2, output_dim = 2, params = dense<1.0> : tensor<2x2xf32>}
  nnet3.linear @b {input_dim = 2, output_dim = 2, params = dense<1.0> : tensor<2x2xf32>}
  nnet3.linear @c {input_dim = 2, output_dim = 2, params = dense<1.0> : tensor<2x2xf32>}
  nnet3.linear @d {input_dim = 2, output_dim = 2, params = dense<1.0> : tensor<2x2xf32>}
}

// CHECK-DAG: rp.0.bias_params: "0x040000000000E040"
// CHECK-DAG: rp.0.linear_params: "0x040000000000803F00000040"
// CHECK-DAG: rp.1.bias_params: "0x0400000000000041"
// CHECK-DAG: rp.1.linear_params: "0x040000000000404000008040"
// CHECK-DAG: rp.0_.params: "0x040000000000803F00000040"
// CHECK-DAG: rp.1.params: "0x0400000000004040000080400000A0400000C040"

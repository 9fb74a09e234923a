// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.network(nnet3-bypass-identities))' %s | FileCheck %s

// Both halves are there where the LSTM's output is, so what optionally reads
// one of them may read it where it is.
// CHECK-LABEL: nnet3.network @lstm
nnet3.network @lstm {
  // CHECK-NOT: @trunc(
  // CHECK: nnet3.offset %c_trunc, t = -1
  // CHECK: nnet3.offset %r_trunc, t = -1
  // CHECK: %c_trunc = nnet3.dim_range_node "c_trunc" %h offset 0
  // CHECK: %r_trunc = nnet3.dim_range_node "r_trunc" %r offset 1
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  %pc = nnet3.offset %c_trunc, t = -1 : !nnet3.rows<2>
  %ic = nnet3.if_defined %pc : !nnet3.rows<2>
  %pr = nnet3.offset %r_trunc, t = -1 : !nnet3.rows<1>
  %ir = nnet3.if_defined %pr : !nnet3.rows<1>
  %in = nnet3.append %x, %ic, %ir : (!nnet3.rows<1>, !nnet3.rows<2>, !nnet3.rows<1>) -> !nnet3.rows<4>
  %h = nnet3.component_node "h" @tanh(%in) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %c = nnet3.dim_range_node "c" %h offset 0 : !nnet3.rows<4> -> !nnet3.rows<2>
  %m = nnet3.dim_range_node "m" %h offset 2 : !nnet3.rows<4> -> !nnet3.rows<2>
  %r = nnet3.component_node "r" @affine(%m) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %cr = nnet3.append %c, %r : (!nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<4>
  %t = nnet3.component_node "t" @trunc(%cr) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %c_trunc = nnet3.dim_range_node "c_trunc" %t offset 0 : !nnet3.rows<4> -> !nnet3.rows<2>
  %r_trunc = nnet3.dim_range_node "r_trunc" %t offset 3 : !nnet3.rows<4> -> !nnet3.rows<1>
  nnet3.output_node "y", %r : !nnet3.rows<2>
  nnet3.tanh @tanh {dim = 4}
  nnet3.affine @affine {input_dim = 2, output_dim = 2}
  nnet3.backprop_truncation @trunc {dim = 4}
}

// CHECK-LABEL: nnet3.network @times
nnet3.network @times {
  // CHECK: %[[NEXT:.*]] = nnet3.offset %x, t = 1
  // CHECK: %[[BACK:.*]] = nnet3.offset %[[NEXT]], t = -3
  // CHECK-NOT: @identity(
  // CHECK: nnet3.output_node "y", %[[BACK]]
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  %next = nnet3.offset %x, t = 1 : !nnet3.rows<1>
  %n = nnet3.component_node "n" @identity(%next) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %back = nnet3.offset %n, t = -3 : !nnet3.rows<1>
  nnet3.output_node "y", %back : !nnet3.rows<1>
  nnet3.no_op @identity {dim = 1}
}

// Not a sum, not where a row would be there that was missing, not what a sum
// reads, not some columns of another time, not what does something, nor what
// reads itself.
// CHECK-LABEL: nnet3.network @others
nnet3.network @others {
  // CHECK: "sum"
  // CHECK: "missing"
  // CHECK: "term"
  // CHECK: "later"
  // CHECK: "scaled"
  // CHECK: "self"
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  %z = nnet3.input_node "z" : !nnet3.rows<1>
  %xz = nnet3.sum %x, %z : !nnet3.rows<1>
  %sum = nnet3.component_node "sum" @identity(%xz) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %two = nnet3.append %x, %z : (!nnet3.rows<1>, !nnet3.rows<1>) -> !nnet3.rows<2>
  %missing = nnet3.component_node "missing" @two(%two) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %first = nnet3.dim_range_node "first" %missing offset 0 : !nnet3.rows<2> -> !nnet3.rows<1>
  %optional = nnet3.if_defined %first : !nnet3.rows<1>
  %term = nnet3.component_node "term" @identity(%x) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %both = nnet3.sum %term, %optional : !nnet3.rows<1>
  %o = nnet3.offset %missing, t = 1 : !nnet3.rows<2>
  %later = nnet3.component_node "later" @two(%o) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %part = nnet3.dim_range_node "part" %later offset 0 : !nnet3.rows<2> -> !nnet3.rows<1>
  %scaled = nnet3.component_node "scaled" @half(%x) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %previous = nnet3.offset %self, t = -1 : !nnet3.rows<1>
  %self = nnet3.component_node "self" @identity(%previous) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  nnet3.output_node "a", %sum : !nnet3.rows<1>
  nnet3.output_node "b", %both : !nnet3.rows<1>
  nnet3.output_node "c", %part : !nnet3.rows<1>
  nnet3.output_node "d", %scaled : !nnet3.rows<1>
  nnet3.no_op @identity {dim = 1}
  nnet3.no_op @two {dim = 2}
  nnet3.backprop_truncation @half {dim = 1, scale = 0.5 : f32}
}

// Not where a request gives rows of it.
// CHECK-LABEL: nnet3.network @supplied
nnet3.network @supplied {
  // CHECK: "n"
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  %n = nnet3.component_node "n" @identity(%x) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  nnet3.output_node "y", %n : !nnet3.rows<1>
  nnet3.no_op @identity {dim = 1}
}

nnet3.request @request for @supplied {
  nnet3.request_input "x" <t = 0>
  nnet3.request_input "n" <t = 1>
  nnet3.request_output "y" <t = 0:1>
}

// A random component draws by the number of commands in front of it.
// CHECK-LABEL: nnet3.network @random
nnet3.network @random {
  // CHECK: "n"
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  %n = nnet3.component_node "n" @identity(%x) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %d = nnet3.component_node "d" @dropout(%n) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  nnet3.output_node "y", %d : !nnet3.rows<1>
  nnet3.no_op @identity {dim = 1}
  nnet3.dropout @dropout {dim = 1, dropout_proportion = 0.5 : f32}
}

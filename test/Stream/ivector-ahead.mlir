// RUN: nnet3-opt %s --nnet3-compile-streaming=chunks=4 | FileCheck %s
// RUN: nnet3-opt %s --nnet3-compile-streaming=chunks=4 --nnet3-compile -o /dev/null

// The frames that an output needs are in the past, but its i-vector is that of
// the frame ahead: a chunk takes one more frame, and the i-vector with it.

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %iv = nnet3.input_node "ivector" : !nnet3.rows<2>
  %past = nnet3.offset %in, t = -2 : !nnet3.rows<4>
  %fixed = nnet3.replace_index %iv, t = 0 : !nnet3.rows<2>
  %all = nnet3.append %past, %fixed : (!nnet3.rows<4>, !nnet3.rows<2>) -> !nnet3.rows<6>
  nnet3.affine @affine {input_dim = 6, output_dim = 3}
  %h = nnet3.component_node "h" @affine(%all) : (!nnet3.rows<6>) -> !nnet3.rows<3>
  %next = nnet3.offset %h, t = 1 : !nnet3.rows<3>
  nnet3.output_node "output", %next : !nnet3.rows<3>
}

// CHECK: nnet3.stream @net_stream for @net left 1 right 1 ivector_period 4 {
// CHECK: nnet3.request @net_first4 for @net {
// CHECK-NEXT: nnet3.request_input "input" <t = -1:4>
// CHECK-NEXT: nnet3.request_input "ivector" <t = -4:4:4>
// CHECK-NEXT: nnet3.request_output "output" <t = 0:3>

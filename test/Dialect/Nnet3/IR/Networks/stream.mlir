// RUN: nnet3-opt %s --verify-roundtrip | FileCheck %s

// The first chunk of three frames would leave no row of h at time -5.

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %iv = nnet3.input_node "ivector" : !nnet3.rows<2>
  nnet3.affine @affine {input_dim = 6, output_dim = 3}
  %latest = nnet3.round %iv, 3 : !nnet3.rows<2>
  %both = nnet3.append %in, %latest : (!nnet3.rows<4>, !nnet3.rows<2>) -> !nnet3.rows<6>
  %h = nnet3.component_node "h" @affine(%both) : (!nnet3.rows<6>) -> !nnet3.rows<3>
  %early = nnet3.offset %h, t = -5 : !nnet3.rows<3>
  nnet3.output_node "output", %early : !nnet3.rows<3>
  nnet3.output_node "h.next", %h : !nnet3.rows<3>
}

// CHECK: nnet3.stream @stream for @net left 5 right 0 ivector_period 3 {
// CHECK-NEXT: nnet3.stream_state "h" <t = -5:-1> to "h.next"
// CHECK-NEXT: nnet3.stream_chunk 3 next @next3
// CHECK-NEXT: nnet3.stream_chunk 6 num_sequences 2 first @first6 next @next6
nnet3.stream @stream for @net left 5 right 0 ivector_period 3 {
  nnet3.stream_state "h" <t = -5:-1> to "h.next"
  nnet3.stream_chunk 3 next @next3
  nnet3.stream_chunk 6 num_sequences 2 first @first6 next @next6
}
nnet3.request @first6 for @net {
  nnet3.request_input "input" <n = 0:1, t = -5:5>
  nnet3.request_input "ivector" <n = 0:1, t = -6:3:3>
  nnet3.request_output "output" <n = 0:1, t = 0:5>
  nnet3.request_output "h.next" <n = 0:1, t = 1:5>
}
nnet3.request @next6 for @net {
  nnet3.request_input "input" <n = 0:1, t = 0:5>
  nnet3.request_input "ivector" <n = 0:1, t = [0, 3]>
  nnet3.request_input "h" <n = 0:1, t = -5:-1>
  nnet3.request_output "output" <n = 0:1, t = 0:5>
  nnet3.request_output "h.next" <n = 0:1, t = 1:5>
}
nnet3.request @next3 for @net {
  nnet3.request_input "input" <t = 0:2>
  nnet3.request_input "ivector" <t = 0>
  nnet3.request_input "h" <t = -5:-1>
  nnet3.request_output "output" <t = 0:2>
  nnet3.request_output "h.next" <t = -2:2>
}

// An i-vector, splicing, a Tdnn with subsampling, and a recurrence.
nnet3.network @net {
  %x = nnet3.input_node "input" : !nnet3.rows<4>
  %iv = nnet3.input_node "ivector" : !nnet3.rows<3>
  %0 = nnet3.offset %x, t = -1 : !nnet3.rows<4>
  %1 = nnet3.offset %x, t = 1 : !nnet3.rows<4>
  %2 = nnet3.replace_index %iv, t = 0 : !nnet3.rows<3>
  %3 = nnet3.append %0, %x, %1, %2 : (!nnet3.rows<4>, !nnet3.rows<4>, !nnet3.rows<4>, !nnet3.rows<3>) -> !nnet3.rows<15>
  nnet3.affine @affine {input_dim = 15, output_dim = 6}
  %a = nnet3.component_node "a" @affine(%3) : (!nnet3.rows<15>) -> !nnet3.rows<6>
  nnet3.tdnn @tdnn {input_dim = 6, output_dim = 5, time_offsets = array<i64: -2, 0, 1>}
  %b = nnet3.component_node "b" @tdnn(%a) : (!nnet3.rows<6>) -> !nnet3.rows<5>
  nnet3.tanh @tanh {dim = 5}
  %4 = nnet3.offset %h, t = -3 : !nnet3.rows<5>
  %5 = nnet3.if_defined %4 : !nnet3.rows<5>
  %6 = nnet3.sum %b, %5 : !nnet3.rows<5>
  %h = nnet3.component_node "h" @tanh(%6) : (!nnet3.rows<5>) -> !nnet3.rows<5>
  nnet3.output_node "output", %h : !nnet3.rows<5>
}

nnet3.request @nt for @net {
  nnet3.request_input "input" <n = 0:7, t = -4:15>
  nnet3.request_input "ivector" <n = 0:7>
  nnet3.request_output "output" <n = 0:7, t = 0:12:3>
}
nnet3.request @tn for @net {
  nnet3.request_input "input" <n = 0:7, t = -4:15, order = tn>
  nnet3.request_input "ivector" <n = 0:7>
  nnet3.request_output "output" <n = 0:7, t = 0:12, order = tn>
}

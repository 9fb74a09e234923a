// A request that the shortcut does not serve is compiled as it is. The remark
// says why.

// RUN: nnet3-opt --nnet3-shortcut-compile %s --verify-diagnostics -o %t.all
// RUN: nnet3-opt --nnet3-compile --nnet3-optimize %s | diff - %t.all

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %ivector = nnet3.input_node "ivector" : !nnet3.rows<2>
  %start = nnet3.replace_index %ivector, t = 0 : !nnet3.rows<2>
  %both = nnet3.append %in, %start : (!nnet3.rows<4>, !nnet3.rows<2>) -> !nnet3.rows<6>
  nnet3.output_node "output", %both : !nnet3.rows<6>
}

// expected-remark @+1 {{request @two is compiled in full: nothing is gained with 2 sequences}}
nnet3.request @two for @net {
  nnet3.request_input "input" <n = 0:1, t = 0:1>
  nnet3.request_input "ivector" <n = 0:1, t = 0>
  nnet3.request_output "output" <n = 0:1, t = 0:1>
}

// expected-remark @+1 {{nothing is gained with 1 sequences}}
nnet3.request @one for @net {
  nnet3.request_input "input" <t = 0:1>
  nnet3.request_input "ivector" <t = 0>
  nnet3.request_output "output" <[(0, 0), (0, 1)]>
}

nnet3.request @offset for @net {
  // expected-remark @+1 {{request @offset is compiled in full: 'input' lists n = 1 where n = 0 is expected}}
  nnet3.request_input "input" <n = 1:4, t = 0:1>
  nnet3.request_input "ivector" <n = 1:4, t = 0>
  nnet3.request_output "output" <n = 1:4, t = 0:1>
}

nnet3.request @order for @net {
  // expected-remark @+1 {{'input' lists n = 2 where n = 1 is expected}}
  nnet3.request_input "input" <n = [0, 2, 1], t = 0:1>
  nnet3.request_input "ivector" <n = [0, 2, 1], t = 0>
  nnet3.request_output "output" <n = [0, 2, 1], t = 0:1>
}

nnet3.request @first for @net {
  // expected-remark @+1 {{'input' begins with n = 2 instead of n = 0}}
  nnet3.request_input "input" <[(2, 0), (0, 0), (1, 1)]>
  nnet3.request_input "ivector" <n = 0:2, t = 0>
  nnet3.request_output "output" <[(2, 0), (0, 0), (1, 1)]>
}

nnet3.request @lengths for @net {
  nnet3.request_input "input" <n = 0:2, t = 0:1>
  nnet3.request_input "ivector" <n = 0:2, t = 0>
  // expected-remark @+1 {{'output' ends with n = 2, but its 5 rows are not as many for each n up to that}}
  nnet3.request_output "output" <[(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]>
}

nnet3.request @times for @net {
  nnet3.request_input "input" <n = 0:2, t = 0:2>
  nnet3.request_input "ivector" <n = 0:2, t = 0>
  // expected-remark @+1 {{'output' has (1, 2) as row 3, where (1, 1) is expected}}
  nnet3.request_output "output" <[(0, 0), (0, 1), (1, 0), (1, 2), (2, 0), (2, 1)]>
}

nnet3.request @block for @net {
  // expected-remark @+1 {{'input' ends in the middle of a block of 6 rows}}
  nnet3.request_input "input" <[(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2),
                                (0, 3), (0, 4), (0, 5), (1, 3)]>
  nnet3.request_input "ivector" <n = 0:1, t = 0>
  nnet3.request_output "output" <n = 0:1, t = 0:1>
}

nnet3.request @numbers for @net {
  nnet3.request_input "input" <n = 0:4, t = 0:1>
  nnet3.request_input "ivector" <n = 0:4, t = 0>
  // expected-remark @+1 {{'output' has 4 sequences, but 'input' has 5}}
  nnet3.request_output "output" <n = 0:3, t = 0:1>
}

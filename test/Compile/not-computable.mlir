// RUN: nnet3-opt %s --nnet3-compile --split-input-file --verify-diagnostics

// The message names an output row, and the input row that it lacks; the note
// the rows in between.

nnet3.network @net {
  // expected-note@+1 {{the rows in between: output(0, 5, 0) <- a(0, 6, 0) <- a_input(0, 6, 0) <- x(0, 8, 0)}}
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  %0 = nnet3.offset %x, t = 2 : !nnet3.rows<1>
  nnet3.tanh @tanh {dim = 1}
  %a = nnet3.component_node "a" @tanh(%0) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %1 = nnet3.offset %a, t = 1 : !nnet3.rows<1>
  nnet3.output_node "output", %1 : !nnet3.rows<1>
}
nnet3.request @request for @net {
  nnet3.request_input "x" <t = 0:7>
  // expected-error@+2 {{output output(0, 5, 0) is not computable: it needs input x(0, 8, 0), which is not supplied}}
  // expected-note@+1 {{1 more are not computable: output(0, 6, 0)}}
  nnet3.request_output "output" <t = 3:6>
}

// -----

// Of one sequence only.
nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  // expected-note@+1 {{the rows in between: output(4, 1, 0) <- ivector(4, 0, 0)}}
  %iv = nnet3.input_node "ivector" : !nnet3.rows<1>
  %0 = nnet3.replace_index %iv, t = 0 : !nnet3.rows<1>
  %1 = nnet3.sum %x, %0 : !nnet3.rows<1>
  nnet3.output_node "output", %1 : !nnet3.rows<1>
}
nnet3.request @request for @net {
  nnet3.request_input "x" <n = [3, 4], t = 0:2>
  nnet3.request_input "ivector" <n = 3>
  // expected-error@+1 {{output output(4, 1, 0) is not computable: it needs input ivector(4, 0, 0), which is not supplied}}
  nnet3.request_output "output" <n = [3, 4], t = 1>
}

// -----

// Of all sequences: the first is named.
nnet3.network @net {
  // expected-note@+1 {{the rows in between: output(3, 0, 1) <- x(3, -1, 1)}}
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  %0 = nnet3.offset %x, t = -1 : !nnet3.rows<1>
  nnet3.output_node "output", %0 : !nnet3.rows<1>
}
nnet3.request @request for @net {
  nnet3.request_input "x" <n = 3:4, t = -1:3>
  // expected-error@+1 {{output output(3, 0, 1) is not computable: it needs input x(3, -1, 1), which is not supplied}}
  nnet3.request_output "output" <n = 3:4, t = 0, x = 1>
}

// -----

// A row that needs itself.
nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  %0 = nnet3.sum %x, %a : !nnet3.rows<1>
  nnet3.tanh @tanh {dim = 1}
  // expected-note@+1 {{the rows in between: output(0, 0, 0) <- a(0, 0, 0) <- a_input(0, 0, 0)}}
  %a = nnet3.component_node "a" @tanh(%0) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  nnet3.output_node "output", %a : !nnet3.rows<1>
}
nnet3.request @request for @net {
  nnet3.request_input "x" <t = 0>
  // expected-error@+1 {{output output(0, 0, 0) is not computable: it is part of a dependency cycle with no delay}}
  nnet3.request_output "output" <t = 0>
}

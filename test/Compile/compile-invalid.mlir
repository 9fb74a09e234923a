// RUN: nnet3-opt %s --nnet3-compile --split-input-file --verify-diagnostics

// Rows that are optional for each other: all are computable, none is first.
nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  %0 = nnet3.offset %a, t = -1 : !nnet3.rows<1>
  %1 = nnet3.if_defined %0 : !nnet3.rows<1>
  %2 = nnet3.offset %a, t = 1 : !nnet3.rows<1>
  %3 = nnet3.if_defined %2 : !nnet3.rows<1>
  %4 = nnet3.sum %x, %1, %3 : !nnet3.rows<1>
  nnet3.tanh @tanh {dim = 1}
  // expected-note@+1 {{node 'a'}}
  %a = nnet3.component_node "a" @tanh(%4) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  nnet3.output_node "output", %a : !nnet3.rows<1>
}
// expected-error@+1 {{recurrence cannot be computed: rows of these nodes depend on each other}}
nnet3.request @request for @net {
  nnet3.request_input "x" <t = 0:2>
  nnet3.request_output "output" <t = 1>
}

// -----

// A recurrence that needs no input.
nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  %0 = nnet3.offset %a, t = -1 : !nnet3.rows<1>
  %1 = nnet3.if_defined %0 : !nnet3.rows<1>
  nnet3.tanh @tanh {dim = 1}
  %a = nnet3.component_node "a" @tanh(%1) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  nnet3.output_node "output", %a : !nnet3.rows<1>
}
// expected-error@+1 {{the outputs depend on rows more than 10000 steps away; the recurrence does not end}}
nnet3.request @request for @net {
  nnet3.request_input "x" <t = 0:2>
  nnet3.request_output "output" <t = 1>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  // expected-error@+1 {{Sum cannot be an argument of Switch with several arguments}}
  %0 = nnet3.sum %x, %x : !nnet3.rows<1>
  %1 = nnet3.switch %0, %x : !nnet3.rows<1>
  nnet3.output_node "output", %1 : !nnet3.rows<1>
}
nnet3.request @request for @net {
  nnet3.request_input "x" <t = 0>
  nnet3.request_output "output" <t = 0>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  // expected-note@+1 {{first scaled here}}
  %0 = nnet3.scale 2.0, %x : !nnet3.rows<1>
  // expected-error@+1 {{node 'x' has two different scales in one part of a descriptor, 2 and 1}}
  %1 = nnet3.offset %x, t = 1 : !nnet3.rows<1>
  %2 = nnet3.sum %0, %1 : !nnet3.rows<1>
  nnet3.output_node "output", %2 : !nnet3.rows<1>
}
nnet3.request @request for @net {
  nnet3.request_input "x" <t = 0:1>
  nnet3.request_output "output" <t = 0>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  // expected-error@+1 {{Const inside IfDefined must be zero, but is 0.5}}
  %0 = nnet3.const 0.5 : !nnet3.rows<1>
  %1 = nnet3.if_defined %0 : !nnet3.rows<1>
  %2 = nnet3.sum %1, %x : !nnet3.rows<1>
  nnet3.output_node "output", %2 : !nnet3.rows<1>
}
nnet3.request @request for @net {
  nnet3.request_input "x" <t = 0:1>
  nnet3.request_output "output" <t = 0>
}

// -----

// The grid between frames far apart.
nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<1>
  // expected-error@+1 {{cannot lay out 4 rows: their grid of 4000000000 frames has more than 2^24 rows}}
  nnet3.tdnn @tdnn {input_dim = 1, output_dim = 1, time_offsets = array<i64: 0, 1>}
  %a = nnet3.component_node "a" @tdnn(%x) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  nnet3.output_node "output", %a : !nnet3.rows<1>
}
nnet3.request @request for @net {
  nnet3.request_input "x" <t = [0:1, 2000000000:2000000001]>
  nnet3.request_output "output" <t = [0, 2000000000]>
}

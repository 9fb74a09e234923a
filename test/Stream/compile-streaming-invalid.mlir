// RUN: nnet3-opt %s --nnet3-compile-streaming=chunks=4 -verify-diagnostics -split-input-file

nnet3.network @backward {
  %in = nnet3.input_node "input" : !nnet3.rows<3>
  %all = nnet3.append %in, %later : (!nnet3.rows<3>, !nnet3.rows<3>) -> !nnet3.rows<6>
  nnet3.affine @affine {input_dim = 6, output_dim = 3}
  // expected-error @below {{cannot stream: the rows of node 'h' depend on all later rows (a backward recurrence); with allow-chunked-recurrence, each chunk computes them as if no frames followed}}
  %h = nnet3.component_node "h" @affine(%all) : (!nnet3.rows<6>) -> !nnet3.rows<3>
  %next = nnet3.offset %h, t = 1 : !nnet3.rows<3>
  %later = nnet3.if_defined %next : !nnet3.rows<3>
  nnet3.output_node "output", %h : !nnet3.rows<3>
}

// -----

nnet3.network @training {
  %in = nnet3.input_node "input" : !nnet3.rows<3>
  nnet3.batch_norm @bn {dim = 3}
  // expected-error @below {{cannot stream: every row of node 'h' depends on which others are computed with it (a component in training mode)}}
  %h = nnet3.component_node "h" @bn(%in) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  nnet3.output_node "output", %h : !nnet3.rows<3>
}

// -----

nnet3.network @fixed {
  %in = nnet3.input_node "input" : !nnet3.rows<3>
  nnet3.tanh @tanh {dim = 3}
  %one = nnet3.replace_index %in, t = 1 : !nnet3.rows<3>
  // expected-error @below {{cannot stream: every row of node 'h' reads the row of 'input' at time 1 (ReplaceIndex), which later chunks do not have}}
  %h = nnet3.component_node "h" @tanh(%one) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  nnet3.output_node "output", %h : !nnet3.rows<3>
}

// -----

// Time 0 becomes the latest i-vector, but features have no latest row.
nnet3.network @first_frame {
  %in = nnet3.input_node "input" : !nnet3.rows<3>
  nnet3.tanh @tanh {dim = 3}
  nnet3.tanh @last {dim = 6}
  %h = nnet3.component_node "h" @tanh(%in) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  %zero = nnet3.replace_index %h, t = 0 : !nnet3.rows<3>
  %both = nnet3.append %in, %zero : (!nnet3.rows<3>, !nnet3.rows<3>) -> !nnet3.rows<6>
  // expected-error @below {{cannot stream: every row of node 'y' reads the row of 'h' at time 0 (ReplaceIndex), which later chunks do not have}}
  %y = nnet3.component_node "y" @last(%both) : (!nnet3.rows<6>) -> !nnet3.rows<6>
  nnet3.output_node "output", %y : !nnet3.rows<6>
}

// -----

// expected-error @below {{cannot stream: a first chunk of 4096 frames does not compute the row of node 'input' at time -904, which later chunks read}}
nnet3.network @far {
  %in = nnet3.input_node "input" : !nnet3.rows<3>
  nnet3.tanh @tanh {dim = 3}
  %before = nnet3.offset %in, t = -5000 : !nnet3.rows<3>
  %any = nnet3.failover %before, %in : !nnet3.rows<3>
  %h = nnet3.component_node "h" @tanh(%any) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  nnet3.output_node "output", %h : !nnet3.rows<3>
}

// -----

// expected-error @below {{the network has no output node 'output'}}
nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<3>
  nnet3.output_node "other", %in : !nnet3.rows<3>
}

// RUN: nnet3-opt %s --nnet3-compile-streaming=chunks=4 -verify-diagnostics -split-input-file

nnet3.network @backward {
  %in = nnet3.input_node "input" : !nnet3.rows<3>
  %all = nnet3.append %in, %later : (!nnet3.rows<3>, !nnet3.rows<3>) -> !nnet3.rows<6>
  nnet3.affine @affine {input_dim = 6, output_dim = 3}
  // expected-error @below {{cannot stream: the rows of node 'h' depend on all later ones; a chunk can compute them only as if nothing followed it (allow-chunked-recurrence)}}
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
  // expected-error @below {{cannot stream: every row of node 'h' reads the row at one time (ReplaceIndex)}}
  %h = nnet3.component_node "h" @tanh(%one) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  nnet3.output_node "output", %h : !nnet3.rows<3>
}

// -----

// expected-error @below {{the network has no output node 'output'}}
nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<3>
  nnet3.output_node "other", %in : !nnet3.rows<3>
}

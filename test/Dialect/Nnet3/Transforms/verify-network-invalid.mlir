// RUN: nnet3-opt %s -nnet3-verify-network -verify-diagnostics -split-input-file

// expected-error @below {{expects at least one input node}}
nnet3.network @net {
  %c = nnet3.const 1.0 : !nnet3.rows<4>
  nnet3.output_node "output", %c : !nnet3.rows<4>
}

// -----

// expected-error @below {{expects at least one output node}}
nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  // expected-note @below {{first scaled here}}
  %next = nnet3.offset %in, t = 1 : !nnet3.rows<4>
  // expected-error @below {{descriptor of node 'output': node 'input' has two different scales in one part of a descriptor, 1 and -1}}
  %minus = nnet3.scale -1.0, %in : !nnet3.rows<4>
  %delta = nnet3.sum %next, %minus : !nnet3.rows<4>
  nnet3.output_node "output", %delta : !nnet3.rows<4>
}

// -----

nnet3.network @net {
  nnet3.no_op @noop {dim = 4}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  // expected-error @below {{descriptor of node 'a': Sum cannot be an argument of Switch with several arguments}}
  %even = nnet3.sum %in, %in : !nnet3.rows<4>
  %switch = nnet3.switch %even, %in : !nnet3.rows<4>
  %a = nnet3.component_node "a" @noop(%switch) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %a : !nnet3.rows<4>
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  // expected-error @below {{descriptor of node 'output': arguments of Failover have different constants, 0 and 1}}
  %one = nnet3.const 1.0 : !nnet3.rows<4>
  %safe = nnet3.failover %in, %one : !nnet3.rows<4>
  nnet3.output_node "output", %safe : !nnet3.rows<4>
}

// -----

// Not wrong, but likely not what was meant.
nnet3.network @net {
  // expected-warning @below {{component 'unused' is used by no node}}
  nnet3.no_op @unused {dim = 4}
  nnet3.no_op @noop {dim = 4}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  // expected-warning @below {{no output depends on node 'ivector'}}
  %ivector = nnet3.input_node "ivector" : !nnet3.rows<4>
  // expected-warning @below {{no output depends on node 'loop'}}
  %loop = nnet3.component_node "loop" @noop(%prev) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %prev = nnet3.offset %loop, t = -1 : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}

// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

// A cycle that no node breaks.
nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<2>
  // expected-error @below {{depends on itself without a node in between}}
  %sum = nnet3.sum %in, %offset : !nnet3.rows<2>
  %offset = nnet3.offset %sum, t = -1 : !nnet3.rows<2>
}

// -----

nnet3.network @net {
  // expected-error @below {{depends on itself without a node in between}}
  %self = nnet3.if_defined %self : !nnet3.rows<2>
}

// -----

// As an expression, each line is twice as long as the one before.
nnet3.network @net {
  %0 = nnet3.input_node "input" : !nnet3.rows<2>
  %1 = nnet3.sum %0, %0, %0, %0 : !nnet3.rows<2>
  %2 = nnet3.sum %1, %1, %1, %1 : !nnet3.rows<2>
  %3 = nnet3.sum %2, %2, %2, %2 : !nnet3.rows<2>
  %4 = nnet3.sum %3, %3, %3, %3 : !nnet3.rows<2>
  %5 = nnet3.sum %4, %4, %4, %4 : !nnet3.rows<2>
  %6 = nnet3.sum %5, %5, %5, %5 : !nnet3.rows<2>
  // expected-error @below {{descriptor has more than 16384 operators, or is more than 1024 deep}}
  %7 = nnet3.sum %6, %6, %6, %6 : !nnet3.rows<2>
}

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

// -----

// Nodes may share descriptors, but each of them has its own in a config: 17
// nodes with 16382 operators.
nnet3.network @net {
  nnet3.no_op @c {dim = 2 : i64}
  %0 = nnet3.input_node "input" : !nnet3.rows<2>
  %1 = nnet3.sum %0, %0, %0, %0, %0 : !nnet3.rows<2>
  %2 = nnet3.sum %1, %1, %1, %1, %1 : !nnet3.rows<2>
  %3 = nnet3.sum %2, %2, %2, %2, %2 : !nnet3.rows<2>
  %4 = nnet3.sum %3, %3, %3, %3, %3 : !nnet3.rows<2>
  %5 = nnet3.sum %4, %4, %4, %4, %4 : !nnet3.rows<2>
  %6 = nnet3.sum %5, %5, %5, %5 : !nnet3.rows<2>
  %n0 = nnet3.component_node "n0" @c(%6) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %n1 = nnet3.component_node "n1" @c(%6) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %n2 = nnet3.component_node "n2" @c(%6) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %n3 = nnet3.component_node "n3" @c(%6) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %n4 = nnet3.component_node "n4" @c(%6) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %n5 = nnet3.component_node "n5" @c(%6) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %n6 = nnet3.component_node "n6" @c(%6) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %n7 = nnet3.component_node "n7" @c(%6) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %n8 = nnet3.component_node "n8" @c(%6) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %n9 = nnet3.component_node "n9" @c(%6) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %n10 = nnet3.component_node "n10" @c(%6) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %n11 = nnet3.component_node "n11" @c(%6) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %n12 = nnet3.component_node "n12" @c(%6) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %n13 = nnet3.component_node "n13" @c(%6) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %n14 = nnet3.component_node "n14" @c(%6) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %n15 = nnet3.component_node "n15" @c(%6) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  // expected-error @below {{descriptors up to this node have more than 262144 operators}}
  %n16 = nnet3.component_node "n16" @c(%6) : (!nnet3.rows<2>) -> !nnet3.rows<2>
}

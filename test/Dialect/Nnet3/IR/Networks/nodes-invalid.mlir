// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  // expected-error @below {{refers to an undefined component @relu}}
  %a = nnet3.component_node "a" @relu(%in) : (!nnet3.rows<4>) -> !nnet3.rows<4>
}

// -----

nnet3.network @net {
  // expected-note @below {{component is declared here}}
  nnet3.affine @affine {input_dim = 4, output_dim = 3}
  %in = nnet3.input_node "input" : !nnet3.rows<5>
  // expected-error @below {{expects input dim 4, but got 5}}
  %a = nnet3.component_node "a" @affine(%in) : (!nnet3.rows<5>) -> !nnet3.rows<3>
}

// -----

nnet3.network @net {
  // expected-note @below {{component is declared here}}
  nnet3.affine @affine {input_dim = 4, output_dim = 3}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  // expected-error @below {{expects output dim 3, but got 4}}
  %a = nnet3.component_node "a" @affine(%in) : (!nnet3.rows<4>) -> !nnet3.rows<4>
}

// -----

nnet3.network @net {
  nnet3.no_op @noop {dim = 4}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %sum = nnet3.sum %in, %in : !nnet3.rows<4>
  // expected-error @below {{expects an input node or a component node as source}}
  %r = nnet3.dim_range_node "r" %sum offset 0 : !nnet3.rows<4> -> !nnet3.rows<2>
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  // expected-error @below {{expects columns of the source's 4, but got 2 from 3 on}}
  %r = nnet3.dim_range_node "r" %in offset 3 : !nnet3.rows<4> -> !nnet3.rows<2>
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  // expected-error @below {{expects columns of the source's 4, but got 2 from 9223372036854775807 on}}
  %r = nnet3.dim_range_node "r" %in offset 9223372036854775807 : !nnet3.rows<4> -> !nnet3.rows<2>
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  // expected-error @below {{expects columns of the source's 4, but got 2 from -1 on}}
  %r = nnet3.dim_range_node "r" %in offset -1 : !nnet3.rows<4> -> !nnet3.rows<2>
}

// -----

// expected-error @below {{expects parent op 'nnet3.network'}}
%in = nnet3.input_node "input" : !nnet3.rows<4>

// -----

nnet3.network @net {
  // expected-error @below {{requires attribute 'name'}}
  %in = "nnet3.input_node"() : () -> !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}

// -----

nnet3.network @net {
  // expected-error @below {{op result #0 must be rows of a node or descriptor, of known dimension, but got 'f32'}}
  %in = "nnet3.input_node"() {name = "input"} : () -> f32
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  // expected-error @below {{failed to parse Nnet3_ObjectiveAttr parameter}}
  // expected-error @below {{expected ::mlir::nnet3::Objective to be one of: linear, quadratic}}
  nnet3.output_node "output", %in objective cubic : !nnet3.rows<4>
}

// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<2>
  // expected-error @below {{expects result dim 4, the sum of its parts, but got 5}}
  %a = nnet3.append %in, %in : (!nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<5>
}

// -----

nnet3.network @net {
  // expected-error @below {{expects at least one operand}}
  %a = "nnet3.append"() : () -> !nnet3.rows<5>
}

// -----

nnet3.network @net {
  // expected-error @below {{expected 1 or more operands, but found 0}}
  %a = "nnet3.sum"() : () -> !nnet3.rows<5>
}

// -----

nnet3.network @net {
  // expected-error @below {{expected 1 or more operands, but found 0}}
  %a = "nnet3.switch"() : () -> !nnet3.rows<5>
}

// -----

nnet3.network @net {
  // expected-note @below {{prior use here}}
  %a = nnet3.input_node "a" : !nnet3.rows<2>
  %b = nnet3.input_node "b" : !nnet3.rows<2>
  // expected-error @below {{expects different type than prior uses: '!nnet3.rows<3>' vs '!nnet3.rows<2>'}}
  %s = nnet3.sum %a, %b : !nnet3.rows<3>
}

// -----

nnet3.network @net {
  %a = nnet3.input_node "a" : !nnet3.rows<2>
  %b = nnet3.input_node "b" : !nnet3.rows<3>
  // expected-error @below {{requires the same type for all operands and results}}
  %s = "nnet3.failover"(%a, %b) : (!nnet3.rows<2>, !nnet3.rows<3>) -> !nnet3.rows<2>
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<2>
  // expected-error @below {{expects a positive modulus, but got 0}}
  %a = nnet3.round %in, 0 : !nnet3.rows<2>
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<2>
  // expected-error @below {{expects a positive modulus, but got -2}}
  %a = nnet3.round %in, -2 : !nnet3.rows<2>
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a finite value}}
  %a = nnet3.const 0x7F800000 : !nnet3.rows<2>
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<2>
  // expected-error @below {{failed to parse Nnet3_IndexVariableAttr parameter}}
  // expected-error @below {{expected ::mlir::nnet3::IndexVariable to be one of: t, x}}
  %a = nnet3.replace_index %in, n = 0 : !nnet3.rows<2>
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<2>
  // expected-error @below {{attribute 'alpha' failed to satisfy constraint: 32-bit float attribute}}
  %a = "nnet3.scale"(%in) {alpha = 0.5 : f64} : (!nnet3.rows<2>) -> !nnet3.rows<2>
}

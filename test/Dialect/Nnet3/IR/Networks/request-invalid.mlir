// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{refers to an undefined network @net}}
nnet3.request @chunk for @net {
  nnet3.request_input "input" <t = 0>
  nnet3.request_output "output" <t = 0>
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}
nnet3.request @chunk for @net {
  // expected-error @below {{expects an input node or component node, but the network has none named 'output'}}
  nnet3.request_input "output" <t = 0>
  nnet3.request_output "output" <t = 0>
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}
nnet3.request @chunk for @net {
  nnet3.request_input "input" <t = 0>
  // expected-error @below {{expects an output node, but the network has none named 'input'}}
  nnet3.request_output "input" <t = 0>
}

// -----

// expected-error @below {{expects at least one input and one output}}
nnet3.request @chunk for @net {
  nnet3.request_output "output" <t = 0>
}

// -----

nnet3.request @chunk for @net {
  // expected-note @below {{first listed here}}
  nnet3.request_input "input" <t = 0>
  // expected-error @below {{node 'input' is listed twice}}
  nnet3.request_input "input" <t = 1>
  nnet3.request_output "output" <t = 0>
}

// -----

// expected-error @below {{asks for derivatives, but no output supplies a derivative}}
nnet3.request @chunk for @net {
  nnet3.request_input "input" <t = 0> deriv
  nnet3.request_output "output" <t = 0>
}

// -----

// expected-error @below {{asks for derivatives, but no output supplies a derivative}}
nnet3.request @chunk for @net need_model_derivative {
  nnet3.request_input "input" <t = 0>
  nnet3.request_output "output" <t = 0>
}

// -----

nnet3.request @chunk for @net {
  nnet3.request_input "input" <t = 0>
  // expected-error @below {{expects indexes without blank ones}}
  nnet3.request_output "output" <[(0, 0), (0, _)]>
}

// -----

nnet3.request @chunk for @net {
  // expected-error @below {{does not belong in a request}}
  builtin.module {}
}

// -----

// expected-error @below {{expects parent op 'nnet3.request'}}
nnet3.request_input "input" <t = 0>

// -----

nnet3.request @chunk for @net {
  // expected-error @below {{requires attribute 'name'}}
  "nnet3.request_input"() {indexes = #nnet3.indexes<t = 0>} : () -> ()
}

// -----

nnet3.request @chunk for @net {
  // expected-error @below {{requires attribute 'indexes'}}
  "nnet3.request_output"() {name = "output"} : () -> ()
}

// -----

// expected-error @below {{expects a body without arguments}}
"nnet3.request"() ({
^bb0(%a: f32):
}) {network = @net, sym_name = "chunk"} : () -> ()

// -----

// expected-error @below {{expects blocks that divide 8 sequences, but got blocks of 3}}
nnet3.request @chunk for @net blocks_of 3 {
  nnet3.request_input "input" <n = 0:7>
  nnet3.request_output "output" <n = 0:7>
}

// -----

// expected-error @below {{expects the rows of one sequence after the other, the same for all}}
nnet3.request @chunk for @net blocks_of 4 {
  nnet3.request_input "input" <n = 0:7, t = 0:3, order = tn>
  nnet3.request_output "output" <n = 0:7, t = 0:3>
}

// -----

// expected-error @below {{expects the rows of one sequence after the other, the same for all}}
nnet3.request @chunk for @net blocks_of 4 {
  nnet3.request_input "input" <n = 0:7, t = 0:3>
  nnet3.request_output "output" <n = 0:3, t = 0:3>
}

// -----

// expected-error @below {{expects no derivatives and no statistics of blocks of sequences}}
nnet3.request @chunk for @net need_model_derivative blocks_of 4 {
  nnet3.request_input "input" <n = 0:7>
  nnet3.request_output "output" <n = 0:7> deriv
}

// -----

// expected-error @below {{value is positive}}
nnet3.request @chunk for @net blocks_of 0 {
  nnet3.request_input "input" <n = 0:7>
  nnet3.request_output "output" <n = 0:7>
}

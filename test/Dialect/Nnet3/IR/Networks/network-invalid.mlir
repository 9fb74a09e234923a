// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  // expected-note @below {{first used here}}
  nnet3.output_node "output", %in : !nnet3.rows<4>
  // expected-error @below {{node name 'output' is used twice}}
  nnet3.output_node "output", %in : !nnet3.rows<4>
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a name that config files can hold, but got 'two words'}}
  %in = nnet3.input_node "two words" : !nnet3.rows<4>
}

// -----

nnet3.network @net {
  // A word of the descriptor language.
  // expected-error @below {{expects a name that config files can hold, but got 'Sum'}}
  %in = nnet3.input_node "Sum" : !nnet3.rows<4>
}

// -----

nnet3.network @net {
  // expected-error @below {{expects a name that config files can hold, but got ''}}
  nnet3.no_op @"" {dim = 4}
}

// -----

nnet3.network @net {
  // expected-error @below {{does not belong in a network}}
  nnet3.network @inner {}
}

// -----

nnet3.network @net {
  // expected-error @below {{does not belong in a network}}
  builtin.module {}
}

// -----

// expected-error @below {{expects priors of one dimension, but got 'tensor<1x2xf32>'}}
nnet3.network @net priors dense<0.5> : tensor<1x2xf32> {}

// -----

// expected-error @below {{attribute 'priors' failed to satisfy constraint: float32 elements attribute}}
nnet3.network @net priors dense<0.5> : tensor<2xf64> {}

// -----

// expected-error @below {{expects a body without arguments}}
"nnet3.network"() ({
^bb0(%rows: !nnet3.rows<4>):
  nnet3.output_node "output", %rows : !nnet3.rows<4>
}) {sym_name = "net"} : () -> ()

// -----

// expected-error @below {{region #0 ('body') failed to verify constraint: region with 1 blocks}}
"nnet3.network"() ({}) {sym_name = "net"} : () -> ()

// -----

// expected-error @below {{requires attribute 'sym_name'}}
"nnet3.network"() ({
^bb0:
}) : () -> ()

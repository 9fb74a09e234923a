// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{refers to an undefined network @net}}
nnet3.computation @chunk for @net {}

// -----

nnet3.network @net {}
nnet3.computation @chunk for @net {
  // expected-error @below {{does not belong in nnet3.computation}}
  builtin.module {}
}

// -----

// expected-error @below {{expects a body without arguments}}
"nnet3.computation"() ({
^bb0(%m: memref<1x4xf32>):
}) {network = @net, sym_name = "chunk"} : () -> ()

// -----

// expected-error @below {{expects parent op to be one of 'nnet3.computation, nnet3.loop'}}
nnet3.no_operation

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %r = nnet3.dim_range_node "range" %in offset 0 : !nnet3.rows<4> -> !nnet3.rows<2>
}
nnet3.computation @chunk for @net {
  // expected-error @below {{expects an input, component or output node, but the network has none named 'range'}}
  %m = nnet3.accept_input "range" : memref<8x2xf32>
}

// -----

nnet3.network @net {
  // expected-note @below {{node is here}}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
}
nnet3.computation @chunk for @net {
  // expected-error @below {{expects a matrix with 4 columns, but got 5}}
  %m = nnet3.accept_input "input" : memref<8x5xf32>
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  // expected-note @below {{node is here}}
  nnet3.output_node "output", %in : !nnet3.rows<4>
}
nnet3.computation @chunk for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<8x5xf32>
  // expected-error @below {{expects a matrix with 4 columns, but got 5}}
  nnet3.provide_output "output", %m : memref<8x5xf32>
}

// -----

// expected-error @below {{expects parent op to be one of 'nnet3.computation, nnet3.loop'}}
nnet3.no_operation_marker

// -----

// expected-error @below {{expects parent op to be one of 'nnet3.computation, nnet3.loop'}}
nnet3.no_operation_permanent

// -----

nnet3.network @net {}
nnet3.computation @chunk for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<8x5xf32>
  // expected-error @below {{requires attribute 'value'}}
  "nnet3.set_const"(%m) : (memref<8x5xf32>) -> ()
}

// RUN: nnet3-opt --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(nnet3.computation(nnet3-limit-derivative-times{min-deriv-time=2}))' %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @nothing_known for @net {
  // expected-error@+1 {{expects debug information about the rows of the matrix to limit derivative times}}
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @too_few for @net {
  // expected-error@+1 {{debug information has 3 Indexes for 4 rows}}
  %a = nnet3.accept_input "x" {nnet3.node = "x", nnet3.indexes = #nnet3.indexes<t = 0:2>} : memref<4x4xf32>
  nnet3.provide_output "y", %a : memref<4x4xf32>
}

// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --verify-diagnostics %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.tanh @tanh {dim = 4}
}
nnet3.computation @uncounted for @net {
  %y = nnet3.accept_input "x" : memref<3x4xf32>
  // expected-error@+1 {{of a component with statistics expects a draw number; see nnet3-number-draws}}
  nnet3.store_stats @net::@tanh outs(%y : memref<3x4xf32>)
  nnet3.provide_output "x", %y : memref<3x4xf32>
}

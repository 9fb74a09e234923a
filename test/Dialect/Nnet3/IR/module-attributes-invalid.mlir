// RUN: nnet3-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expects 'nnet3.stage' to be one of network, commands, optimized, fused, kernels, loops, llvm-dialect, but got "stage"}}
module attributes {nnet3.stage = "stage"} {}

// -----

// expected-error@+1 {{expects 'nnet3.target' to be one of cpu, cuda, but got 1 : i64}}
module attributes {nnet3.target = 1} {}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
// expected-error@+1 {{attribute 'min_outputs' failed to satisfy constraint}}
nnet3.request @request for @net min_outputs 0 {
  nnet3.request_input "x" <t = 0>
  nnet3.request_output "y" <t = 0>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.dropout @dropout {dim = 4, dropout_proportion = 0.5 : f32}
}
nnet3.computation @draw for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  // expected-error@+1 {{attribute 'draw' failed to satisfy constraint}}
  nnet3.propagate @net::@dropout ins(%a : memref<3x4xf32>) outs(%a : memref<3x4xf32>) draw -1
}

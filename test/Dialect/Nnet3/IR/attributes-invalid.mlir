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

// -----

// expected-error@+1 {{expects 'nnet3.elided_weights' to be a unit attribute, but got true}}
module attributes {nnet3.elided_weights = true} {}

// -----

// expected-error@+1 {{unknown attribute 'nnet3.stages'}}
module attributes {nnet3.stages = "network"} {}

// -----

// expected-error@+1 {{expects 'nnet3.stage' only on modules}}
nnet3.network @net attributes {nnet3.stage = "network"} {}

// -----

// expected-error@+1 {{attribute 'transition_model' failed to satisfy constraint: i8 elements attribute}}
nnet3.network @net transition_model dense<0.5> : tensor<2xf32> {}

// -----

// expected-error@+1 {{expects 'nnet3.node' only on definitions of matrices}}
nnet3.network @net attributes {nnet3.node = "x"} {}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @node for @net {
  // expected-error@+1 {{expects 'nnet3.node' to be the name of a node, but got 1 : i64}}
  %a = nnet3.alloc_matrix_zeroed {nnet3.node = 1} : memref<3x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @indexes for @net {
  // expected-error@+1 {{expects 'nnet3.indexes' to be Indexes, but got 4 : i64}}
  %a = nnet3.accept_input "x" {nnet3.indexes = 4} : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @derivative for @net {
  // expected-error@+1 {{expects 'nnet3.is_deriv' to be a unit attribute, but got false}}
  %a = nnet3.accept_input "x" {nnet3.is_deriv = false} : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @stride for @net {
  // expected-error@+1 {{expects 'nnet3.sequence_stride' to be a positive i64, but got 0 : i64}}
  %a = nnet3.alloc_matrix_zeroed {nnet3.sequence_stride = 0} : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.tdnn @tdnn {input_dim = 4, output_dim = 4, time_offsets = array<i64: 0>}
}
nnet3.computation @from for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  // expected-error@+1 {{expects 'nnet3.precomputed_from' to be a dictionary of 'input_indexes' and 'output_indexes', but got {input_indexes = #nnet3.indexes<t = 0:2>}}}
  nnet3.propagate @net::@tdnn ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>) precomputed {row_offsets = array<i64: 0>, row_stride = 1 : i64} {nnet3.precomputed_from = {input_indexes = #nnet3.indexes<t = 0:2>}}
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}
nnet3.computation @place for @net {
  // expected-error@+1 {{expects 'nnet3.precomputed_from' only on propagate and backprop}}
  %a = nnet3.alloc_matrix_zeroed {nnet3.precomputed_from = {}} : memref<4x4xf32>
}

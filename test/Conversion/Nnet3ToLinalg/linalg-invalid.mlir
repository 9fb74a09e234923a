// RUN: nnet3-opt --convert-nnet3-to-linalg --verify-diagnostics -split-input-file %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.no_op @noop {dim = 4}
}
nnet3.computation @backward for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %d = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  // expected-error@+1 {{is not supported on tensors}}
  nnet3.backprop @net::@noop out_deriv(%d : memref<3x4xf32>) in_deriv(%d : memref<3x4xf32>)
  nnet3.provide_output "y", %a : memref<3x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.batch_norm @norm {dim = 4}
}
nnet3.computation @training for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  // expected-error@+1 {{is not supported on tensors: component 'norm' is in training mode}}
  nnet3.propagate @net::@norm ins(%a : memref<3x4xf32>) outs(%a : memref<3x4xf32>)
  nnet3.provide_output "y", %a : memref<3x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
}
nnet3.computation @parameters for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  // expected-error@+1 {{expects a component with parameters}}
  nnet3.fused_affine @net::@affine ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

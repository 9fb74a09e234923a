// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --verify-diagnostics --split-input-file %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.scale_and_offset @scale {dim = 4, offsets = dense<0.0> : tensor<4xf32>, scales = dense<[1.0, 1.0, 0.0, 1.0]> : tensor<4xf32>}
}
nnet3.computation @scaled for @net {
  %x = nnet3.accept_input "x" : memref<3x4xf32>
  %d = nnet3.accept_input "y" : memref<3x4xf32>
  // expected-error@+1 {{has no backward pass for devices: component 'scale'}}
  nnet3.backprop @net::@scale out_value(%x : memref<3x4xf32>) out_deriv(%d : memref<3x4xf32>) in_deriv(%d : memref<3x4xf32>)
  nnet3.provide_output "x", %d : memref<3x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.batch_norm @norm {dim = 4}
}
nnet3.computation @trained for @net {
  %y = nnet3.accept_input "x" : memref<3x4xf32>
  %d = nnet3.accept_input "y" : memref<3x4xf32>
  // expected-error@+1 {{expects the memo of component 'norm'}}
  nnet3.backprop @net::@norm out_value(%y : memref<3x4xf32>) out_deriv(%d : memref<3x4xf32>) in_deriv(%d : memref<3x4xf32>)
  nnet3.provide_output "x", %d : memref<3x4xf32>
}

// RUN: nnet3-opt --nnet3-number-draws --convert-nnet3-to-kernels=device=true --verify-diagnostics --split-input-file %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.composite @both attributes {max_rows_process = 0} {
    nnet3.no_op @first {dim = 4}
    nnet3.tanh @second {dim = 4}
  }
}
// Composites are taken apart before.
nnet3.computation @whole for @net {
  %x = nnet3.accept_input "x" : memref<3x4xf32>
  %d = nnet3.accept_input "y" : memref<3x4xf32>
  %e = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // expected-error@+1 {{has no backward pass for devices: component 'both'}}
  nnet3.backprop @net::@both in_value(%x : memref<3x4xf32>) out_value(%x : memref<3x4xf32>) out_deriv(%d : memref<3x4xf32>) in_deriv(%e : memref<3x4xf32>)
  nnet3.provide_output "x", %e : memref<3x4xf32>
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

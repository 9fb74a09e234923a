// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --verify-diagnostics %s

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
  %a = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // expected-error@+1 {{is not supported on devices in this configuration: component 'both'}}
  nnet3.propagate @net::@both ins(%x : memref<3x4xf32>) outs(%a : memref<3x4xf32>)
  nnet3.provide_output "y", %a : memref<3x4xf32>
}

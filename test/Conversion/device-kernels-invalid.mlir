// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --verify-diagnostics %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.dropout_mask @mask {output_dim = 4}
}
nnet3.computation @drawn for @net {
  %a = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // expected-error@+1 {{has no code for devices as it is configured: component 'mask'}}
  nnet3.propagate @net::@mask outs(%a : memref<3x4xf32>)
  nnet3.provide_output "y", %a : memref<3x4xf32>
}

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  %z = nnet3.input_node "z" : !nnet3.rows<70>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 70}
}
nnet3.computation @both for @net {
  %x = nnet3.accept_input "x" : memref<300x4xf32>
  %dy = nnet3.accept_input "z" : memref<300x70xf32>
  %dx = nnet3.alloc_matrix_zeroed : memref<300x4xf32>
  nnet3.backprop @net::@affine in_value(%x : memref<300x4xf32>) out_deriv(%dy : memref<300x70xf32>) in_deriv(%dx : memref<300x4xf32>) update
  nnet3.backprop @net::@affine in_value(%x : memref<300x4xf32>) out_deriv(%dy : memref<300x70xf32>) in_deriv(%dx : memref<300x4xf32>) update
  nnet3.provide_output "x", %dx : memref<300x4xf32>
}

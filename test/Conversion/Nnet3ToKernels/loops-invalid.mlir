// RUN: nnet3-opt --split-input-file --verify-diagnostics --kernel-set-target=instruction-sets=neon --convert-nnet3-to-kernels %s

// Commands of loops are checked as others are.

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.batch_norm @norm {dim = 4}
}
nnet3.computation @memo for @net {
  %x = nnet3.accept_input "x" : memref<4x4xf32>
  nnet3.loop %round to 2 {
    // expected-error @+1 {{with a memo is not supported in a library}}
    %m = nnet3.propagate @net::@norm ins(%x : memref<4x4xf32>) outs(%x : memref<4x4xf32>) -> !nnet3.memo
  }
  nnet3.provide_output "y", %x : memref<4x4xf32>
}

// -----

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
}
nnet3.computation @columns for @net {
  %x = nnet3.accept_input "x" : memref<4x4xf32>
  %y = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  nnet3.loop %round to 2 {
    // expected-error @+1 {{expects columns of weights with 4 columns, but got 4 from 2 on}}
    nnet3.fused_affine @net::@affine ins(%x : memref<4x4xf32>) rows [#nnet3.row_table<0:3>] columns [2] bias outs(%y : memref<4x4xf32>)
  }
  nnet3.dealloc_matrix %x : memref<4x4xf32>
  nnet3.provide_output "y", %y : memref<4x4xf32>
}

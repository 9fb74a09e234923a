// RUN: not nnet3-translate --mlir-to-program %s 2>&1 | FileCheck %s

nnet3.network @net {
  nnet3.linear @affine {input_dim = 2, output_dim = 2, params = dense<0.0> : tensor<2x2xf32>}
  %in = nnet3.input_node "input" : !nnet3.rows<2>
  nnet3.output_node "output", %in : !nnet3.rows<2>
}
nnet3.computation @f for @net {
  %m = nnet3.accept_input "input" : memref<2x2xf32>
  %c = nnet3.alloc_matrix_undefined : memref<2x2xf32>
  // CHECK: command-invalid.mlir:[[@LINE+1]]:3: error: 'nnet3.fused_affine' op cannot be part of a runtime program
  nnet3.fused_affine @net::@affine ins(%m : memref<2x2xf32>) rows [#nnet3.row_table<0:1>] columns [0] outs(%c : memref<2x2xf32>)
}

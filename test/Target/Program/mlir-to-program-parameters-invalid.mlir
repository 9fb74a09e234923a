// RUN: not nnet3-translate --mlir-to-program %s 2>&1 | FileCheck %s

nnet3.network @net {
  // CHECK: parameters-invalid.mlir:[[@LINE+1]]:3: error: component 'linear' has no values for 'params': the network is not initialised
  nnet3.linear @linear {input_dim = 2 : i64, output_dim = 2 : i64}
  %in = nnet3.input_node "input" : !nnet3.rows<2>
  %c = nnet3.component_node "c" @linear(%in) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  nnet3.output_node "output", %c : !nnet3.rows<2>
}
nnet3.computation @f for @net {
  %m = nnet3.accept_input "input" : memref<2x2xf32>
  %y = nnet3.alloc_matrix_zeroed : memref<2x2xf32>
  nnet3.propagate @net::@linear ins(%m : memref<2x2xf32>) outs(%y : memref<2x2xf32>)
}

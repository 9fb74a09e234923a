// RUN: not nnet3-translate --mlir-to-program %s 2>&1 | FileCheck %s

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<2>
  nnet3.output_node "output", %in : !nnet3.rows<2>
}
nnet3.computation @f for @net {
  %m = nnet3.accept_input "input" : memref<2x2xf32>
  // CHECK: command-invalid.mlir:[[@LINE+1]]:3: error: 'nnet3.loop' op cannot be part of a runtime program
  nnet3.loop () {
    nnet3.yield
  }
}

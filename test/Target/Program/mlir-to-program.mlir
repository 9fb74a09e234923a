// A program file: 64 bytes of header, then the FlatBuffer and the weights.
//
// RUN: nnet3-translate --mlir-to-program %s -o %t
// RUN: nnet3-translate --mlir-to-program %s -o %t.again
// RUN: cmp %t %t.again
// RUN: %python -c "d = open(r'%t', 'rb').read(); print(d[:4], d[68:72], len(d) % 64)" | FileCheck %s

// CHECK: b'NN3P' b'N3P3' 12

nnet3.network @net {
  nnet3.fixed_bias @bias {bias = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>, dim = 3 : i64}
  %in = nnet3.input_node "input" : !nnet3.rows<3>
  %c = nnet3.component_node "c" @bias(%in) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  nnet3.output_node "output", %c : !nnet3.rows<3>
}
nnet3.computation @f for @net {
  %m = nnet3.accept_input "input" : memref<2x3xf32>
  nnet3.propagate @net::@bias ins(%m : memref<2x3xf32>) outs(%m : memref<2x3xf32>)
  nnet3.provide_output "output", %m : memref<2x3xf32>
}

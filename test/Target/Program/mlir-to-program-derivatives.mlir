// A program with derivatives, which the runtime runs in two parts.
//
// RUN: nnet3-opt %s --nnet3-compile | nnet3-translate --mlir-to-program -o %t
// RUN: nnet3-rt-demo %t | FileCheck %s

// CHECK: input input: 6 x 3
// CHECK-NEXT: input other: 6 x 3
// CHECK-NEXT: input derivative of output: 4 x 3
// CHECK-NEXT: output output: 4 x 3, row 0: 1 2 3
// CHECK-NEXT: output derivative of input: 6 x 3, row 0: 0 0 0

nnet3.network @net {
  nnet3.fixed_bias @bias {bias = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>, dim = 3 : i64}
  nnet3.batch_norm @norm {dim = 3 : i64}
  %in = nnet3.input_node "input" : !nnet3.rows<3>
  %other = nnet3.input_node "other" : !nnet3.rows<3>
  %next = nnet3.offset %other, t = 1 : !nnet3.rows<3>
  %round = nnet3.round %in, 2 : !nnet3.rows<3>
  %switch = nnet3.switch %round, %next : !nnet3.rows<3>
  %b = nnet3.component_node "b" @norm(%switch) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  %c = nnet3.component_node "c" @bias(%b) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  nnet3.output_node "output", %c : !nnet3.rows<3>
}
nnet3.request @train for @net store_component_stats {
  nnet3.request_input "input" <n = 0:1, t = 0:2> deriv
  nnet3.request_input "other" <n = 0:1, t = 0:2>
  nnet3.request_output "output" <n = 0:1, t = 0:1> deriv
}

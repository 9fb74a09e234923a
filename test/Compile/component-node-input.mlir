// RUN: nnet3-opt %s --nnet3-compile | FileCheck %s

// The caller may have values of a component node: they are used as they are,
// the other rows are computed.

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<2>
  nnet3.tanh @tanh {dim = 2}
  %prev = nnet3.offset %h, t = -1 : !nnet3.rows<2>
  %opt = nnet3.if_defined %prev : !nnet3.rows<2>
  %sum = nnet3.sum %x, %opt : !nnet3.rows<2>
  %h = nnet3.component_node "h" @tanh(%sum) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  nnet3.output_node "output", %h : !nnet3.rows<2>
}

// h(1) is given: h(2) follows, and h(0) is not needed.
// CHECK-LABEL: nnet3.computation @state_computation
// CHECK: %[[X:.*]] = nnet3.accept_input "x" : memref<1x2xf32>
// CHECK: %[[H1:.*]] = nnet3.accept_input "h" : memref<1x2xf32>
// CHECK: nnet3.no_operation_permanent
// CHECK-NEXT: nnet3.matrix_add %[[H1]] into %[[IN:.*]] : memref
// CHECK-NEXT: nnet3.matrix_add %[[X]] into %[[IN]] : memref
// CHECK-NEXT: nnet3.propagate @net::@tanh ins(%[[IN]] : memref<1x2xf32>) outs(%[[H2:.*]] : memref<1x2xf32>)
// CHECK-NEXT: nnet3.add_rows_multi{{ ?}}[%[[H1]], %[[H2]]] <0, 0 of 1> into
nnet3.request @state for @net {
  nnet3.request_input "h" <t = 1>
  nnet3.request_input "x" <t = 2>
  nnet3.request_output "output" <t = 1:2>
}

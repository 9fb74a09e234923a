// RUN: nnet3-opt %s --nnet3-compile | FileCheck %s
// RUN: nnet3-opt %s --nnet3-compile --verify-roundtrip -o /dev/null

// h(t) = tanh(A(t) + R(t)), R(t) = affine of h(t - 1): what does not depend on
// the recurrence is computed at once for all times, the rest frame by frame.
// R(0) would need h(-1), so that the first frame goes without.

nnet3.network @rnn {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.affine @affine_a {input_dim = 4, output_dim = 3}
  %a = nnet3.component_node "A" @affine_a(%x) : (!nnet3.rows<4>) -> !nnet3.rows<3>
  nnet3.tanh @tanh {dim = 3}
  %opt = nnet3.if_defined %r : !nnet3.rows<3>
  %sum = nnet3.sum %a, %opt : !nnet3.rows<3>
  %h = nnet3.component_node "h" @tanh(%sum) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  nnet3.affine @affine_r {input_dim = 3, output_dim = 3}
  %prev = nnet3.offset %h, t = -1 : !nnet3.rows<3>
  %r = nnet3.component_node "R" @affine_r(%prev) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  nnet3.output_node "output", %h : !nnet3.rows<3>
}

// CHECK-LABEL: nnet3.computation @three_frames_computation for @rnn
// CHECK: %[[X:.*]] = nnet3.accept_input "x" : memref<3x4xf32>
// CHECK: nnet3.no_operation_permanent
// CHECK: nnet3.propagate @rnn::@affine_a ins(%{{.*}}) outs(%[[A:.*]] : memref<3x3xf32>)
// CHECK-NEXT: nnet3.add_rows %[[A]] <0> into %[[IN0:.*]] : memref<3x3xf32> into memref<1x3xf32>
// CHECK-NEXT: nnet3.propagate @rnn::@tanh ins(%[[IN0]] : memref<1x3xf32>) outs(%[[H0:.*]] : memref<1x3xf32>)
// CHECK-NEXT: nnet3.matrix_add %[[H0]] into %[[IR1:.*]] : memref
// CHECK-NEXT: nnet3.propagate @rnn::@affine_r ins(%[[IR1]] : memref<1x3xf32>) outs(%[[R1:.*]] : memref<1x3xf32>)
// CHECK-NEXT: nnet3.matrix_add %[[R1]] into %[[IN1:.*]] : memref
// CHECK-NEXT: nnet3.add_rows %[[A]] <1> into %[[IN1]] : memref
// CHECK-NEXT: nnet3.propagate @rnn::@tanh ins(%[[IN1]] : memref<1x3xf32>) outs(%[[H1:.*]] : memref<1x3xf32>)
// CHECK: nnet3.propagate @rnn::@tanh ins(%{{.*}}) outs(%[[H2:.*]] : memref<1x3xf32>)
// CHECK-NEXT: nnet3.add_rows_multi{{ ?}}[%[[H0]], %[[H1]], %[[H2]]] <0, 0 of 1, 0 of 2> into %[[OUT:.*]] : memref
// CHECK-NEXT: nnet3.provide_output "output", %[[OUT]] : memref<3x3xf32>
nnet3.request @three_frames for @rnn {
  nnet3.request_input "x" <t = 0:2>
  nnet3.request_output "output" <t = 0:2>
}

// Sequences go together; so the number of commands is that of one sequence.
// CHECK-LABEL: nnet3.computation @sequences_computation for @rnn
// CHECK: nnet3.propagate @rnn::@affine_a ins(%{{.*}}) outs(%[[A:.*]] : memref<24x3xf32>)
// CHECK-NEXT: nnet3.add_rows %[[A]] <0:7> into %{{.*}} : memref<24x3xf32> into memref<8x3xf32>
// CHECK-COUNT-3: nnet3.propagate @rnn::@tanh
// CHECK-NOT: nnet3.propagate
// CHECK: nnet3.add_rows_multi{{ ?}}[%{{.*}}, %{{.*}}, %{{.*}}] <[8 x +1](0, 0 of 1, 0 of 2)> into
nnet3.request @sequences for @rnn {
  nnet3.request_input "x" <n = 0:7, t = 0:2>
  nnet3.request_output "output" <n = 0:7, t = 0:2>
}

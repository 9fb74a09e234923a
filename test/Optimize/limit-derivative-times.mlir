// Derivatives of an Elman network, up from t = 3 (spec: optimize.md 5.2).
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3-compile{debug-info},nnet3.computation(nnet3-limit-derivative-times{min-deriv-time=3}))' %s -o %t
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=NOT < %t
// Seven of nine steps of the recurrence are left, and one update for all.
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3-compile{debug-info},nnet3-optimize{min-deriv-time=3 check})' %s | FileCheck %s --check-prefix=ALL
// A range that has all times changes nothing; unset, nothing is needed.
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3-compile{debug-info})' %s -o %t.all
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3-compile{debug-info},nnet3.computation(nnet3-limit-derivative-times{min-deriv-time=-100 max-deriv-time=100}))' %s | diff - %t.all
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3-compile,nnet3.computation(nnet3-limit-derivative-times))' %s
// Two behind the last output, which is at t = 9.
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3-compile{debug-info},nnet3-optimize{optimize=false max-deriv-time-relative=-2})' %s | FileCheck %s --check-prefix=RELATIVE

nnet3.network @rnn {
  nnet3.affine @wx {input_dim = 5, output_dim = 4}
  nnet3.affine @wr {input_dim = 4, output_dim = 4}
  nnet3.affine @wy {input_dim = 4, output_dim = 2}
  nnet3.tanh @tanh {dim = 4}
  %x = nnet3.input_node "x" : !nnet3.rows<5>
  %a = nnet3.component_node "a" @wx(%x) : (!nnet3.rows<5>) -> !nnet3.rows<4>
  %prev = nnet3.offset %h, t = -1 : !nnet3.rows<4>
  %r = nnet3.component_node "r" @wr(%prev) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %opt = nnet3.if_defined %r : !nnet3.rows<4>
  %sum = nnet3.sum %a, %opt : !nnet3.rows<4>
  %h = nnet3.component_node "h" @tanh(%sum) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %y = nnet3.component_node "y" @wy(%h) : (!nnet3.rows<4>) -> !nnet3.rows<2>
  nnet3.output_node "output", %y : !nnet3.rows<2>
}
nnet3.request @request for @rnn need_model_derivative {
  nnet3.request_input "x" <t = 0:9>
  nnet3.request_output "output" <t = 0:9> deriv
}

// CHECK: %[[X:.*]] = nnet3.alloc_matrix_zeroed {{.*}}nnet3.node = "a_input"{{.*}} : memref<10x5xf32>
// CHECK: %[[X1:.*]] = nnet3.sub_matrix %[[X]][3, 0] : memref<10x5xf32> to memref<7x5xf32
// CHECK: %[[A:.*]] = nnet3.alloc_matrix_zeroed {nnet3.indexes = #nnet3.indexes<t = 3:9>, nnet3.is_deriv, nnet3.node = "a"} : memref<7x4xf32>
// CHECK: no_operation_marker
// CHECK: %[[D:.*]] = nnet3.accept_input "output" {{.*}} : memref<10x2xf32>
// CHECK: %[[D1:.*]] = nnet3.sub_matrix %[[D]][3, 0] : memref<10x2xf32> to memref<7x2xf32
// CHECK: matrix_add %[[D1]] into
// CHECK: backprop @rnn::@wy {{.*}} out_deriv(%{{.*}} : memref<7x2xf32>) in_deriv(%{{.*}} : memref<7x4xf32>) update
// CHECK-COUNT-6: backprop @rnn::@wr {{.*}} in_deriv(%{{.*}} : memref<1x4xf32>) update
// Nothing reads what this one would hand on.
// CHECK: backprop @rnn::@wr
// CHECK-NOT: in_deriv
// CHECK: backprop @rnn::@wx in_value(%[[X1]] {{.*}} out_deriv(%[[A]] : memref<7x4xf32>) update
// NOT-NOT: t = {{[012]}}>, nnet3.is_deriv

// ALL: accept_input "output"
// ALL-COUNT-6: backprop @rnn::@wr {{.*}} in_deriv({{.*}})
// ALL-NOT: @wr
// ALL: backprop @rnn::@wx
// ALL: backprop @rnn::@wr in_value({{.*}} : memref<7x4xf32>) out_deriv({{.*}} : memref<7x4xf32>) update
// ALL-NOT: backprop

// RELATIVE: nnet3.indexes<t = 0:7>, nnet3.is_deriv, nnet3.node = "a"} : memref<8x4xf32>

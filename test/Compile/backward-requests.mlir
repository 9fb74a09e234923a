// RUN: nnet3-opt %s --nnet3-compile | FileCheck %s

// Only those derivatives are computed that something asked for depends on.

nnet3.network @net {
  nnet3.affine @first {input_dim = 4, output_dim = 3}
  nnet3.batch_norm @norm {dim = 3}
  nnet3.affine @second {input_dim = 3, output_dim = 2}
  nnet3.affine @frozen {input_dim = 3, output_dim = 2, learning_rate = 0.0 : f32}
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  %y = nnet3.input_node "y" : !nnet3.rows<4>
  %both = nnet3.sum %x, %y : !nnet3.rows<4>
  %a = nnet3.component_node "a" @first(%both) : (!nnet3.rows<4>) -> !nnet3.rows<3>
  %b = nnet3.component_node "b" @norm(%a) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  %c = nnet3.component_node "c" @second(%b) : (!nnet3.rows<3>) -> !nnet3.rows<2>
  nnet3.output_node "output", %c : !nnet3.rows<2>
  %d = nnet3.component_node "d" @frozen(%b) : (!nnet3.rows<3>) -> !nnet3.rows<2>
  nnet3.output_node "other", %d : !nnet3.rows<2>
  %e = nnet3.component_node "e" @frozen(%a) : (!nnet3.rows<3>) -> !nnet3.rows<2>
  nnet3.output_node "unnormalised", %e : !nnet3.rows<2>
}

// The model's derivative alone: it ends at the first component.
// CHECK-LABEL: nnet3.computation @model_computation for @net need_model_derivative
// CHECK: nnet3.no_operation_marker
// CHECK: nnet3.backprop @net::@second {{.*}} in_deriv({{.*}}) update
// CHECK: nnet3.backprop @net::@first in_value(%{{.*}}) out_deriv(%{{[0-9]+}} : memref<8x3xf32>) update
// CHECK-NOT: nnet3.provide_output
nnet3.request @model for @net need_model_derivative {
  nnet3.request_input "x" <t = 0:7>
  nnet3.request_input "y" <t = 0:7>
  nnet3.request_output "output" <t = 0:7> deriv
}

// One of two inputs; nothing is updated.
// CHECK-LABEL: nnet3.computation @input_computation for @net {
// CHECK: nnet3.no_operation_marker
// CHECK: nnet3.backprop @net::@first {{.*}} in_deriv(%[[D:.*]] : memref<8x4xf32>){{$}}
// CHECK-NEXT: nnet3.matrix_add %[[D]] into %[[DY:.*]] : memref
// CHECK-NEXT: nnet3.no_operation_permanent
// CHECK-NOT: nnet3.provide_output "x"
// CHECK: nnet3.provide_output "y", %[[DY]]
nnet3.request @input for @net {
  nnet3.request_input "x" <t = 0:7>
  nnet3.request_input "y" <t = 0:7> deriv
  nnet3.request_output "output" <t = 0:7> deriv
}

// An output without derivative counts as one whose derivative is zero.
// CHECK-LABEL: nnet3.computation @two_outputs_computation
// CHECK: nnet3.provide_output "other"
// CHECK: nnet3.provide_output "output"
// CHECK: nnet3.no_operation_marker
// CHECK-NEXT: nnet3.accept_input "output"
// CHECK-NEXT: nnet3.matrix_add
// CHECK-NEXT: nnet3.backprop @net::@second
// CHECK-NEXT: nnet3.matrix_add
// Nothing was added to what goes in here.
// CHECK-NEXT: nnet3.backprop @net::@frozen in_value({{.*}}) out_deriv(%{{.*}} : memref<8x2xf32>)
// CHECK: nnet3.backprop @net::@first
nnet3.request @two_outputs for @net need_model_derivative {
  nnet3.request_input "x" <t = 0:7>
  nnet3.request_input "y" <t = 0:7>
  nnet3.request_output "output" <t = 0:7> deriv
  nnet3.request_output "other" <t = 0:7>
}

// A component with a learning rate of 0 asks for no derivative of its own; it
// hands on what those before it ask for.
// CHECK-LABEL: nnet3.computation @frozen_computation
// CHECK: nnet3.no_operation_marker
// CHECK: nnet3.backprop @net::@frozen {{.*}} in_deriv({{.*}}) update
// CHECK: nnet3.backprop @net::@first {{.*}} update
nnet3.request @frozen for @net need_model_derivative {
  nnet3.request_input "x" <t = 0:7>
  nnet3.request_input "y" <t = 0:7>
  nnet3.request_output "unnormalised" <t = 0:7> deriv
}
// CHECK-LABEL: nnet3.computation @given_computation
// CHECK: nnet3.no_operation_marker
// CHECK-NEXT: nnet3.accept_input "unnormalised"
// CHECK-NOT: nnet3.backprop
nnet3.request @given for @net need_model_derivative {
  nnet3.request_input "a" <t = 0:7>
  nnet3.request_output "unnormalised" <t = 0:7> deriv
}

// Statistics need the memo, also where no derivative does; each is used by
// whatever needs it.
// CHECK-LABEL: nnet3.computation @stats_computation
// CHECK: %[[MEMO:.*]] = nnet3.propagate @net::@norm {{.*}} -> !nnet3.memo
// CHECK-NEXT: nnet3.store_stats @net::@norm {{.*}} memo(%[[MEMO]] : !nnet3.memo)
// CHECK-NOT: nnet3.backprop
nnet3.request @stats for @net store_component_stats {
  nnet3.request_input "x" <t = 0:7>
  nnet3.request_input "y" <t = 0:7>
  nnet3.request_output "output" <t = 0:7>
}
// CHECK-LABEL: nnet3.computation @train_computation
// CHECK: %[[MEMO:.*]] = nnet3.propagate @net::@norm {{.*}} -> !nnet3.memo
// CHECK-NEXT: nnet3.store_stats @net::@norm {{.*}} memo(%[[MEMO]] : !nnet3.memo)
// CHECK: nnet3.backprop @net::@norm {{.*}} memo(%[[MEMO]] : !nnet3.memo)
nnet3.request @train for @net need_model_derivative store_component_stats {
  nnet3.request_input "x" <t = 0:7>
  nnet3.request_input "y" <t = 0:7>
  nnet3.request_output "output" <t = 0:7> deriv
}
// CHECK-LABEL: nnet3.computation @forward_computation
// CHECK-NOT: nnet3.memo
nnet3.request @forward for @net {
  nnet3.request_input "x" <t = 0:7>
  nnet3.request_input "y" <t = 0:7>
  nnet3.request_output "output" <t = 0:7>
}

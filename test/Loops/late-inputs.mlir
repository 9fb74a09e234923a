// RUN: nnet3-opt %s --debug-only=nnet3-shortcut-frames --pass-pipeline='builtin.module(nnet3-shortcut-frames{passes=nnet3-optimize})' 2>&1 >%t | FileCheck %s --check-prefix=DEBUG
// RUN: FileCheck %s < %t

// Frames are left out where all inputs have rows. An input that starts late
// must be read in the shorter requests as well.
// DEBUG: @late: expanded
// DEBUG-NEXT: @early: expanded
// DEBUG-NEXT: @fixed: compiled in full
// CHECK-LABEL: nnet3.computation @late_computation
// CHECK: %[[INPUT:.*]] = nnet3.accept_input "input"
// CHECK: %[[SOME:.*]] = nnet3.accept_input "some"
// CHECK: nnet3.loop %{{.*}} to 59 {
// CHECK-NOT: nnet3.moving_sub_matrix %[[SOME]]
// CHECK: }
// CHECK: nnet3.loop %[[ROUND:.*]] to 938 {
// CHECK: nnet3.moving_sub_matrix %[[SOME]][1 + 1 * %[[ROUND]], 0]
// CHECK: nnet3.moving_sub_matrix %[[INPUT]][61 + 1 * %[[ROUND]], 0]
// CHECK: }
// CHECK: provide_output
// CHECK-LABEL: nnet3.computation @early_computation
// CHECK: %[[SOME:.*]] = nnet3.accept_input "some"
// CHECK: nnet3.loop %[[ROUND:.*]] to [[#BOTH:]] {
// CHECK: nnet3.moving_sub_matrix %[[SOME]]
// CHECK: }
// CHECK: nnet3.loop %{{.*}} to {{[56][0-9]}} {
// CHECK-NOT: nnet3.moving_sub_matrix %[[SOME]]
// CHECK: provide_output
nnet3.network @net {
  nnet3.linear @back {input_dim = 4, output_dim = 4}
  %input = nnet3.input_node "input" : !nnet3.rows<4>
  %some = nnet3.input_node "some" : !nnet3.rows<4>
  %before = nnet3.offset %state, t = -1 : !nnet3.rows<4>
  %optional = nnet3.if_defined %before : !nnet3.rows<4>
  %if_some = nnet3.if_defined %some : !nnet3.rows<4>
  %both = nnet3.sum %input, %if_some : !nnet3.rows<4>
  %sum = nnet3.sum %both, %optional : !nnet3.rows<4>
  %state = nnet3.component_node "state" @back(%sum) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %state : !nnet3.rows<4>
}
nnet3.request @late for @net {
  nnet3.request_input "input" <t = 0:999>
  nnet3.request_input "some" <t = 60:1100>
  nnet3.request_output "output" <t = 0:999>
}
nnet3.request @early for @net {
  nnet3.request_input "input" <t = 0:999>
  nnet3.request_input "some" <t = -100:939>
  nnet3.request_output "output" <t = 0:999>
}

// The row at t = 900 is read at all times; it is missing in shorter requests.
nnet3.network @at_time {
  nnet3.linear @back {input_dim = 4, output_dim = 4}
  %input = nnet3.input_node "input" : !nnet3.rows<4>
  %before = nnet3.offset %state, t = -1 : !nnet3.rows<4>
  %optional = nnet3.if_defined %before : !nnet3.rows<4>
  %sum = nnet3.sum %input, %optional : !nnet3.rows<4>
  %state = nnet3.component_node "state" @back(%sum) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %fixed = nnet3.replace_index %input, t = 900 : !nnet3.rows<4>
  %if_fixed = nnet3.if_defined %fixed : !nnet3.rows<4>
  %both = nnet3.sum %state, %if_fixed : !nnet3.rows<4>
  nnet3.output_node "output", %both : !nnet3.rows<4>
}
nnet3.request @fixed for @at_time {
  nnet3.request_input "input" <t = 0:999>
  nnet3.request_output "output" <t = 0:999>
}

// RUN: nnet3-opt %s --pass-pipeline='builtin.module(nnet3-shortcut-frames{passes=nnet3-optimize},nnet3.computation(nnet3-roll-loops))' > %t.short
// RUN: nnet3-opt %s --pass-pipeline='builtin.module(nnet3-compile,nnet3-optimize,nnet3.computation(nnet3-roll-loops))' > %t.full
// RUN: diff %t.short %t.full
// RUN: FileCheck %s < %t.short
// RUN: nnet3-opt %s --debug-only=nnet3-shortcut-frames --pass-pipeline='builtin.module(nnet3-shortcut-frames{passes=nnet3-optimize})' 2>&1 >%t.none | FileCheck %s --check-prefix=DEBUG
// RUN: nnet3-opt %s --debug-only=nnet3-shortcut-frames --pass-pipeline='builtin.module(nnet3-shortcut-frames{debug-info passes=nnet3-optimize})' 2>&1 >%t.none | FileCheck %s --check-prefix=INFO
// RUN: not nnet3-opt %s --pass-pipeline='builtin.module(nnet3-shortcut-frames{passes=nnet3-nothing})' 2>&1 >%t.none | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: option passes: {{.*}}nnet3-nothing

// The same commands, for more rounds.
// DEBUG: @long: expanded
// DEBUG-NEXT: @longer: expanded
// DEBUG-NEXT: @backward: expanded
// DEBUG-NEXT: @short: compiled in full: it has no recurrence over many frames at equal distances
// DEBUG-NEXT: @listed: compiled in full: it has no recurrence over many frames at equal distances
// DEBUG-NEXT: @few: expanded
// DEBUG-NEXT: @chunk: expanded
// DEBUG-NEXT: @zeroed: expanded
// INFO: @long: compiled in full
// CHECK-LABEL: nnet3.computation @long_computation
// CHECK: nnet3.accept_input "input" : memref<300x4xf32>
// CHECK: nnet3.loop %{{.*}} to [[#ROUNDS:]] {
// CHECK-LABEL: nnet3.computation @longer_computation
// CHECK: nnet3.accept_input "input" : memref<3000x4xf32>
// CHECK: nnet3.loop %{{.*}} to [[#ROUNDS + 2700]] {
// CHECK-LABEL: nnet3.computation @backward_computation
// CHECK: nnet3.loop
// CHECK: nnet3.no_operation_marker
// CHECK: nnet3.loop
// CHECK-LABEL: nnet3.computation @short_computation
// CHECK-LABEL: nnet3.computation @listed_computation
nnet3.network @net {
  nnet3.linear @in {input_dim = 4, output_dim = 3}
  nnet3.linear @back {input_dim = 3, output_dim = 3}
  nnet3.tanh @tanh {dim = 3}
  %input = nnet3.input_node "input" : !nnet3.rows<4>
  %x = nnet3.component_node "x" @in(%input) : (!nnet3.rows<4>) -> !nnet3.rows<3>
  %before = nnet3.offset %state, t = -1 : !nnet3.rows<3>
  %y = nnet3.component_node "y" @back(%before) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  %optional = nnet3.if_defined %y : !nnet3.rows<3>
  %sum = nnet3.sum %x, %optional : !nnet3.rows<3>
  %state = nnet3.component_node "state" @tanh(%sum) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  nnet3.output_node "output", %state : !nnet3.rows<3>
}
nnet3.request @long for @net {
  nnet3.request_input "input" <t = 0:299>
  nnet3.request_output "output" <t = 0:299>
}
nnet3.request @longer for @net {
  nnet3.request_input "input" <t = 0:2999>
  nnet3.request_output "output" <t = 0:2999>
}
nnet3.request @backward for @net need_model_derivative {
  nnet3.request_input "input" <t = 0:299> deriv
  nnet3.request_output "output" <t = 0:299> deriv
}
nnet3.request @short for @net {
  nnet3.request_input "input" <t = 0:9>
  nnet3.request_output "output" <t = 0:9>
}
nnet3.request @listed for @net {
  nnet3.request_input "input" <t = [0:99, 101:200]>
  nnet3.request_output "output" <t = 0:99>
}

// A list of few frames stays the same for more frames.
nnet3.network @start {
  nnet3.linear @back {input_dim = 4, output_dim = 4}
  %input = nnet3.input_node "input" : !nnet3.rows<4>
  %few = nnet3.input_node "few" : !nnet3.rows<4>
  %before = nnet3.offset %state, t = -1 : !nnet3.rows<4>
  %optional = nnet3.if_defined %before : !nnet3.rows<4>
  %first = nnet3.if_defined %few : !nnet3.rows<4>
  %both = nnet3.sum %input, %first : !nnet3.rows<4>
  %sum = nnet3.sum %both, %optional : !nnet3.rows<4>
  %state = nnet3.component_node "state" @back(%sum) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %state : !nnet3.rows<4>
}
nnet3.request @few for @start {
  nnet3.request_input "input" <t = 0:299>
  nnet3.request_input "few" <t = 0:2>
  nnet3.request_output "output" <t = 0:299>
}

// A chunk of a stream. The state before it stays, and the state after it moves with
// the end of the chunk.
nnet3.network @stream {
  nnet3.linear @back {input_dim = 4, output_dim = 4}
  %input = nnet3.input_node "input" : !nnet3.rows<4>
  %early = nnet3.offset %input, t = -1 : !nnet3.rows<4>
  %before = nnet3.offset %state, t = -3 : !nnet3.rows<4>
  %optional = nnet3.if_defined %before : !nnet3.rows<4>
  %sum = nnet3.sum %early, %optional : !nnet3.rows<4>
  %state = nnet3.component_node "state" @back(%sum) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %next = nnet3.if_defined %state : !nnet3.rows<4>
  nnet3.output_node "output", %state : !nnet3.rows<4>
  nnet3.output_node "state.next", %next : !nnet3.rows<4>
}
nnet3.request @chunk for @stream {
  nnet3.request_input "input" <t = -1:299>
  nnet3.request_input "state" <t = -3:-1>
  nnet3.request_output "output" <t = 0:299>
  nnet3.request_output "state.next" <t = 297:299>
}

// Every fifth step may zero derivatives, so a round of the loop is five steps,
// and rows of five matrices in turn are read behind it.
nnet3.network @truncated {
  nnet3.linear @back {input_dim = 4, output_dim = 4}
  nnet3.backprop_truncation @truncation {dim = 4, recurrence_interval = 1, zeroing_interval = 5}
  %input = nnet3.input_node "input" : !nnet3.rows<4>
  %before = nnet3.offset %kept, t = -1 : !nnet3.rows<4>
  %optional = nnet3.if_defined %before : !nnet3.rows<4>
  %sum = nnet3.sum %input, %optional : !nnet3.rows<4>
  %state = nnet3.component_node "state" @back(%sum) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %kept = nnet3.component_node "kept" @truncation(%state) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %state : !nnet3.rows<4>
}
nnet3.request @zeroed for @truncated need_model_derivative {
  nnet3.request_input "input" <t = 0:599> deriv
  nnet3.request_output "output" <t = 0:599> deriv
}

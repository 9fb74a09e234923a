// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt %s --verify-roundtrip -o /dev/null

nnet3.network @net {
  nnet3.no_op @noop {dim = 4}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %a = nnet3.component_node "a" @noop(%in) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %a : !nnet3.rows<4>
}

// CHECK-LABEL: nnet3.request @chunk for @net {
nnet3.request @chunk for @net {
  // CHECK-NEXT: nnet3.request_input "input" <n = 0:7, t = -3:12>
  nnet3.request_input "input" <n = 0:7, t = -3:12>
  // CHECK-NEXT: nnet3.request_output "output" <n = 0:7, t = 0:9:3>
  nnet3.request_output "output" <n = 0:7, t = 0:9:3>
}

// CHECK-LABEL: nnet3.request @blocks for @net blocks_of 4 {
nnet3.request @blocks for @net blocks_of 4 {
  nnet3.request_input "input" <n = 0:7, t = -3:12>
  nnet3.request_output "output" <n = 0:7, t = 0:9:3>
}

// CHECK-LABEL: nnet3.request @training for @net need_model_derivative store_component_stats {
nnet3.request @training for @net need_model_derivative store_component_stats {
  // CHECK-NEXT: nnet3.request_input "input" <t = 0:3> deriv
  nnet3.request_input "input" <t = 0:3> deriv
  // CHECK-NEXT: nnet3.request_output "output" <[(0, 0), (0, 3, 1)]> deriv
  nnet3.request_output "output" <[(0, 0), (0, 3, 1)]> deriv
}

// The values of a component node, supplied by the caller.
// CHECK-LABEL: nnet3.request @inside
nnet3.request @inside for @net {
  // CHECK-NEXT: nnet3.request_input "a"
  nnet3.request_input "a" <t = 0>
  nnet3.request_output "output" <t = 0>
}

// RUN: nnet3-opt --nnet3-shortcut-compile %s --verify-diagnostics
// RUN: not nnet3-opt --nnet3-shortcut-compile=passes=nnet3-nothing %s 2>&1 | FileCheck %s
// CHECK: error: option passes: {{.*}}'nnet3-nothing' does not refer to a registered pass

nnet3.network @net {
  // expected-note @+1 {{the rows in between: output(0, 3, 0) <- input(0, 4, 0)}}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %next = nnet3.offset %in, t = 1 : !nnet3.rows<4>
  nnet3.output_node "output", %next : !nnet3.rows<4>
}

// expected-remark @+1 {{request @missing is compiled in full: it cannot be compiled for two sequences}}
nnet3.request @missing for @net {
  nnet3.request_input "input" <n = 0:4, t = 0:3>
  // expected-error @+1 {{output output(0, 3, 0) is not computable: it needs input input(0, 4, 0)}}
  nnet3.request_output "output" <n = 0:4, t = 0:3>
}

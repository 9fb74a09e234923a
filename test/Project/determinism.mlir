// The same input gives the same bytes, whatever addresses and threads a run
// has.

// RUN: nnet3-opt %s -nnet3-compile=debug-info -nnet3-set-test-mode -o %t.1
// RUN: nnet3-opt %s -nnet3-compile=debug-info -nnet3-set-test-mode -o %t.2
// RUN: nnet3-opt %s -nnet3-compile=debug-info -nnet3-set-test-mode -mlir-disable-threading -o %t.3
// RUN: cmp %t.1 %t.2
// RUN: cmp %t.1 %t.3
// RUN: cat %t.1 | nnet3-opt -emit-bytecode -o %t.1bc
// RUN: cat %t.2 | nnet3-opt -emit-bytecode -o %t.2bc
// RUN: cmp %t.1bc %t.2bc
// RUN: FileCheck %s < %t.1

// A recurrence, optional inputs, a component with time offsets, and requests
// whose rows are listed one by one.
// CHECK: nnet3.computation @regular_computation
// CHECK: nnet3.computation @irregular_computation
nnet3.network @net {
  nnet3.tdnn @tdnn {input_dim = 4, output_dim = 3, time_offsets = array<i64: -2, 0, 2>}
  nnet3.affine @affine {input_dim = 9, output_dim = 3}
  nnet3.batch_norm @norm {dim = 3}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %iv = nnet3.input_node "ivector" : !nnet3.rows<3>
  %a = nnet3.component_node "a" @tdnn(%in) : (!nnet3.rows<4>) -> !nnet3.rows<3>
  %iv0 = nnet3.replace_index %iv, t = 0 : !nnet3.rows<3>
  %prev = nnet3.offset %h, t = -1 : !nnet3.rows<3>
  %opt = nnet3.if_defined %prev : !nnet3.rows<3>
  %x = nnet3.append %a, %iv0, %opt : (!nnet3.rows<3>, !nnet3.rows<3>, !nnet3.rows<3>) -> !nnet3.rows<9>
  %b = nnet3.component_node "b" @affine(%x) : (!nnet3.rows<9>) -> !nnet3.rows<3>
  %h = nnet3.component_node "h" @norm(%b) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  nnet3.output_node "output", %h : !nnet3.rows<3>
}
nnet3.request @regular for @net {
  nnet3.request_input "input" <n = 0:3, t = -2:9>
  nnet3.request_input "ivector" <n = 0:3>
  nnet3.request_output "output" <n = 0:3, t = 0:7>
}
nnet3.request @irregular for @net {
  nnet3.request_input "input" <n = [0:3, 9], t = -2:9>
  nnet3.request_input "ivector" <[(9, 0), (0, 0), (2, 0)]>
  nnet3.request_output "output" <[(9, 3), (9, 1), (0, 5), (2, 1)]>
}

// RUN: nnet3-opt %s --nnet3-compile=debug-info | FileCheck %s
// RUN: nnet3-opt %s --nnet3-compile | FileCheck %s --check-prefix=PLAIN

// Every matrix says which rows of which node it holds.

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<2>
  nnet3.tdnn @tdnn {input_dim = 2, output_dim = 5, time_offsets = array<i64: -1, 0>}
  %y = nnet3.component_node "y" @tdnn(%x) : (!nnet3.rows<2>) -> !nnet3.rows<5>
  nnet3.output_node "output", %y : !nnet3.rows<5>
}

// CHECK-LABEL: nnet3.computation @request_computation
// CHECK: accept_input "x" {nnet3.indexes = #nnet3.indexes<n = 0:1, t = -1:3>, nnet3.node = "x"}
// CHECK: alloc_matrix_zeroed {nnet3.indexes = #nnet3.indexes<[(0, -1), (0, 0), (0, _), (1, -1), (1, 0), (1, _), (0, 2), (0, 3), (0, _), (1, 2), (1, 3), (1, _)]>, nnet3.node = "y_input"}
// CHECK: alloc_matrix_zeroed {nnet3.indexes = #nnet3.indexes<n = 0:1, t = [0, 3], order = tn>, nnet3.node = "y"}
// CHECK: alloc_matrix_zeroed {nnet3.indexes = #nnet3.indexes<n = 0:1, t = [0, 3]>, nnet3.node = "output"}
// PLAIN-NOT: nnet3.node
nnet3.request @request for @net {
  nnet3.request_input "x" <n = 0:1, t = -1:3>
  nnet3.request_output "output" <n = 0:1, t = 0:3:3>
}

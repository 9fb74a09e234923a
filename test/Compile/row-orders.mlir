// RUN: nnet3-opt %s --nnet3-compile | FileCheck %s
// RUN: nnet3-opt %s --nnet3-compile=fold-sequences=false | FileCheck %s --check-prefix=LISTED

// Rows that the caller has keep the request's order; matrices in between have
// time outermost and sequences innermost.

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<2>
  nnet3.tanh @tanh {dim = 2}
  %a = nnet3.component_node "a" @tanh(%x) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  nnet3.output_node "output", %a : !nnet3.rows<2>
}

// CHECK-LABEL: nnet3.computation @nt_computation
// CHECK: nnet3.add_rows %{{.*}} <[6 x +1](0:18:6)> into
// CHECK: nnet3.add_rows %{{.*}} <[4 x +1](0:20:4)> into
nnet3.request @nt for @net {
  nnet3.request_input "x" <n = 0:3, t = 0:5>
  nnet3.request_output "output" <n = 0:3, t = 0:5>
}

// CHECK-LABEL: nnet3.computation @tn_computation
// CHECK: nnet3.matrix_add
// CHECK: nnet3.matrix_add
nnet3.request @tn for @net {
  nnet3.request_input "x" <n = 0:3, t = 0:5, order = tn>
  nnet3.request_output "output" <n = 0:3, t = 0:5, order = txn>
}

// Every second frame, from the last to the first.
// CHECK-LABEL: nnet3.computation @backwards_computation
// CHECK: nnet3.add_rows %{{.*}} <2:0:-1> into
nnet3.request @backwards for @net {
  nnet3.request_input "x" <t = [4, 2, 0]>
  nnet3.request_output "output" <t = [0, 2, 4]>
}

// No two sequences are alike: the tables list what there is.
// LISTED-LABEL: nnet3.computation @irregular_computation
// LISTED: nnet3.add_rows %{{.*}} <3, 1, 0:2:2> into
// CHECK-LABEL: nnet3.computation @irregular_computation
// CHECK: nnet3.add_rows %{{.*}} <3, 1, 0:2:2> into
nnet3.request @irregular for @net {
  nnet3.request_input "x" <[(0, 4), (2, 1), (7, 5), (0, 1)]>
  nnet3.request_output "output" <[(0, 1), (2, 1), (0, 4), (7, 5)]>
}

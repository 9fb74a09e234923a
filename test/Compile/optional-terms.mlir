// RUN: nnet3-opt %s --nnet3-compile | FileCheck %s

// Optional terms are decided by what is supplied.

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<2>
  %prev = nnet3.offset %x, t = -1 : !nnet3.rows<2>
  %opt = nnet3.if_defined %prev : !nnet3.rows<2>
  %next = nnet3.offset %x, t = 1 : !nnet3.rows<2>
  %last = nnet3.failover %next, %x : !nnet3.rows<2>
  %all = nnet3.append %x, %opt, %last : (!nnet3.rows<2>, !nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<6>
  nnet3.output_node "output", %all : !nnet3.rows<6>
}

// CHECK-LABEL: nnet3.computation @same_times_computation
// CHECK: nnet3.matrix_add
// CHECK: nnet3.add_rows %{{.*}} <_, 0:1> into
// CHECK: nnet3.add_rows %{{.*}} <1, 2 x 2> into
nnet3.request @same_times for @net {
  nnet3.request_input "x" <t = 0:2>
  nnet3.request_output "output" <t = 0:2>
}

// CHECK-LABEL: nnet3.computation @more_times_computation
// CHECK: nnet3.add_rows %{{.*}} <1:3> into
// CHECK: nnet3.add_rows %{{.*}} <0:2> into
// CHECK: nnet3.add_rows %{{.*}} <2:4> into
nnet3.request @more_times for @net {
  nnet3.request_input "x" <t = -1:3>
  nnet3.request_output "output" <t = 0:2>
}

// A sequence that has fewer frames than the others.
// CHECK-LABEL: nnet3.computation @ragged_computation
// CHECK: nnet3.add_rows %{{.*}} <0, 1, 3:4> into
// CHECK: nnet3.add_rows %{{.*}} <_, 0, _, 3> into
// CHECK: nnet3.add_rows %{{.*}} <1, 2, 2 x 4> into
nnet3.request @ragged for @net {
  nnet3.request_input "x" <[(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)]>
  nnet3.request_output "output" <n = 0:1, t = 0:1>
}

// RUN: nnet3-opt %s -nnet3-prune-bottlenecks="keep=0.5 multiple=1" 2>&1 | FileCheck %s
// RUN: split-file %S/Inputs/moments.txt %t
// RUN: nnet3-opt %s -nnet3-prune-bottlenecks="keep=0.5 multiple=1 moments=ark:%t/moments" 2>&1 | FileCheck %s --check-prefix=MEASURED
// RUN: nnet3-opt %s -nnet3-prune-bottlenecks="keep=0.5 multiple=2" 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: nnet3-opt %s -nnet3-prune-bottlenecks="name=none" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not nnet3-opt %s -nnet3-prune-bottlenecks="keep=0" 2>&1 | FileCheck %s --check-prefix=KEEP
// RUN: not nnet3-opt %s -nnet3-prune-bottlenecks="multiple=0" 2>&1 | FileCheck %s --check-prefix=MULTIPLE
// RUN: not nnet3-opt %s -nnet3-prune-bottlenecks="keep=0.5 multiple=1 moments=ark:%t/small" 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not nnet3-opt %s -nnet3-prune-bottlenecks="keep=0.5 multiple=1 moments=ark:%t/other" 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not nnet3-opt %s -nnet3-prune-bottlenecks="keep=0.5 multiple=1 moments=ark:%t/nothing" 2>&1 | FileCheck %s --check-prefix=NOTHING

// The reader sees 3 of the first column and, at two times, 1 of the second, of
// equal power: 9 of 10 is what the first one contributes.
// CHECK:      remark: node 'down' keeps 1 of 2 columns with 0.9 of what they contribute
// CHECK:      nnet3.linear @down {input_dim = 3 : i64, output_dim = 1 : i64, params = {{.*}}tensor<1x3xf32>
// CHECK:      nnet3.tdnn @up {{.*}}input_dim = 1 : i64, linear_params = {{.*}}tensor<3x2xf32>
// CHECK:      %[[DOWN:.*]] = nnet3.component_node "down" @down(%input) : (!nnet3.rows<3>) -> !nnet3.rows<1>
// CHECK:      nnet3.component_node "up" @up(%[[DOWN]]) : (!nnet3.rows<1>) -> !nnet3.rows<3>

// Where the second column has 27 times the power of the first, it is kept.
// MEASURED: remark: node 'down' keeps 1 of 2 columns with 0.75 of what they contribute
// ALL-NOT: remark
// ALL: nnet3.component_node "down" @down(%input) : (!nnet3.rows<3>) -> !nnet3.rows<2>
// NONE: warning: no node that matches 'none' is a bottleneck
// KEEP: error: expects a part above 0 and up to 1 to keep, but got 0
// MULTIPLE: error: expects a multiple of at least 1, but got 0
// SMALL: error: expects moments of node 'down' of 2 x 2, but got 1 x 1
// OTHER: error: there are no moments of node 'down'
// NOTHING: error: {{.*}}nothing{{.*}}: cannot open
nnet3.network @net {
  nnet3.linear @down {input_dim = 3, output_dim = 2, params = dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]> : tensor<2x3xf32>}
  nnet3.tdnn @up {bias_params = dense<0.0> : tensor<3xf32>, input_dim = 2, linear_params = dense<[[3.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0]]> : tensor<3x4xf32>, output_dim = 3, time_offsets = array<i64: 0, 1>}
  %input = nnet3.input_node "input" : !nnet3.rows<3>
  %down = nnet3.component_node "down" @down(%input) : (!nnet3.rows<3>) -> !nnet3.rows<2>
  %up = nnet3.component_node "up" @up(%down) : (!nnet3.rows<2>) -> !nnet3.rows<3>
  nnet3.output_node "output", %up : !nnet3.rows<3>
}

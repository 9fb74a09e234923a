// RUN: nnet3-opt %s -nnet3-rename-node="old-name=b new-name=c.d" | FileCheck %s

// References follow; components keep their names.

// CHECK: nnet3.no_op @b
// CHECK: %[[C:.*]] = nnet3.component_node "c.d" @b(
// CHECK: nnet3.output_node "output", %[[C]]
nnet3.network @net {
  nnet3.no_op @b {dim = 4}
  %input = nnet3.input_node "input" : !nnet3.rows<4>
  %b = nnet3.component_node "b" @b(%input) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %b : !nnet3.rows<4>
}

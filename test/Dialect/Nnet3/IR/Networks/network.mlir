// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt %s --verify-roundtrip -o /dev/null
// RUN: nnet3-opt %s -emit-bytecode | nnet3-opt | FileCheck %s

// A recurrence is a cycle of values, which runs through a node.
// CHECK-LABEL: nnet3.network @rnn {
nnet3.network @rnn {
  nnet3.rectified_linear @relu {dim = 4}
  // CHECK: %input = nnet3.input_node "input" : !nnet3.rows<4>
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  // CHECK: %[[PREV:.*]] = nnet3.offset %h, t = -1 : !nnet3.rows<4>
  %prev = nnet3.offset %h, t = -1 : !nnet3.rows<4>
  %opt = nnet3.if_defined %prev : !nnet3.rows<4>
  %sum = nnet3.sum %in, %opt : !nnet3.rows<4>
  // CHECK: %h = nnet3.component_node "h" @relu(%{{.*}}) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %h = nnet3.component_node "h" @relu(%sum) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  // CHECK: nnet3.output_node "output", %h : !nnet3.rows<4>
  nnet3.output_node "output", %h : !nnet3.rows<4>
}

// CHECK-LABEL: nnet3.network @nodes priors dense<[2.500000e-01, 7.500000e-01]> : tensor<2xf32> {
nnet3.network @nodes priors dense<[0.25, 0.75]> : tensor<2xf32> {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  // CHECK: %part = nnet3.dim_range_node "part" %input offset 1 : !nnet3.rows<4> -> !nnet3.rows<2>
  %part = nnet3.dim_range_node "part" %in offset 1 : !nnet3.rows<4> -> !nnet3.rows<2>
  // The default objective is not printed.
  // CHECK: nnet3.output_node "output", %part : !nnet3.rows<2>
  nnet3.output_node "output", %part objective linear : !nnet3.rows<2>
  // CHECK: nnet3.output_node "second", %input objective quadratic : !nnet3.rows<4>
  nnet3.output_node "second", %in objective quadratic : !nnet3.rows<4>
}

// RUN: nnet3-translate --mlir-to-dot %s | FileCheck %s

// A recurrence, with descriptors of one operand on the arrows.
// CHECK: digraph nnet3 {
// CHECK: subgraph cluster0 {
// CHECK-NEXT: label="network @rnn";
// CHECK: [[IN:n0_[0-9]+]] [label="input\n4", shape=ellipse
// CHECK: [[ONE:n0_[0-9]+]] [label="const 1\n4"
// CHECK: [[SUM:n0_[0-9]+]] [label="sum\n4"
// CHECK: [[H:n0_[0-9]+]] [label="h @relu\nRectifiedLinearComponent\n4"
// CHECK: [[RANGE:n0_[0-9]+]] [label="part\ncolumns 1 to 2\n2", shape=cds
// CHECK: [[OUT:n0_[0-9]+]] [label="output\n2", shape=ellipse, peripheries=2
// CHECK-DAG: [[IN]] -> [[SUM]] [label="times 0.5"];
// CHECK-DAG: [[H]] -> [[SUM]] [label="t-1 x+2, if defined", style=dashed
// CHECK-DAG: [[ONE]] -> [[SUM]] [label=""];
// CHECK-DAG: [[SUM]] -> [[H]] [label=""];
// CHECK-DAG: [[RANGE]] -> [[OUT]] [label="t = 0, t to multiple of 3"];
// CHECK: }
// CHECK-NEXT: }
nnet3.network @rnn {
  nnet3.rectified_linear @relu {dim = 4}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %prev = nnet3.offset %h, t = -1, x = 2 : !nnet3.rows<4>
  %opt = nnet3.if_defined %prev : !nnet3.rows<4>
  %half = nnet3.scale 5.000000e-01, %in : !nnet3.rows<4>
  %one = nnet3.const 1.000000e+00 : !nnet3.rows<4>
  %sum = nnet3.sum %half, %opt, %one : !nnet3.rows<4>
  %h = nnet3.component_node "h" @relu(%sum) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %part = nnet3.dim_range_node "part" %h offset 1 : !nnet3.rows<4> -> !nnet3.rows<2>
  %first = nnet3.replace_index %part, t = 0 : !nnet3.rows<2>
  %round = nnet3.round %first, 3 : !nnet3.rows<2>
  nnet3.output_node "output", %round : !nnet3.rows<2>
}

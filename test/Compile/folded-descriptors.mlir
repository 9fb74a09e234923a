// The commands of a network whose descriptors are folded are the same.
// RUN: nnet3-opt --nnet3-compile %s | sed -n '/nnet3.computation/,$p' > %t.given
// RUN: nnet3-opt --canonicalize %s | FileCheck %s
// RUN: nnet3-opt --canonicalize --nnet3-compile %s | sed -n '/nnet3.computation/,$p' > %t.folded
// RUN: cmp %t.given %t.folded
// RUN: FileCheck --check-prefix=COMMANDS %s < %t.folded

// CHECK-COUNT-2: nnet3.offset
// CHECK-NOT: nnet3.offset
// COMMANDS: nnet3.add_rows %{{.*}} <_, _, 0:2>
nnet3.network @net {
  nnet3.rectified_linear @relu {dim = 6}
  %a = nnet3.input_node "a" : !nnet3.rows<2>
  %b = nnet3.input_node "b" : !nnet3.rows<2>
  %back = nnet3.offset %a, t = -2 : !nnet3.rows<2>
  %ahead = nnet3.offset %back, t = 3 : !nnet3.rows<2>
  %same = nnet3.offset %b, t = 0 : !nnet3.rows<2>
  %one = nnet3.scale 1.0, %same : !nnet3.rows<2>
  %defined = nnet3.if_defined %back : !nnet3.rows<2>
  %again = nnet3.if_defined %defined : !nnet3.rows<2>
  %there = nnet3.failover %again, %b : !nnet3.rows<2>
  %two = nnet3.append %ahead, %one : (!nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<4>
  %three = nnet3.append %two, %there : (!nnet3.rows<4>, !nnet3.rows<2>) -> !nnet3.rows<6>
  %relu = nnet3.component_node "relu" @relu(%three) : (!nnet3.rows<6>) -> !nnet3.rows<6>
  nnet3.output_node "output", %relu : !nnet3.rows<6>
}
nnet3.request @request for @net {
  nnet3.request_input "a" <t = 0:5>
  nnet3.request_input "b" <t = 0:5>
  nnet3.request_output "output" <t = 0:4>
}

// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: nnet3.network @descriptors
nnet3.network @descriptors {
  // CHECK: %[[A:.*]] = nnet3.input_node "a"
  %a = nnet3.input_node "a" : !nnet3.rows<2>
  // CHECK: %[[B:.*]] = nnet3.input_node "b"
  %b = nnet3.input_node "b" : !nnet3.rows<2>
  // CHECK: %[[APPEND:.*]] = nnet3.append %[[A]], %[[B]], %[[A]] : (!nnet3.rows<2>, !nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<6>
  %append = nnet3.append %a, %b, %a : (!nnet3.rows<2>, !nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<6>
  nnet3.output_node "append", %append : !nnet3.rows<6>
  // CHECK: nnet3.sum %[[A]], %[[B]], %[[A]] : !nnet3.rows<2>
  %sum = nnet3.sum %a, %b, %a : !nnet3.rows<2>
  // CHECK: nnet3.scale -5.000000e-01, %{{.*}} : !nnet3.rows<2>
  %scale = nnet3.scale -0.5, %sum : !nnet3.rows<2>
  // CHECK: nnet3.const 1.000000e+00 : !nnet3.rows<2>
  %const = nnet3.const 1.0 : !nnet3.rows<2>
  // CHECK: nnet3.offset %[[A]], t = -1 : !nnet3.rows<2>
  %offset = nnet3.offset %a, t = -1 : !nnet3.rows<2>
  // CHECK: nnet3.offset %[[A]], t = 0, x = 2 : !nnet3.rows<2>
  %other = nnet3.offset %a, t = 0, x = 2 : !nnet3.rows<2>
  // CHECK: nnet3.switch %[[A]], %[[B]] : !nnet3.rows<2>
  %switch = nnet3.switch %a, %b : !nnet3.rows<2>
  // CHECK: nnet3.round %[[A]], 3 : !nnet3.rows<2>
  %round = nnet3.round %a, 3 : !nnet3.rows<2>
  // CHECK: nnet3.replace_index %[[A]], t = 0 : !nnet3.rows<2>
  %t = nnet3.replace_index %a, t = 0 : !nnet3.rows<2>
  // CHECK: nnet3.replace_index %[[A]], x = -7 : !nnet3.rows<2>
  %x = nnet3.replace_index %a, x = -7 : !nnet3.rows<2>
  // CHECK: nnet3.failover %[[A]], %[[B]] : !nnet3.rows<2>
  %failover = nnet3.failover %a, %b : !nnet3.rows<2>
  // CHECK: nnet3.if_defined %[[A]] : !nnet3.rows<2>
  %if = nnet3.if_defined %a : !nnet3.rows<2>
}

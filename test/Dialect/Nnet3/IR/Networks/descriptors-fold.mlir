// RUN: nnet3-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: nnet3.network @same
nnet3.network @same {
  // CHECK: %[[A:.*]] = nnet3.input_node "a"
  %a = nnet3.input_node "a" : !nnet3.rows<2>
  // CHECK-NEXT: nnet3.output_node "o1", %[[A]]
  %zero = nnet3.offset %a, t = 0 : !nnet3.rows<2>
  %one = nnet3.scale 1.0, %zero : !nnet3.rows<2>
  %round = nnet3.round %one, 1 : !nnet3.rows<2>
  %sum = nnet3.sum %round : !nnet3.rows<2>
  %switch = nnet3.switch %sum : !nnet3.rows<2>
  %append = nnet3.append %switch : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %failover = nnet3.failover %append, %append : !nnet3.rows<2>
  nnet3.output_node "o1", %failover : !nnet3.rows<2>
}

// CHECK-LABEL: nnet3.network @nested
nnet3.network @nested {
  // CHECK: %[[A:.*]] = nnet3.input_node "a"
  %a = nnet3.input_node "a" : !nnet3.rows<2>
  // CHECK-NEXT: %[[B:.*]] = nnet3.input_node "b"
  %b = nnet3.input_node "b" : !nnet3.rows<2>
  // CHECK-DAG: %[[OFFSET:.*]] = nnet3.offset %[[A]], t = 2, x = 1
  %back = nnet3.offset %a, t = -1, x = 1 : !nnet3.rows<2>
  %ahead = nnet3.offset %back, t = 3 : !nnet3.rows<2>
  // CHECK-DAG: nnet3.output_node "offset", %[[OFFSET]]
  nnet3.output_node "offset", %ahead : !nnet3.rows<2>
  // CHECK-DAG: %[[FIXED:.*]] = nnet3.replace_index %[[A]], t = 5
  %first = nnet3.replace_index %a, t = 0 : !nnet3.rows<2>
  %fixed = nnet3.replace_index %first, t = 5 : !nnet3.rows<2>
  // CHECK-DAG: nnet3.output_node "fixed", %[[FIXED]]
  nnet3.output_node "fixed", %fixed : !nnet3.rows<2>
  // CHECK-DAG: %[[APPEND:.*]] = nnet3.append %[[A]], %[[B]], %[[A]]
  %two = nnet3.append %a, %b : (!nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<4>
  %three = nnet3.append %two, %a : (!nnet3.rows<4>, !nnet3.rows<2>) -> !nnet3.rows<6>
  // CHECK-DAG: nnet3.output_node "append", %[[APPEND]]
  nnet3.output_node "append", %three : !nnet3.rows<6>
  // CHECK-DAG: %[[DEFINED:.*]] = nnet3.if_defined %[[OFFSET]]
  %defined = nnet3.if_defined %ahead : !nnet3.rows<2>
  %again = nnet3.if_defined %defined : !nnet3.rows<2>
  %there = nnet3.failover %again, %b : !nnet3.rows<2>
  // CHECK-DAG: nnet3.output_node "defined", %[[DEFINED]]
  nnet3.output_node "defined", %there : !nnet3.rows<2>
}

// What has no number, or would round otherwise, stays.
// CHECK-LABEL: nnet3.network @stays
nnet3.network @stays {
  %a = nnet3.input_node "a" : !nnet3.rows<2>
  // CHECK: nnet3.offset {{.*}}, t = 2147483647
  // CHECK: nnet3.offset {{.*}}, t = 1
  %far = nnet3.offset %a, t = 2147483647 : !nnet3.rows<2>
  %farther = nnet3.offset %far, t = 1 : !nnet3.rows<2>
  nnet3.output_node "offset", %farther : !nnet3.rows<2>
  // CHECK: nnet3.replace_index
  // CHECK: nnet3.replace_index
  %t = nnet3.replace_index %a, t = 0 : !nnet3.rows<2>
  %tx = nnet3.replace_index %t, x = 0 : !nnet3.rows<2>
  nnet3.output_node "fixed", %tx : !nnet3.rows<2>
  // CHECK: nnet3.scale 3.0
  // CHECK: nnet3.scale 7.0
  %three = nnet3.scale 3.0, %a : !nnet3.rows<2>
  %many = nnet3.scale 7.0, %three : !nnet3.rows<2>
  nnet3.output_node "scale", %many : !nnet3.rows<2>
}

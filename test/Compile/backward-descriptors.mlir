// RUN: nnet3-opt %s --nnet3-compile | FileCheck %s

// What each descriptor makes of the derivative of its value. Each row goes to
// the rows that it was made of: where these are distinct, one command moves
// them all; where several go to one row, they are summed.

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<2>
  %y = nnet3.input_node "y" : !nnet3.rows<2>

  %sum = nnet3.sum %x, %y : !nnet3.rows<2>
  nnet3.output_node "sum", %sum : !nnet3.rows<2>
  %scale = nnet3.scale -2.0, %x : !nnet3.rows<2>
  nnet3.output_node "scale", %scale : !nnet3.rows<2>
  %const = nnet3.const 0.5 : !nnet3.rows<2>
  %plus = nnet3.sum %x, %const : !nnet3.rows<2>
  nnet3.output_node "const", %plus : !nnet3.rows<2>
  %append = nnet3.append %x, %y : (!nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<4>
  nnet3.output_node "append", %append : !nnet3.rows<4>

  %offset = nnet3.offset %x, t = -1 : !nnet3.rows<2>
  %optional = nnet3.if_defined %offset : !nnet3.rows<2>
  %delayed = nnet3.sum %optional, %y : !nnet3.rows<2>
  nnet3.output_node "offset", %delayed : !nnet3.rows<2>
  %switch = nnet3.switch %x, %y : !nnet3.rows<2>
  nnet3.output_node "switch", %switch : !nnet3.rows<2>
  %failover = nnet3.failover %offset, %y : !nnet3.rows<2>
  nnet3.output_node "failover", %failover : !nnet3.rows<2>

  %replace = nnet3.replace_index %x, t = 0 : !nnet3.rows<2>
  nnet3.output_node "replace", %replace : !nnet3.rows<2>
  %round = nnet3.round %x, 3 : !nnet3.rows<2>
  nnet3.output_node "round", %round : !nnet3.rows<2>

  nnet3.no_op @noop {dim = 2}
  %node = nnet3.component_node "node" @noop(%x) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %range = nnet3.dim_range_node "range" %node offset 1 : !nnet3.rows<2> -> !nnet3.rows<1>
  nnet3.output_node "column", %range : !nnet3.rows<1>
  %second = nnet3.dim_range_node "second" %node offset 1 : !nnet3.rows<2> -> !nnet3.rows<1>
  %next = nnet3.offset %second, t = 1 : !nnet3.rows<1>
  %either = nnet3.switch %range, %next : !nnet3.rows<1>
  nnet3.output_node "either", %either : !nnet3.rows<1>
  %all = nnet3.component_node "all" @noop(%replace) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  nnet3.output_node "step", %all : !nnet3.rows<2>
}

// CHECK-LABEL: nnet3.computation @sum_computation for @net
// CHECK: %[[D:.*]] = nnet3.accept_input "sum"
// CHECK-NEXT: nnet3.matrix_add %[[D]] into %[[DY:.*]] : memref
// CHECK-NEXT: nnet3.matrix_add %[[D]] into %[[DX:.*]] : memref
// CHECK: nnet3.provide_output "y", %[[DY]]
// CHECK-NEXT: nnet3.provide_output "x", %[[DX]]
nnet3.request @sum for @net {
  nnet3.request_input "x" <t = 0:3> deriv
  nnet3.request_input "y" <t = 0:3> deriv
  nnet3.request_output "sum" <t = 0:3> deriv
}

// CHECK-LABEL: nnet3.computation @scale_computation for @net
// CHECK: %[[D:.*]] = nnet3.accept_input "scale"
// CHECK-NEXT: nnet3.matrix_add %[[D]] into %{{.*}} alpha -2.000000e+00 : memref
nnet3.request @scale for @net {
  nnet3.request_input "x" <t = 0:3> deriv
  nnet3.request_output "scale" <t = 0:3> deriv
}

// A constant has no derivative.
// CHECK-LABEL: nnet3.computation @const_computation for @net
// CHECK: %[[D:.*]] = nnet3.accept_input "const"
// CHECK-NEXT: nnet3.matrix_add %[[D]] into %{{.*}} : memref
// CHECK-NEXT: nnet3.no_operation_permanent
nnet3.request @const for @net {
  nnet3.request_input "x" <t = 0:3> deriv
  nnet3.request_output "const" <t = 0:3> deriv
}

// CHECK-LABEL: nnet3.computation @append_computation for @net
// CHECK: %[[D:.*]] = nnet3.accept_input "append"
// CHECK-NEXT: %[[LEFT:.*]] = nnet3.sub_matrix %[[D]][0, 0]
// CHECK-NEXT: nnet3.matrix_add %[[LEFT]] into %[[DX:.*]] : memref
// CHECK-NEXT: %[[RIGHT:.*]] = nnet3.sub_matrix %[[D]][0, 2]
// CHECK-NEXT: nnet3.matrix_add %[[RIGHT]] into %[[DY:.*]] : memref
// CHECK: nnet3.provide_output "y", %[[DY]]
// CHECK-NEXT: nnet3.provide_output "x", %[[DX]]
nnet3.request @append for @net {
  nnet3.request_input "x" <t = 0:3> deriv
  nnet3.request_input "y" <t = 0:3> deriv
  nnet3.request_output "append" <t = 0:3> deriv
}

// The first row has no predecessor, the last one no successor.
// CHECK-LABEL: nnet3.computation @offset_computation for @net
// CHECK: %[[D:.*]] = nnet3.accept_input "offset"
// CHECK-NEXT: nnet3.add_rows %[[D]] <1:3, _> into %[[DX:.*]] : memref
// CHECK-NEXT: nnet3.matrix_add %[[D]] into %[[DY:.*]] : memref
// CHECK: nnet3.provide_output "y", %[[DY]]
// CHECK-NEXT: nnet3.provide_output "x", %[[DX]]
nnet3.request @offset for @net {
  nnet3.request_input "x" <t = 0:3> deriv
  nnet3.request_input "y" <t = 0:3> deriv
  nnet3.request_output "offset" <t = 0:3> deriv
}

// CHECK-LABEL: nnet3.computation @switch_computation for @net
// CHECK: %[[D:.*]] = nnet3.accept_input "switch"
// CHECK-NEXT: nnet3.add_to_rows_multi %[[D]] into [%[[DX:.*]], %[[DY:.*]]] <0, 1 of 1, 2, 3 of 1>
// CHECK: nnet3.provide_output "y", %[[DY]]
// CHECK-NEXT: nnet3.provide_output "x", %[[DX]]
nnet3.request @switch for @net {
  nnet3.request_input "x" <t = 0:3> deriv
  nnet3.request_input "y" <t = 0:3> deriv
  nnet3.request_output "switch" <t = 0:3> deriv
}

// CHECK-LABEL: nnet3.computation @failover_computation for @net
// CHECK: %[[D:.*]] = nnet3.accept_input "failover"
// CHECK-NEXT: nnet3.add_to_rows_multi %[[D]] into [%[[DY:.*]], %[[DX:.*]]] <0, 0:2 of 1>
// CHECK: nnet3.provide_output "y", %[[DY]]
// CHECK-NEXT: nnet3.provide_output "x", %[[DX]]
nnet3.request @failover for @net {
  nnet3.request_input "x" <t = 0:3> deriv
  nnet3.request_input "y" <t = 0:3> deriv
  nnet3.request_output "failover" <t = 0:3> deriv
}

// One row of the input for all frames of a sequence: a sum over 10 rows.
// CHECK-LABEL: nnet3.computation @replace_computation for @net
// CHECK: %[[D:.*]] = nnet3.accept_input "replace"
// CHECK-NEXT: nnet3.add_row_ranges %[[D]] begin <0:10:10> end <10:20:10> into %[[DX:.*]] : memref<20x2xf32> into memref<2x2xf32>
// CHECK: nnet3.provide_output "x", %[[DX]]
nnet3.request @replace for @net {
  nnet3.request_input "x" <n = 0:1, t = 0> deriv
  nnet3.request_output "replace" <n = 0:1, t = 0:9> deriv
}

// Before a component rows are ordered by t, so that those of one sequence are
// as far from each other as there are sequences.
// CHECK-LABEL: nnet3.computation @step_computation for @net
// CHECK: nnet3.backprop @net::@noop out_deriv(%{{.*}}) in_deriv(%[[D:.*]] : memref<20x2xf32>)
// CHECK-NEXT: nnet3.add_row_ranges %[[D]] begin <0:1> end <19:20> step 2 into %[[DX:.*]] : memref<20x2xf32> into memref<2x2xf32>
// CHECK: nnet3.provide_output "x", %[[DX]]
nnet3.request @step for @net {
  nnet3.request_input "x" <n = 0:1, t = 0> deriv
  nnet3.request_output "step" <n = 0:1, t = 0:9> deriv
}

// CHECK-LABEL: nnet3.computation @round_computation for @net
// CHECK: %[[D:.*]] = nnet3.accept_input "round"
// CHECK-NEXT: nnet3.add_row_ranges %[[D]] begin <[2 x +10](0:9:3)> end <[2 x +10](3:9:3, 10)> into %[[DX:.*]] : memref<20x2xf32> into memref<8x2xf32>
// CHECK: nnet3.provide_output "x", %[[DX]]
nnet3.request @round for @net {
  nnet3.request_input "x" <n = 0:1, t = 0:9:3> deriv
  nnet3.request_output "round" <n = 0:1, t = 0:9> deriv
}

// A dim-range node is a view of its source, and so is its derivative.
// CHECK-LABEL: nnet3.computation @column_computation for @net
// CHECK: %[[D:.*]] = nnet3.accept_input "column"
// CHECK-NEXT: %[[VIEW:.*]] = nnet3.sub_matrix %[[DNODE:.*]][0, 1] : memref<4x2xf32> to memref<4x1xf32
// CHECK-NEXT: nnet3.matrix_add %[[D]] into %[[VIEW]] : memref
// CHECK-NEXT: nnet3.backprop @net::@noop out_deriv(%[[DNODE]] :
nnet3.request @column for @net {
  nnet3.request_input "x" <t = 0:3> deriv
  nnet3.request_output "column" <t = 0:3> deriv
}

// Two dim-range nodes are views of one derivative. Its row 2 is that of time 2
// by one of them and of time 1 by the other, so two commands add to it.
// CHECK-LABEL: nnet3.computation @either_computation for @net
// CHECK: %[[D:.*]] = nnet3.accept_input "either"
// CHECK-NEXT: %[[RANGE:.*]] = nnet3.sub_matrix %[[DNODE:.*]][0, 1] : memref<3x2xf32> to memref<3x1xf32
// CHECK-NEXT: %[[SECOND:.*]] = nnet3.sub_matrix %[[DNODE]][0, 1] : memref<3x2xf32> to memref<3x1xf32
// CHECK-NEXT: nnet3.add_to_rows_multi %[[D]] into [%[[RANGE]], %[[SECOND]]] <0, 1 of 1, _, 2 of 1>
// CHECK-NEXT: nnet3.add_rows %[[D]] <_, 2, _> into %[[RANGE]]
nnet3.request @either for @net {
  nnet3.request_input "x" <t = 0:4> deriv
  nnet3.request_output "either" <t = 0:3> deriv
}

// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-order-sums))' %s | FileCheck %s
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-order-sums{cut=true}))' %s | FileCheck %s --check-prefix=CUT

// The recurrence comes first in the network, the i-vector last.
nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<2>
  %last = nnet3.offset %h, t = -1 : !nnet3.rows<3>
  %opt = nnet3.if_defined %last : !nnet3.rows<3>
  %v = nnet3.replace_index %x, t = 0 : !nnet3.rows<2>
  %r = nnet3.round %x, 10 : !nnet3.rows<2>
  %in = nnet3.append %opt, %x, %v : (!nnet3.rows<3>, !nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<7>
  %h = nnet3.component_node "h" @affine(%in) : (!nnet3.rows<7>) -> !nnet3.rows<3>
  %splice = nnet3.append %r, %x : (!nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<4>
  %t = nnet3.component_node "t" @tdnn(%splice) : (!nnet3.rows<4>) -> !nnet3.rows<3>
  nnet3.output_node "y", %h : !nnet3.rows<3>
  nnet3.output_node "z", %t : !nnet3.rows<3>
  nnet3.affine @affine {input_dim = 7, output_dim = 3}
  nnet3.tdnn @tdnn {input_dim = 4, output_dim = 3, time_offsets = array<i64: -1, 1>}
}

// A matrix that has them side by side is read in three parts.
// CHECK-LABEL: nnet3.computation @recurrence
// CUT-LABEL: nnet3.computation @recurrence
nnet3.computation @recurrence for @net {
  // CHECK: %[[S:.*]] = nnet3.alloc_matrix_zeroed
  // CHECK-DAG: %[[H:.*]] = nnet3.sub_matrix %[[S]][0, 0] : memref<4x7xf32> to memref<4x3xf32
  // CHECK-DAG: %[[X:.*]] = nnet3.sub_matrix %[[S]][0, 3] : memref<4x7xf32> to memref<4x2xf32
  // CHECK-DAG: %[[V:.*]] = nnet3.sub_matrix %[[S]][0, 5] : memref<4x7xf32> to memref<4x2xf32
  // CHECK: fused_affine @net::@affine ins(%[[V]], %[[X]], %[[H]] : {{.*}}) rows [#nnet3.row_table<0:3>, #nnet3.row_table<0:3>, #nnet3.row_table<0:3>] columns [5, 3, 0] bias
  // CUT: columns [5, 3, 0] bias
  %s = nnet3.alloc_matrix_zeroed : memref<4x7xf32>
  %b = nnet3.alloc_matrix_undefined : memref<4x3xf32>
  nnet3.fused_affine @net::@affine ins(%s : memref<4x7xf32>) rows [#nnet3.row_table<0:3>] columns [0] bias outs(%b : memref<4x3xf32>)
  nnet3.dealloc_matrix %s : memref<4x7xf32>
  nnet3.provide_output "y", %b : memref<4x3xf32>
}

// Shared rows of all time offsets before other rows of any.
// CHECK-LABEL: nnet3.computation @times
// CUT-LABEL: nnet3.computation @times
nnet3.computation @times for @net {
  // CHECK: fused_affine @net::@tdnn {{.*}} rows [#nnet3.row_table<0:3>, #nnet3.row_table<2:5>, #nnet3.row_table<0:3>, #nnet3.row_table<2:5>] columns [0, 4, 2, 6] bias
  // CUT: columns [0, 4, 2, 6] bias
  %s = nnet3.alloc_matrix_zeroed : memref<6x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<4x3xf32>
  nnet3.fused_affine @net::@tdnn ins(%s, %s : memref<6x4xf32>, memref<6x4xf32>) rows [#nnet3.row_table<0:3>, #nnet3.row_table<2:5>] columns [0, 4] bias outs(%b : memref<4x3xf32>)
  nnet3.dealloc_matrix %s : memref<6x4xf32>
  nnet3.provide_output "z", %b : memref<4x3xf32>
}

// What is in order stays whole, unless terms are rounded together.
// CHECK-LABEL: nnet3.computation @in_order
// CUT-LABEL: nnet3.computation @in_order
nnet3.computation @in_order for @net {
  // CHECK: columns [0] bias
  // CUT: columns [0, 2] bias
  %s = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<4x3xf32>
  nnet3.fused_affine @net::@tdnn ins(%s : memref<4x4xf32>) rows [#nnet3.row_table<0:3>] columns [0] bias outs(%b : memref<4x3xf32>)
  nnet3.dealloc_matrix %s : memref<4x4xf32>
  nnet3.provide_output "z", %b : memref<4x3xf32>
}

// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-split-sums))' %s | FileCheck %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<2>
  %last = nnet3.offset %h, t = -1 : !nnet3.rows<3>
  %opt = nnet3.if_defined %last : !nnet3.rows<3>
  %v = nnet3.replace_index %x, t = 0 : !nnet3.rows<2>
  %in = nnet3.append %opt, %x, %v : (!nnet3.rows<3>, !nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<7>
  %h = nnet3.component_node "h" @affine(%in) : (!nnet3.rows<7>) -> !nnet3.rows<3>
  nnet3.output_node "y", %h : !nnet3.rows<3>
  nnet3.affine @affine {input_dim = 7, output_dim = 3}
  nnet3.rectified_linear @relu {dim = 3}
}

// Each group begins with the sums of the one before, the first with the bias.
// CHECK-LABEL: nnet3.computation @groups
nnet3.computation @groups for @net {
  // CHECK: fused_affine @net::@affine ins(%{{.*}} : memref<4x2xf32>) rows [#nnet3.row_table<0:3>] columns [5] bias outs(%[[SHARED:.*]] : memref<4x3xf32>)
  // CHECK: fused_affine @net::@affine ins(%{{.*}} : memref<4x2xf32>) rows [#nnet3.row_table<0:3>] columns [3] init(%[[SHARED]] : memref<4x3xf32>) outs(%[[PLAIN:.*]] : memref<4x3xf32>)
  // CHECK: fused_affine @net::@affine ins(%{{.*}} : memref<4x3xf32>) rows [#nnet3.row_table<0:3>] columns [0] init(%[[PLAIN]] : memref<4x3xf32>) epilogue [@net::@relu]
  // CHECK-DAG: dealloc_matrix %[[SHARED]]
  // CHECK-DAG: dealloc_matrix %[[PLAIN]]
  %v = nnet3.accept_input "x" : memref<4x2xf32>
  %x = nnet3.alloc_matrix_zeroed : memref<4x2xf32>
  %h = nnet3.alloc_matrix_zeroed : memref<4x3xf32>
  %b = nnet3.alloc_matrix_undefined : memref<4x3xf32>
  nnet3.fused_affine @net::@affine ins(%v, %x, %h : memref<4x2xf32>, memref<4x2xf32>, memref<4x3xf32>) rows [#nnet3.row_table<0:3>, #nnet3.row_table<0:3>, #nnet3.row_table<0:3>] columns [5, 3, 0] bias epilogue [@net::@relu] outs(%b : memref<4x3xf32>)
  nnet3.dealloc_matrix %x : memref<4x2xf32>
  nnet3.dealloc_matrix %h : memref<4x3xf32>
  nnet3.provide_output "y", %b : memref<4x3xf32>
}

// Inputs of one group stay together.
// CHECK-LABEL: nnet3.computation @one
nnet3.computation @one for @net {
  // CHECK-COUNT-1: fused_affine
  // CHECK-NOT: fused_affine
  %v = nnet3.accept_input "x" : memref<4x2xf32>
  %b = nnet3.alloc_matrix_undefined : memref<4x3xf32>
  nnet3.fused_affine @net::@affine ins(%v : memref<4x2xf32>) rows [#nnet3.row_table<0:3>] columns [3] bias outs(%b : memref<4x3xf32>)
  nnet3.provide_output "y", %b : memref<4x3xf32>
}

// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-hoist-shared-inputs))' %s | FileCheck %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  %last = nnet3.offset %h, t = -1 : !nnet3.rows<4>
  %opt = nnet3.if_defined %last : !nnet3.rows<4>
  %v = nnet3.replace_index %x, t = 0 : !nnet3.rows<4>
  %hv = nnet3.append %opt, %v : (!nnet3.rows<4>, !nnet3.rows<4>) -> !nnet3.rows<8>
  %h = nnet3.component_node "h" @affine(%hv) : (!nnet3.rows<8>) -> !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 8, output_dim = 4}
}

// The steps of a recurrence with an i-vector, behind the first.
// CHECK-LABEL: nnet3.computation @steps
nnet3.computation @steps for @net {
  // CHECK: %[[V:.*]] = nnet3.accept_input
  // CHECK: %[[A:.*]] = nnet3.alloc_matrix_zeroed
  // CHECK: %[[B:.*]] = nnet3.alloc_matrix_undefined
  // CHECK: %[[C:.*]] = nnet3.alloc_matrix_undefined
  // CHECK: %[[I:.*]] = nnet3.alloc_matrix_undefined : memref<2x4xf32>
  // CHECK-NEXT: fused_affine @net::@affine ins(%[[V]] : memref<2x4xf32>) rows [#nnet3.row_table<0:1>] columns [4] bias outs(%[[I]] : memref<2x4xf32>)
  // CHECK-NEXT: fused_affine @net::@affine ins(%[[A]] : memref<2x4xf32>) rows [#nnet3.row_table<0:1>] columns [0] init(%[[I]] : memref<2x4xf32>) outs(%[[B]] : memref
  // CHECK-NEXT: fused_affine @net::@affine ins(%[[B]] : memref<2x4xf32>) rows [#nnet3.row_table<0:1>] columns [0] init(%[[I]] : memref<2x4xf32>) outs(%[[C]] : memref
  // CHECK-NEXT: dealloc_matrix %[[I]]
  %v = nnet3.accept_input "x" : memref<2x4xf32>
  %a = nnet3.alloc_matrix_zeroed : memref<2x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<2x4xf32>
  %c = nnet3.alloc_matrix_undefined : memref<2x4xf32>
  nnet3.fused_affine @net::@affine ins(%a, %v : memref<2x4xf32>, memref<2x4xf32>) rows [#nnet3.row_table<0:1>, #nnet3.row_table<0:1>] columns [0, 4] bias outs(%b : memref<2x4xf32>)
  nnet3.fused_affine @net::@affine ins(%b, %v : memref<2x4xf32>, memref<2x4xf32>) rows [#nnet3.row_table<0:1>, #nnet3.row_table<0:1>] columns [0, 4] bias outs(%c : memref<2x4xf32>)
  nnet3.dealloc_matrix %a : memref<2x4xf32>
  nnet3.dealloc_matrix %b : memref<2x4xf32>
  nnet3.dealloc_matrix %v : memref<2x4xf32>
  nnet3.provide_output "y", %c : memref<2x4xf32>
}

// Not where the rows change in between, where they are multiplied with other
// columns, where all is shared, or where there is no bias.
// CHECK-LABEL: nnet3.computation @others
nnet3.computation @others for @net {
  // CHECK-NOT: init
  // CHECK: provide_output
  %v = nnet3.accept_input "x" : memref<2x4xf32>
  %w = nnet3.alloc_matrix_zeroed : memref<2x4xf32>
  %a = nnet3.alloc_matrix_zeroed : memref<2x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<2x4xf32>
  %c = nnet3.alloc_matrix_undefined : memref<2x4xf32>
  nnet3.fused_affine @net::@affine ins(%a, %v : memref<2x4xf32>, memref<2x4xf32>) rows [#nnet3.row_table<0:1>, #nnet3.row_table<0:1>] columns [0, 4] bias outs(%b : memref<2x4xf32>)
  nnet3.matrix_copy %b into %v : memref<2x4xf32> into memref<2x4xf32>
  nnet3.fused_affine @net::@affine ins(%b, %v : memref<2x4xf32>, memref<2x4xf32>) rows [#nnet3.row_table<0:1>, #nnet3.row_table<0:1>] columns [0, 4] bias outs(%c : memref<2x4xf32>)
  nnet3.fused_affine @net::@affine ins(%v, %c : memref<2x4xf32>, memref<2x4xf32>) rows [#nnet3.row_table<0:1>, #nnet3.row_table<0:1>] columns [0, 4] bias outs(%b : memref<2x4xf32>)
  nnet3.fused_affine @net::@affine ins(%v, %b : memref<2x4xf32>, memref<2x4xf32>) rows [#nnet3.row_table<0:1>, #nnet3.row_table<0:1>] columns [0, 4] outs(%c : memref<2x4xf32>)
  nnet3.fused_affine @net::@affine ins(%w : memref<2x4xf32>) rows [#nnet3.row_table<0:1>] columns [0] bias outs(%a : memref<2x4xf32>)
  nnet3.fused_affine @net::@affine ins(%w : memref<2x4xf32>) rows [#nnet3.row_table<0:1>] columns [0] bias outs(%b : memref<2x4xf32>)
  nnet3.dealloc_matrix %a : memref<2x4xf32>
  nnet3.dealloc_matrix %b : memref<2x4xf32>
  nnet3.dealloc_matrix %v : memref<2x4xf32>
  nnet3.dealloc_matrix %w : memref<2x4xf32>
  nnet3.provide_output "y", %c : memref<2x4xf32>
}

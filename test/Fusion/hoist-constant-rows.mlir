// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-hoist-constant-rows))' %s | FileCheck %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  %v = nnet3.replace_index %x, t = 0 : !nnet3.rows<4>
  %xv = nnet3.append %x, %v : (!nnet3.rows<4>, !nnet3.rows<4>) -> !nnet3.rows<8>
  %xvv = nnet3.append %x, %v, %v : (!nnet3.rows<4>, !nnet3.rows<4>, !nnet3.rows<4>) -> !nnet3.rows<12>
  %a = nnet3.component_node "a" @affine(%xv) : (!nnet3.rows<8>) -> !nnet3.rows<4>
  %t = nnet3.component_node "t" @twice(%xvv) : (!nnet3.rows<12>) -> !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 8, output_dim = 4}
  nnet3.affine @twice {input_dim = 12, output_dim = 4}
  nnet3.affine @square {input_dim = 4, output_dim = 4}
}

// The row and the bias are what the sums begin with.
// CHECK-LABEL: nnet3.computation @ivector
nnet3.computation @ivector for @net {
  // CHECK: %[[A:.*]] = nnet3.accept_input
  // CHECK: %[[V:.*]] = nnet3.alloc_matrix_zeroed
  // CHECK: %[[B:.*]] = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // CHECK: %[[I:.*]] = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  // CHECK: fused_affine @net::@affine ins(%[[V]] : memref<2x4xf32>) rows [#nnet3.row_table<1>] columns [4] bias outs(%[[I]] : memref<1x4xf32>)
  // CHECK: fused_affine @net::@affine ins(%[[A]] : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] init(%[[I]] : memref<1x4xf32>) outs(%[[B]] :
  // CHECK: dealloc_matrix %[[I]]
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %v = nnet3.alloc_matrix_zeroed : memref<2x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.fused_affine @net::@affine ins(%a, %v : memref<3x4xf32>, memref<2x4xf32>) rows [#nnet3.row_table<0:2>, #nnet3.row_table<3 x 1>] columns [0, 4] bias outs(%b : memref<3x4xf32>)
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// Not where that is all there is, where the sums begin with something else, or
// where there is one row.
// CHECK-LABEL: nnet3.computation @others
nnet3.computation @others for @net {
  // CHECK-NOT: alloc_matrix_undefined : memref<1x4xf32>
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %v = nnet3.alloc_matrix_zeroed : memref<2x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  %b1 = nnet3.sub_matrix %b[0, 0] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  nnet3.fused_affine @net::@square ins(%v : memref<2x4xf32>) rows [#nnet3.row_table<3 x 1>] columns [0] bias outs(%b : memref<3x4xf32>)
  nnet3.fused_affine @net::@affine ins(%a, %v : memref<3x4xf32>, memref<2x4xf32>) rows [#nnet3.row_table<0:2>, #nnet3.row_table<3 x 1>] columns [0, 4] bias init(%b : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  nnet3.fused_affine @net::@affine ins(%a, %v : memref<3x4xf32>, memref<2x4xf32>) rows [#nnet3.row_table<0>, #nnet3.row_table<1>] columns [0, 4] bias outs(%b1 : memref<1x4xf32, strided<[4, 1]>>)
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// Those of two sequences, in turn; of a row that all share as often.
// CHECK-LABEL: nnet3.computation @sequences
nnet3.computation @sequences for @net {
  // CHECK: %[[A:.*]] = nnet3.accept_input
  // CHECK: %[[V:.*]] = nnet3.alloc_matrix_zeroed
  // CHECK: %[[B:.*]] = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  // CHECK: %[[I:.*]] = nnet3.alloc_matrix_undefined : memref<2x4xf32>
  // CHECK: fused_affine @net::@twice ins(%[[V]], %[[V]] : memref<2x4xf32>, memref<2x4xf32>) rows [#nnet3.row_table<1:0:-1>, #nnet3.row_table<2 x 1>] columns [4, 8] outs(%[[I]] : memref<2x4xf32>)
  // CHECK: fused_affine @net::@twice ins(%[[A]] : memref<4x4xf32>) rows [#nnet3.row_table<0:3>] columns [0] init(%[[I]] : memref<2x4xf32>) outs(%[[B]] :
  // CHECK: dealloc_matrix %[[I]]
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %v = nnet3.alloc_matrix_zeroed : memref<2x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  nnet3.fused_affine @net::@twice ins(%v, %v, %a : memref<2x4xf32>, memref<2x4xf32>, memref<4x4xf32>) rows [#nnet3.row_table<1, 0, 1, 0>, #nnet3.row_table<4 x 1>, #nnet3.row_table<0:3>] columns [4, 8, 0] outs(%b : memref<4x4xf32>)
  nnet3.provide_output "y", %b : memref<4x4xf32>
}

// Not where rows of the same group do not come in turn, or rows of another
// group do: the sums would have another order than those of other requests.
// CHECK-LABEL: nnet3.computation @groups
nnet3.computation @groups for @net {
  // CHECK-NOT: init
  // CHECK: provide_output
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %v = nnet3.alloc_matrix_zeroed : memref<2x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  nnet3.fused_affine @net::@twice ins(%v, %v, %a : memref<2x4xf32>, memref<2x4xf32>, memref<4x4xf32>) rows [#nnet3.row_table<4 x 1>, #nnet3.row_table<0, 0, 0, 1>, #nnet3.row_table<0:3>] columns [4, 8, 0] outs(%b : memref<4x4xf32>)
  nnet3.fused_affine @net::@affine ins(%a, %v : memref<4x4xf32>, memref<2x4xf32>) rows [#nnet3.row_table<0:3>, #nnet3.row_table<0, 0, 0, 1>] columns [4, 0] outs(%b : memref<4x4xf32>)
  nnet3.provide_output "y", %b : memref<4x4xf32>
}

// Not rows that come in turn but once, or not to the end.
// CHECK-LABEL: nnet3.computation @not_in_turn
nnet3.computation @not_in_turn for @net {
  // CHECK-NOT: init
  // CHECK: provide_output
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.fused_affine @net::@affine ins(%a, %a : memref<3x4xf32>, memref<3x4xf32>) rows [#nnet3.row_table<0:2>, #nnet3.row_table<1, 0, 1>] columns [0, 4] bias outs(%b : memref<3x4xf32>)
  nnet3.fused_affine @net::@affine ins(%a, %a : memref<3x4xf32>, memref<3x4xf32>) rows [#nnet3.row_table<0:2>, #nnet3.row_table<1, 1, 0>] columns [0, 4] bias outs(%b : memref<3x4xf32>)
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-split-gathers{min-rows=2}))' %s | FileCheck %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<2>
  nnet3.output_node "y", %x : !nnet3.rows<2>
  nnet3.affine @affine {input_dim = 2, output_dim = 2}
  nnet3.tanh @tanh {dim = 2}
  nnet3.tanh @wide {dim = 4}
}

// Rows 1 and 2 of %a are there from the beginning, those of %b later.
// CHECK-LABEL: nnet3.computation @blocks
nnet3.computation @blocks for @net {
  // CHECK: %[[C:.*]] = nnet3.alloc_matrix_undefined : memref<4x2xf32>
  // CHECK-NEXT: %[[A:.*]] = nnet3.accept_input "x" : memref<3x2xf32>
  // CHECK-DAG: %[[A1:.*]] = nnet3.sub_matrix %[[A]][1, 0] : memref<3x2xf32> to memref<2x2xf32, {{.*}}>
  // CHECK-DAG: %[[C0:.*]] = nnet3.sub_matrix %[[C]][0, 0]
  // CHECK: fused_affine @net::@affine ins(%[[A1]] : {{.*}}) rows [#nnet3.row_table<0:1>] columns [0] bias outs(%[[C0]] :
  // CHECK: %[[B:.*]] = nnet3.alloc_matrix_undefined : memref<2x2xf32>
  // CHECK: propagate @net::@tanh
  // CHECK: %[[C2:.*]] = nnet3.sub_matrix %[[C]][2, 0]
  // CHECK: fused_affine @net::@affine ins(%[[B]] : memref<2x2xf32>) rows [#nnet3.row_table<0:1>] columns [0] bias outs(%[[C2]] :
  // CHECK-NOT: copy_rows_multi
  // CHECK-NOT: fused_affine
  // CHECK: provide_output "y", %[[C]]
  %a = nnet3.accept_input "x" : memref<3x2xf32>
  %a0 = nnet3.sub_matrix %a[0, 0] : memref<3x2xf32> to memref<2x2xf32, strided<[2, 1]>>
  %b = nnet3.alloc_matrix_undefined : memref<2x2xf32>
  nnet3.propagate @net::@tanh ins(%a0 : memref<2x2xf32, strided<[2, 1]>>) outs(%b : memref<2x2xf32>)
  %g = nnet3.alloc_matrix_undefined : memref<4x2xf32>
  nnet3.copy_rows_multi [%a, %b] <1:2, 0:1 of 1> into %g : memref<3x2xf32>, memref<2x2xf32> into memref<4x2xf32>
  %c = nnet3.alloc_matrix_undefined : memref<4x2xf32>
  nnet3.fused_affine @net::@affine ins(%g : memref<4x2xf32>) rows [#nnet3.row_table<0:3>] columns [0] bias outs(%c : memref<4x2xf32>)
  nnet3.dealloc_matrix %g : memref<4x2xf32>
  nnet3.dealloc_matrix %a : memref<3x2xf32>
  nnet3.dealloc_matrix %b : memref<2x2xf32>
  nnet3.provide_output "y", %c : memref<4x2xf32>
}

// Blocks of one row are copied where they are computed, and what they are part
// of goes.
// CHECK-LABEL: nnet3.computation @few
nnet3.computation @few for @net {
  // CHECK: %[[A:.*]] = nnet3.alloc_matrix_zeroed
  // CHECK: %[[B:.*]] = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  // CHECK: %[[G:.*]] = nnet3.alloc_matrix_undefined : memref<2x2xf32>
  // CHECK: propagate {{.*}} outs(%[[B0:.*]] :
  // CHECK-DAG: %[[FROM:.*]] = nnet3.sub_matrix %[[B]][0, 2]
  // CHECK-DAG: %[[TO:.*]] = nnet3.sub_matrix %[[G]][0, 0]
  // CHECK: matrix_copy %[[FROM]] into %[[TO]]
  // CHECK: propagate
  // CHECK: matrix_copy
  // CHECK-NOT: copy_rows_multi
  // CHECK: fused_affine @net::@affine ins(%[[G]]
  %a = nnet3.alloc_matrix_zeroed : memref<1x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  %b1 = nnet3.sub_matrix %b[0, 2] : memref<1x4xf32> to memref<1x2xf32, strided<[4, 1], offset: 2>>
  nnet3.propagate @net::@wide ins(%a : memref<1x4xf32>) outs(%b : memref<1x4xf32>)
  %c = nnet3.alloc_matrix_undefined : memref<1x4xf32>
  %c1 = nnet3.sub_matrix %c[0, 2] : memref<1x4xf32> to memref<1x2xf32, strided<[4, 1], offset: 2>>
  nnet3.propagate @net::@wide ins(%a : memref<1x4xf32>) outs(%c : memref<1x4xf32>)
  %g = nnet3.alloc_matrix_undefined : memref<2x2xf32>
  nnet3.copy_rows_multi [%b1, %c1] <0, 0 of 1> into %g : memref<1x2xf32, strided<[4, 1], offset: 2>>, memref<1x2xf32, strided<[4, 1], offset: 2>> into memref<2x2xf32>
  %d = nnet3.alloc_matrix_undefined : memref<2x2xf32>
  nnet3.fused_affine @net::@affine ins(%g : memref<2x2xf32>) rows [#nnet3.row_table<0:1>] columns [0] bias outs(%d : memref<2x2xf32>)
  nnet3.dealloc_matrix %a : memref<1x4xf32>
  nnet3.dealloc_matrix %b : memref<1x4xf32>
  nnet3.dealloc_matrix %c : memref<1x4xf32>
  nnet3.dealloc_matrix %g : memref<2x2xf32>
  nnet3.provide_output "y", %d : memref<2x2xf32>
}

// Not blocks of one row of what stays, not where something else reads what is
// gathered, and not where the output is in use before.
// CHECK-LABEL: nnet3.computation @others
nnet3.computation @others for @net {
  // CHECK: copy_rows_multi
  // CHECK: copy_rows_multi
  // CHECK: copy_rows_multi
  // CHECK: fused_affine
  // CHECK: fused_affine
  // CHECK: fused_affine
  // CHECK: provide_output
  %a = nnet3.accept_input "x" : memref<4x2xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<2x2xf32>
  %c = nnet3.alloc_matrix_undefined : memref<4x2xf32>
  nnet3.matrix_copy %a into %c : memref<4x2xf32> into memref<4x2xf32>
  %g = nnet3.alloc_matrix_undefined : memref<4x2xf32>
  nnet3.copy_rows_multi [%a, %b] <3, 1, 0:1 of 1> into %g : memref<4x2xf32>, memref<2x2xf32> into memref<4x2xf32>
  %h = nnet3.alloc_matrix_undefined : memref<4x2xf32>
  nnet3.copy_rows_multi [%a, %b] <1:2, 0:1 of 1> into %h : memref<4x2xf32>, memref<2x2xf32> into memref<4x2xf32>
  %i = nnet3.alloc_matrix_undefined : memref<4x2xf32>
  nnet3.copy_rows_multi [%a, %b] <1:2, 0:1 of 1> into %i : memref<4x2xf32>, memref<2x2xf32> into memref<4x2xf32>
  nnet3.matrix_add %c into %h : memref<4x2xf32> into memref<4x2xf32>
  %d = nnet3.alloc_matrix_undefined : memref<4x2xf32>
  nnet3.fused_affine @net::@affine ins(%g : memref<4x2xf32>) rows [#nnet3.row_table<0:3>] columns [0] bias outs(%d : memref<4x2xf32>)
  %e = nnet3.alloc_matrix_undefined : memref<4x2xf32>
  nnet3.fused_affine @net::@affine ins(%h : memref<4x2xf32>) rows [#nnet3.row_table<0:3>] columns [0] bias outs(%e : memref<4x2xf32>)
  nnet3.fused_affine @net::@affine ins(%i : memref<4x2xf32>) rows [#nnet3.row_table<0:3>] columns [0] bias outs(%c : memref<4x2xf32>)
  nnet3.matrix_add %d into %c : memref<4x2xf32> into memref<4x2xf32>
  nnet3.matrix_add %e into %c : memref<4x2xf32> into memref<4x2xf32>
  nnet3.dealloc_matrix %a : memref<4x2xf32>
  nnet3.dealloc_matrix %b : memref<2x2xf32>
  nnet3.dealloc_matrix %d : memref<4x2xf32>
  nnet3.dealloc_matrix %e : memref<4x2xf32>
  nnet3.dealloc_matrix %g : memref<4x2xf32>
  nnet3.dealloc_matrix %h : memref<4x2xf32>
  nnet3.dealloc_matrix %i : memref<4x2xf32>
  nnet3.provide_output "y", %c : memref<4x2xf32>
}

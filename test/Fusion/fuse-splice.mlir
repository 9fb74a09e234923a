// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-fuse-splice))' %s | FileCheck %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 8, output_dim = 4}
  nnet3.affine @square {input_dim = 4, output_dim = 4}
}

// The copies and the splice go.
// CHECK-LABEL: nnet3.computation @splice
nnet3.computation @splice for @net {
  // CHECK: %[[A:.*]] = nnet3.accept_input
  // CHECK-NEXT: nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // CHECK-NEXT: fused_affine @net::@affine ins(%[[A]], %[[A]] :
  // CHECK-SAME: rows [#nnet3.row_table<0:4:2>, #nnet3.row_table<_, 3:5:2>] columns [0, 4]
  // The storage is freed behind the new reader.
  // CHECK-NEXT: nnet3.dealloc_matrix %[[A]]
  %a = nnet3.accept_input "x" : memref<6x4xf32>
  %s = nnet3.alloc_matrix_undefined : memref<3x8xf32>
  %s0 = nnet3.sub_matrix %s[0, 0] : memref<3x8xf32> to memref<3x4xf32, strided<[8, 1]>>
  %s1 = nnet3.sub_matrix %s[0, 4] : memref<3x8xf32> to memref<3x4xf32, strided<[8, 1], offset: 4>>
  nnet3.copy_rows %a <0:4:2> into %s0 : memref<6x4xf32> into memref<3x4xf32, strided<[8, 1]>>
  nnet3.copy_rows %a <_, 3:5:2> into %s1 : memref<6x4xf32> into memref<3x4xf32, strided<[8, 1], offset: 4>>
  nnet3.dealloc_matrix %a : memref<6x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.fused_affine @net::@affine ins(%s : memref<3x8xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
  nnet3.dealloc_matrix %s : memref<3x8xf32>
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// Columns that stay zero drop out.
// CHECK-LABEL: nnet3.computation @zeros
nnet3.computation @zeros for @net {
  // CHECK: %[[A:.*]] = nnet3.accept_input
  // CHECK: fused_affine @net::@affine ins(%[[A]] : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [4]
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %s = nnet3.alloc_matrix_zeroed : memref<3x8xf32>
  %s1 = nnet3.sub_matrix %s[0, 4] : memref<3x8xf32> to memref<3x4xf32, strided<[8, 1], offset: 4>>
  nnet3.matrix_copy %a into %s1 : memref<3x4xf32> into memref<3x4xf32, strided<[8, 1], offset: 4>>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.fused_affine @net::@affine ins(%s : memref<3x8xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
  nnet3.dealloc_matrix %s : memref<3x8xf32>
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// Columns that something else fills are read where they are. Not where a copy
// was overwritten by zeros.
// CHECK-LABEL: nnet3.computation @mixed
nnet3.computation @mixed for @net {
  // CHECK: %[[A:.*]] = nnet3.accept_input
  // CHECK: %[[S:.*]] = nnet3.alloc_matrix_undefined : memref<3x8xf32>
  // CHECK: %[[S0:.*]] = nnet3.sub_matrix %[[S]][0, 0]
  // CHECK-NOT: matrix_copy
  // CHECK: fused_affine @net::@affine ins(%[[S0]], %[[A]] : {{.*}}) rows [#nnet3.row_table<0:2>, #nnet3.row_table<0:2>] columns [0, 4] bias
  // CHECK: %[[T:.*]] = nnet3.alloc_matrix_zeroed : memref<3x8xf32>
  // CHECK: fused_affine @net::@affine ins(%[[T]] : memref<3x8xf32>)
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %s = nnet3.alloc_matrix_undefined : memref<3x8xf32>
  %s1 = nnet3.sub_matrix %s[0, 4] : memref<3x8xf32> to memref<3x4xf32, strided<[8, 1], offset: 4>>
  nnet3.matrix_copy %a into %s1 : memref<3x4xf32> into memref<3x4xf32, strided<[8, 1], offset: 4>>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.fused_affine @net::@affine ins(%s : memref<3x8xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
  nnet3.dealloc_matrix %s : memref<3x8xf32>
  %t = nnet3.alloc_matrix_zeroed : memref<3x8xf32>
  %t1 = nnet3.sub_matrix %t[0, 4] : memref<3x8xf32> to memref<3x4xf32, strided<[8, 1], offset: 4>>
  nnet3.matrix_copy %a into %t1 : memref<3x4xf32> into memref<3x4xf32, strided<[8, 1], offset: 4>>
  nnet3.set_const %t, 0.0 : memref<3x8xf32>
  nnet3.fused_affine @net::@affine ins(%t : memref<3x8xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
  nnet3.dealloc_matrix %t : memref<3x8xf32>
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// Not where the source changes in between, or where the map writes it.
// CHECK-LABEL: nnet3.computation @changed
nnet3.computation @changed for @net {
  // CHECK: %[[S:.*]] = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // CHECK: fused_affine @net::@square ins(%[[S]] :
  // CHECK: fused_affine @net::@square ins(%[[S]] :
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %s = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.matrix_copy %a into %s : memref<3x4xf32> into memref<3x4xf32>
  nnet3.set_const %a, 1.0 : memref<3x4xf32>
  nnet3.fused_affine @net::@square ins(%s : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
  nnet3.matrix_copy %b into %s : memref<3x4xf32> into memref<3x4xf32>
  nnet3.fused_affine @net::@square ins(%s : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
  nnet3.dealloc_matrix %s : memref<3x4xf32>
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// A copy that scales is none. One that something else reads stays.
// CHECK-LABEL: nnet3.computation @others
nnet3.computation @others for @net {
  // CHECK: %[[A:.*]] = nnet3.accept_input
  // CHECK: %[[S:.*]] = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // CHECK: %[[T:.*]] = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // CHECK: fused_affine @net::@square ins(%[[S]] :
  // CHECK: nnet3.matrix_copy %[[A]] into %[[T]]
  // CHECK: fused_affine @net::@square ins(%[[A]] :
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %s = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  %t = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.matrix_copy %a into %s alpha 2.0 : memref<3x4xf32> into memref<3x4xf32>
  nnet3.fused_affine @net::@square ins(%s : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
  nnet3.matrix_copy %a into %t : memref<3x4xf32> into memref<3x4xf32>
  nnet3.fused_affine @net::@square ins(%t : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
  nnet3.matrix_add %t into %b : memref<3x4xf32> into memref<3x4xf32>
  nnet3.dealloc_matrix %s : memref<3x4xf32>
  nnet3.dealloc_matrix %t : memref<3x4xf32>
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

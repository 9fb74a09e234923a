// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-fuse-epilogue))' %s | FileCheck %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.no_op @noop {dim = 4}
  nnet3.batch_norm @norm {dim = 4, test_mode = true}
  nnet3.batch_norm @training {dim = 4}
  nnet3.softmax @softmax {dim = 4}
}

// Components in place; an identity leaves nothing behind.
// CHECK-LABEL: nnet3.computation @components
nnet3.computation @components for @net {
  // CHECK: fused_affine {{.*}} epilogue [@net::@relu, @net::@norm] outs(
  // CHECK-NEXT: propagate @net::@softmax
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.fused_affine @net::@affine ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
  nnet3.propagate @net::@relu ins(%b : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  nnet3.propagate @net::@noop ins(%b : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  nnet3.propagate @net::@norm ins(%b : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  nnet3.propagate @net::@softmax ins(%b : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  nnet3.propagate @net::@relu ins(%b : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// Not batch norm outside of test mode, not on some of the rows, not behind a
// command that reads what comes before.
// CHECK-LABEL: nnet3.computation @others
nnet3.computation @others for @net {
  // CHECK-COUNT-3: fused_affine {{.*}} columns [0] bias outs(
  // CHECK-NOT: epilogue
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  %b1 = nnet3.sub_matrix %b[1, 0] : memref<3x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 4>>
  %c = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.fused_affine @net::@affine ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
  nnet3.propagate @net::@training ins(%b : memref<3x4xf32>) outs(%c : memref<3x4xf32>)
  nnet3.fused_affine @net::@affine ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
  nnet3.propagate @net::@relu ins(%b1 : memref<2x4xf32, strided<[4, 1], offset: 4>>) outs(%b1 : memref<2x4xf32, strided<[4, 1], offset: 4>>)
  nnet3.fused_affine @net::@affine ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
  nnet3.matrix_add %b into %c : memref<3x4xf32> into memref<3x4xf32>
  nnet3.propagate @net::@relu ins(%b : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  nnet3.dealloc_matrix %c : memref<3x4xf32>
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// A bypass: the sum is scaled, then the output is added.
// CHECK-LABEL: nnet3.computation @bypass
nnet3.computation @bypass for @net {
  // CHECK: %[[A:.*]] = nnet3.accept_input
  // CHECK: %[[C:.*]] = nnet3.alloc_matrix_zeroed
  // CHECK: fused_affine {{.*}} epilogue [@net::@relu] residual(%[[C]] : memref<3x4xf32>) scale 6.600000e-01 outs(%[[C]] :
  // CHECK-NOT: matrix_add
  // CHECK: provide_output
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.matrix_copy %a into %c : memref<3x4xf32> into memref<3x4xf32>
  nnet3.fused_affine @net::@affine ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
  nnet3.propagate @net::@relu ins(%b : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  nnet3.matrix_copy %c into %c alpha 6.6e-01 : memref<3x4xf32> into memref<3x4xf32>
  nnet3.matrix_add %b into %c : memref<3x4xf32> into memref<3x4xf32>
  nnet3.dealloc_matrix %b : memref<3x4xf32>
  nnet3.provide_output "y", %c : memref<3x4xf32>
}

// A bypass of a stream: rows of the state and of the chunk are copied together,
// in front of the map then.
// CHECK-LABEL: nnet3.computation @copied_bypass
nnet3.computation @copied_bypass for @net {
  // CHECK: %[[STATE:.*]] = nnet3.accept_input "x" : memref<1x4xf32>
  // CHECK: %[[A:.*]] = nnet3.accept_input "x" : memref<3x4xf32>
  // CHECK: nnet3.alloc_matrix_undefined
  // CHECK: %[[C:.*]] = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // CHECK: nnet3.matrix_copy %[[STATE]] into %{{.*}} alpha 6.600000e-01
  // CHECK: nnet3.copy_rows %[[A]] <0:1> into %{{.*}} alpha 6.600000e-01
  // CHECK: fused_affine {{.*}} residual(%[[C]] : memref<3x4xf32>) outs(%[[C]] :
  // CHECK-NOT: matrix_add
  // CHECK: provide_output
  %state = nnet3.accept_input "x" : memref<1x4xf32>
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.fused_affine @net::@affine ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
  %c = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  %first = nnet3.sub_matrix %c[0, 0] : memref<3x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  %rest = nnet3.sub_matrix %c[1, 0] : memref<3x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 4>>
  nnet3.matrix_copy %state into %first alpha 6.6e-01 : memref<1x4xf32> into memref<1x4xf32, strided<[4, 1]>>
  nnet3.copy_rows %a <0:1> into %rest alpha 6.6e-01 : memref<3x4xf32> into memref<2x4xf32, strided<[4, 1], offset: 4>>
  nnet3.matrix_add %b into %c : memref<3x4xf32> into memref<3x4xf32>
  nnet3.dealloc_matrix %b : memref<3x4xf32>
  nnet3.provide_output "y", %c : memref<3x4xf32>
}

// Not where a copy reads what the map writes, or what is written behind it.
// CHECK-LABEL: nnet3.computation @no_copied_bypass
nnet3.computation @no_copied_bypass for @net {
  // CHECK-NOT: residual
  // CHECK-COUNT-2: matrix_add
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  %d = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  %x = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.fused_affine @net::@affine ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
  %c = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.matrix_copy %b into %c : memref<3x4xf32> into memref<3x4xf32>
  nnet3.matrix_add %b into %c : memref<3x4xf32> into memref<3x4xf32>
  nnet3.dealloc_matrix %b : memref<3x4xf32>
  nnet3.fused_affine @net::@affine ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%d : memref<3x4xf32>)
  nnet3.set_const %x, 1.0 : memref<3x4xf32>
  %e = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.matrix_copy %x into %e : memref<3x4xf32> into memref<3x4xf32>
  nnet3.matrix_add %d into %e : memref<3x4xf32> into memref<3x4xf32>
  nnet3.dealloc_matrix %d : memref<3x4xf32>
  nnet3.provide_output "y", %e : memref<3x4xf32>
}

// Not where the map reads the sum, where the output is read again, or where
// something changes the sum in between.
// CHECK-LABEL: nnet3.computation @no_bypass
nnet3.computation @no_bypass for @net {
  // CHECK-NOT: residual
  // CHECK-COUNT-3: matrix_add
  // CHECK-NOT: residual
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  %c = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  %d = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  %e = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.fused_affine @net::@affine ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
  nnet3.matrix_add %b into %a : memref<3x4xf32> into memref<3x4xf32>
  nnet3.fused_affine @net::@affine ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%c : memref<3x4xf32>)
  nnet3.matrix_add %c into %e : memref<3x4xf32> into memref<3x4xf32>
  nnet3.matrix_copy %c into %a : memref<3x4xf32> into memref<3x4xf32>
  nnet3.fused_affine @net::@affine ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%d : memref<3x4xf32>)
  nnet3.set_const %e, 1.0 : memref<3x4xf32>
  nnet3.matrix_add %d into %e : memref<3x4xf32> into memref<3x4xf32>
  nnet3.dealloc_matrix %a : memref<3x4xf32>
  nnet3.provide_output "y", %e : memref<3x4xf32>
}

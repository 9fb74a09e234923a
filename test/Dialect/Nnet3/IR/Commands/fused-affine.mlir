// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt %s --verify-roundtrip -o /dev/null

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 8, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 4}
}

// CHECK-LABEL: nnet3.computation @all
nnet3.computation @all for @net {
  %a = nnet3.accept_input "x" : memref<6x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  %i = nnet3.alloc_matrix_zeroed : memref<1x4xf32>
  // CHECK: nnet3.fused_affine @net::@affine
  // CHECK-SAME: ins(%[[A:.*]], %[[A]] : memref<6x4xf32>, memref<6x4xf32>)
  // CHECK-SAME: rows [#nnet3.row_table<0:4:2>, #nnet3.row_table<_, 1:3:2>] columns [0, 4] bias
  // CHECK-SAME: init(%{{.*}} : memref<1x4xf32>) epilogue [@net::@relu]
  // CHECK-SAME: residual(%[[B:.*]] : memref<3x4xf32>) scale 5.000000e-01
  // CHECK-SAME: outs(%[[B]] : memref<3x4xf32>)
  nnet3.fused_affine @net::@affine ins(%a, %a : memref<6x4xf32>, memref<6x4xf32>) rows [#nnet3.row_table<0:4:2>, #nnet3.row_table<_, 1:3:2>] columns [0, 4] bias init(%i : memref<1x4xf32>) epilogue [@net::@relu] residual(%b : memref<3x4xf32>) scale 5.0e-01 outs(%b : memref<3x4xf32>)
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

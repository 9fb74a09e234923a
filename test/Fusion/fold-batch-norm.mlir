// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-fold-batch-norm))' %s | FileCheck %s
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-fold-batch-norm),kernel-set-target{instruction-sets=avx512f},convert-nnet3-to-kernels)' %s | FileCheck %s --check-prefix=WEIGHTS

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.linear @linear {input_dim = 4, output_dim = 4}
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.affine @twice {input_dim = 4, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.batch_norm @norm {dim = 4, test_mode = true}
}

// Into weights, and into a bias, which the component need not have had.
// WEIGHTS: <component = @net::@linear, part = panels, offset = 0, number = {{[0-9]+}}, folded = @net::@norm>
// WEIGHTS-SAME: <component = @net::@linear, part = bias, offset = {{[0-9]+}}, folded = @net::@norm>
// CHECK-LABEL: nnet3.computation @first
nnet3.computation @first for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  // CHECK: fused_affine @net::@linear {{.*}} bias folded @net::@norm epilogue [@net::@relu] outs(
  nnet3.fused_affine @net::@linear ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] epilogue [@net::@norm, @net::@relu] outs(%b : memref<3x4xf32>)
  // CHECK: fused_affine @net::@affine {{.*}} bias folded @net::@norm outs(
  nnet3.fused_affine @net::@affine ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias epilogue [@net::@norm] outs(%b : memref<3x4xf32>)
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// Not behind a nonlinearity, not where sums begin with something else, not
// where another map uses the weights as they are.
// CHECK-LABEL: nnet3.computation @others
nnet3.computation @others for @net {
  // CHECK-NOT: folded
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.fused_affine @net::@affine ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias epilogue [@net::@relu, @net::@norm] outs(%b : memref<3x4xf32>)
  nnet3.fused_affine @net::@linear ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] init(%b : memref<3x4xf32>) epilogue [@net::@norm] outs(%b : memref<3x4xf32>)
  nnet3.fused_affine @net::@twice ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias epilogue [@net::@norm] outs(%b : memref<3x4xf32>)
  nnet3.fused_affine @net::@twice ins(%a : memref<3x4xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias outs(%b : memref<3x4xf32>)
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

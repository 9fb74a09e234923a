// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-fuse-affine,nnet3-fuse-epilogue,nnet3-fold-batch-norm))' %s | FileCheck %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<6>
  nnet3.output_node "y", %x : !nnet3.rows<6>
  nnet3.repeated_affine @repeated {input_dim = 6, num_repeats = 3, output_dim = 6}
  nnet3.repeated_affine @other {input_dim = 6, num_repeats = 3, output_dim = 6}
  nnet3.repeated_affine @folded {input_dim = 6, num_repeats = 3, output_dim = 6}
  nnet3.rectified_linear @relu {dim = 6}
  nnet3.rectified_linear @narrow {dim = 4}
  nnet3.scale_and_offset @blocks {block_dim = 2, dim = 6, offsets = dense<[1.0, 2.0]> : tensor<2xf32>, scales = dense<[3.0, 4.0]> : tensor<2xf32>}
  nnet3.scale_and_offset @columns {dim = 6, offsets = dense<0.0> : tensor<6xf32>, scales = dense<[1.0, 2.0, 1.0, 2.0, 1.0, 3.0]> : tensor<6xf32>}
}

// Components that do the same to each block are computed where each ends, and
// others, or those of some of the blocks, behind all of them.
// CHECK-LABEL: nnet3.computation @components
nnet3.computation @components for @net {
  // CHECK-COUNT-3: fused_affine @net::@repeated {{.*}} epilogue [@net::@relu, @net::@blocks] outs(
  // CHECK-NOT: fused_affine
  // CHECK: propagate @net::@columns
  // CHECK-NEXT: propagate @net::@relu
  // CHECK-COUNT-3: fused_affine @net::@other {{.*}} columns [0] bias outs(
  // CHECK: propagate @net::@narrow
  // CHECK-COUNT-3: fused_affine @net::@folded {{.*}} columns [0] bias folded @net::@blocks outs(
  %a = nnet3.accept_input "x" : memref<3x6xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x6xf32>
  nnet3.propagate @net::@repeated ins(%a : memref<3x6xf32>) outs(%b : memref<3x6xf32>)
  nnet3.propagate @net::@relu ins(%b : memref<3x6xf32>) outs(%b : memref<3x6xf32>)
  nnet3.propagate @net::@blocks ins(%b : memref<3x6xf32>) outs(%b : memref<3x6xf32>)
  nnet3.propagate @net::@columns ins(%b : memref<3x6xf32>) outs(%b : memref<3x6xf32>)
  nnet3.propagate @net::@relu ins(%b : memref<3x6xf32>) outs(%b : memref<3x6xf32>)
  %c = nnet3.alloc_matrix_undefined : memref<3x6xf32>
  %c4 = nnet3.sub_matrix %c[0, 0] : memref<3x6xf32> to memref<3x4xf32, strided<[6, 1]>>
  nnet3.propagate @net::@other ins(%a : memref<3x6xf32>) outs(%c : memref<3x6xf32>)
  nnet3.propagate @net::@narrow ins(%c4 : memref<3x4xf32, strided<[6, 1]>>) outs(%c4 : memref<3x4xf32, strided<[6, 1]>>)
  nnet3.propagate @net::@folded ins(%b : memref<3x6xf32>) outs(%c : memref<3x6xf32>)
  nnet3.propagate @net::@blocks ins(%c : memref<3x6xf32>) outs(%c : memref<3x6xf32>)
  nnet3.dealloc_matrix %b : memref<3x6xf32>
  nnet3.provide_output "y", %c : memref<3x6xf32>
}

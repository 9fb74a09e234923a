// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-fuse-affine),kernel-set-target{instruction-sets=neon},convert-nnet3-to-kernels,kernel-outline,convert-kernel-to-vector)' %s | FileCheck %s
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-fuse-affine),convert-nnet3-to-kernels{device=true},kernel-infer-alignment,func.func(kernel-fuse-maps),kernel-outline,convert-kernel-to-threads)' %s | FileCheck %s --check-prefix=DEVICE

// Blocks are products with columns of the weights that stand side by side: the
// second block begins behind 4 columns, 4 vectors of outputs each, and has
// biases from number 3 on.

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<8>
  %b = nnet3.component_node "b" @blocks(%x) : (!nnet3.rows<8>) -> !nnet3.rows<6>
  nnet3.output_node "y", %b : !nnet3.rows<6>
  nnet3.block_affine @blocks {input_dim = 8, num_blocks = 2, output_dim = 6}
}

// CHECK: layout [#kernel.packed<component = @net::@blocks, part = panels, offset = 0, number = 4>, #kernel.packed<component = @net::@blocks, part = bias, offset = 32>]
// CHECK-SAME: calls []
// CHECK-LABEL: func.func @two
// CHECK: call @[[FIRST:gemm_[0-9]+]](%{{[^)]*}}, %c0{{[_0-9]*}}, %c32{{[_0-9]*}}, %{{[^)]*}})
// CHECK: call @[[SECOND:gemm_[0-9]+]](%{{[^)]*}}, %c0{{[_0-9]*}}, %c35{{[_0-9]*}}, %{{[^)]*}})

// DEVICE-LABEL: func.func @two
// DEVICE: call @matmul_{{[0-9]+}}(%{{[^)]*}}, %c0{{[_0-9]*}}, %c{{[_0-9]*}}, %c{{[_0-9]*}})
// DEVICE: call @map_{{[0-9]+}}(%{{[^)]*}}, %c32{{[_0-9]*}}, %c
// DEVICE: call @matmul_{{[0-9]+}}(%{{[^)]*}}, %c4{{[_0-9]*}}, %c{{[_0-9]*}}, %c{{[_0-9]*}})
// DEVICE: call @map_{{[0-9]+}}(%{{[^)]*}}, %c35{{[_0-9]*}}, %c
nnet3.computation @two for @net {
  %a = nnet3.accept_input "x" : memref<3x8xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x6xf32>
  nnet3.propagate @net::@blocks ins(%a : memref<3x8xf32>) outs(%b : memref<3x6xf32>)
  nnet3.dealloc_matrix %a : memref<3x8xf32>
  nnet3.provide_output "y", %b : memref<3x6xf32>
}

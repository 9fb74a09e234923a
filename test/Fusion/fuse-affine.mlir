// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-fuse-affine))' %s | FileCheck %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  %b = nnet3.component_node "b" @affine(%x) : (!nnet3.rows<4>) -> !nnet3.rows<8>
  nnet3.output_node "y", %b : !nnet3.rows<8>
  nnet3.affine @affine {input_dim = 4, output_dim = 8}
  nnet3.linear @linear {input_dim = 4, output_dim = 8}
  nnet3.tdnn @tdnn {input_dim = 4, output_dim = 8, time_offsets = array<i64: -1, 2>}
  nnet3.tdnn @adds {input_dim = 4, output_dim = 8, time_offsets = array<i64: -1, 2>, use_bias = false}
  nnet3.softmax @softmax {dim = 8}
}

// A bias only where the component has one.
// CHECK-LABEL: nnet3.computation @simple
nnet3.computation @simple for @net {
  %a = nnet3.accept_input "x" : memref<6x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<6x8xf32>
  %c = nnet3.alloc_matrix_undefined : memref<6x8xf32>
  // CHECK: fused_affine @net::@affine ins(%{{.*}}) rows [#nnet3.row_table<0:5>] columns [0] bias outs(
  // CHECK: fused_affine @net::@linear ins(%{{.*}}) rows [#nnet3.row_table<0:5>] columns [0] outs(
  // CHECK: propagate @net::@softmax
  nnet3.propagate @net::@affine ins(%a : memref<6x4xf32>) outs(%b : memref<6x8xf32>)
  nnet3.propagate @net::@linear ins(%a : memref<6x4xf32>) outs(%c : memref<6x8xf32>)
  nnet3.propagate @net::@softmax ins(%b : memref<6x8xf32>) outs(%b : memref<6x8xf32>)
  nnet3.dealloc_matrix %c : memref<6x8xf32>
  nnet3.provide_output "y", %b : memref<6x8xf32>
}

// A tdnn component has one input per offset. Without a bias it adds to its
// output: what is there counts, unless that is nothing but zeros.
// CHECK-LABEL: nnet3.computation @tdnn
nnet3.computation @tdnn for @net {
  %a = nnet3.accept_input "x" : memref<9x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<3x8xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<3x8xf32>
  // CHECK: nnet3.alloc_matrix_zeroed : memref<3x8xf32>
  // CHECK-NEXT: %[[C:.*]] = nnet3.alloc_matrix_zeroed : memref<3x8xf32>
  // CHECK: fused_affine @net::@tdnn
  // CHECK-SAME: rows [#nnet3.row_table<0:4:2>, #nnet3.row_table<3:7:2>] columns [0, 4] bias outs(
  nnet3.propagate @net::@tdnn ins(%a : memref<9x4xf32>) outs(%b : memref<3x8xf32>) precomputed {row_offsets = array<i64: 0, 3>, row_stride = 2 : i64}
  // CHECK: fused_affine @net::@adds
  // CHECK-SAME: columns [0, 4] outs(%[[C]] : memref<3x8xf32>)
  nnet3.propagate @net::@adds ins(%a : memref<9x4xf32>) outs(%c : memref<3x8xf32>) precomputed {row_offsets = array<i64: 1, 4>, row_stride = 2 : i64}
  // CHECK: fused_affine @net::@adds
  // CHECK-SAME: columns [0, 4] residual(%[[C]] : memref<3x8xf32>) outs(%[[C]] : memref<3x8xf32>)
  nnet3.propagate @net::@adds ins(%a : memref<9x4xf32>) outs(%c : memref<3x8xf32>) precomputed {row_offsets = array<i64: 0, 3>, row_stride = 2 : i64}
  nnet3.dealloc_matrix %c : memref<3x8xf32>
  nnet3.provide_output "y", %b : memref<3x8xf32>
}

// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-fuse-affine))' %s | FileCheck %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<12>
  %c = nnet3.component_node "c" @conv(%x) : (!nnet3.rows<12>) -> !nnet3.rows<8>
  %s = nnet3.component_node "s" @sparse(%x) : (!nnet3.rows<12>) -> !nnet3.rows<4>
  nnet3.output_node "y", %c : !nnet3.rows<8>
  nnet3.output_node "z", %s : !nnet3.rows<4>
  nnet3.time_height_convolution @conv {height_in = 4, height_out = 4, num_filters_in = 3, num_filters_out = 2, offsets = array<i64: -1, -1, -1, 0, -1, 1, 1, 0>}
  nnet3.time_height_convolution @sparse {height_in = 4, height_out = 2, height_subsample_out = 2, num_filters_in = 3, num_filters_out = 2, offsets = array<i64: 0, -1, 0, 1>}
  nnet3.repeated_affine @repeated {input_dim = 12, num_repeats = 3, output_dim = 6}
  nnet3.convolution @zyx {filt_x_dim = 2, filt_x_step = 1, filt_y_dim = 1, filt_y_step = 1, input_x_dim = 3, input_y_dim = 2, input_z_dim = 2, num_filters = 2}
  nnet3.convolution @yzx {filt_x_dim = 2, filt_x_step = 1, filt_y_dim = 2, filt_y_step = 1, input_vectorization_order = "yzx", input_x_dim = 3, input_y_dim = 2, input_z_dim = 2, num_filters = 2}
  nnet3.convolution @large {filt_x_dim = 3, filt_x_step = 1, filt_y_dim = 4, filt_y_step = 1, input_vectorization_order = "yzx", input_x_dim = 3, input_y_dim = 4, input_z_dim = 6, num_filters = 2}
}

// One map for each output height. Heights that follow each other are one input;
// what lies outside of the image is none.
// CHECK-LABEL: nnet3.computation @convolution
nnet3.computation @convolution for @net {
  // CHECK: %[[A:.*]] = nnet3.accept_input
  // CHECK: %[[B:.*]] = nnet3.alloc_matrix_undefined
  // CHECK: %[[A01:.*]] = nnet3.sub_matrix %[[A]][0, 0] : memref<5x12xf32> to memref<5x6xf32
  // CHECK: %[[A0:.*]] = nnet3.sub_matrix %[[A]][0, 0] : memref<5x12xf32> to memref<5x3xf32
  // CHECK: %[[B0:.*]] = nnet3.sub_matrix %[[B]][0, 0] : memref<3x8xf32> to memref<3x2xf32
  // CHECK: fused_affine @net::@conv ins(%[[A01]], %[[A0]] : {{.*}}) rows [#nnet3.row_table<0:2>, #nnet3.row_table<2:4>] columns [3, 9] bias outs(%[[B0]] :
  // CHECK: %[[A012:.*]] = nnet3.sub_matrix %[[A]][0, 0] : memref<5x12xf32> to memref<5x9xf32
  // CHECK: %[[A1:.*]] = nnet3.sub_matrix %[[A]][0, 3] : memref<5x12xf32> to memref<5x3xf32
  // CHECK: %[[B1:.*]] = nnet3.sub_matrix %[[B]][0, 2]
  // CHECK: fused_affine @net::@conv ins(%[[A012]], %[[A1]] : {{.*}}) {{.*}} columns [0, 9] bias outs(%[[B1]] :
  // CHECK: fused_affine @net::@conv {{.*}} columns [0, 9] bias
  // CHECK: %[[A23:.*]] = nnet3.sub_matrix %[[A]][0, 6] : memref<5x12xf32> to memref<5x6xf32
  // CHECK: fused_affine @net::@conv ins(%[[A23]], {{.*}} columns [0, 9] bias
  // CHECK-NOT: propagate
  %a = nnet3.accept_input "x" : memref<5x12xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x8xf32>
  nnet3.propagate @net::@conv ins(%a : memref<5x12xf32>) outs(%b : memref<3x8xf32>) precomputed {row_offsets = array<i64: 0, 2>, row_stride = 1 : i64}
  nnet3.provide_output "y", %b : memref<3x8xf32>
}

// Heights that do not follow each other, of every second row.
// CHECK-LABEL: nnet3.computation @subsampled
nnet3.computation @subsampled for @net {
  // CHECK: fused_affine @net::@sparse {{.*}} rows [#nnet3.row_table<0:4:2>] columns [3] bias
  // CHECK: fused_affine @net::@sparse {{.*}} rows [#nnet3.row_table<0:4:2>, #nnet3.row_table<0:4:2>] columns [0, 3] bias
  %a = nnet3.accept_input "x" : memref<6x12xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.propagate @net::@sparse ins(%a : memref<6x12xf32>) outs(%b : memref<3x4xf32>) precomputed {row_offsets = array<i64: 0>, row_stride = 2 : i64}
  nnet3.provide_output "z", %b : memref<3x4xf32>
}

// Blocks with the same weights; patches, by stretches of neighbouring columns.
// Too many of these are left to the runtime.
// CHECK-LABEL: nnet3.computation @blocks
nnet3.computation @blocks for @net {
  // CHECK-COUNT-3: fused_affine @net::@repeated {{.*}} columns [0] bias
  // CHECK: %[[C:.*]] = nnet3.alloc_matrix_zeroed : memref<5x8xf32>
  // CHECK: %[[C0:.*]] = nnet3.sub_matrix %[[C]][0, 0]
  // CHECK: fused_affine @net::@zyx {{.*}} columns [0, 2] bias outs(%[[C0]] :
  // CHECK-COUNT-3: fused_affine @net::@zyx {{.*}} columns [0, 2] bias outs(
  // CHECK-COUNT-2: fused_affine @net::@yzx {{.*}} columns [0, 1, 2, 3, 5, 6, 7] bias residual({{.*}}) outs(
  // CHECK: propagate @net::@large
  %a = nnet3.accept_input "x" : memref<5x12xf32>
  %b = nnet3.alloc_matrix_undefined : memref<5x6xf32>
  nnet3.propagate @net::@repeated ins(%a : memref<5x12xf32>) outs(%b : memref<5x6xf32>)
  nnet3.dealloc_matrix %b : memref<5x6xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<5x8xf32>
  nnet3.propagate @net::@zyx ins(%a : memref<5x12xf32>) outs(%c : memref<5x8xf32>)
  %c1 = nnet3.sub_matrix %c[0, 2] : memref<5x8xf32> to memref<5x4xf32, strided<[8, 1], offset: 2>>
  nnet3.propagate @net::@yzx ins(%a : memref<5x12xf32>) outs(%c1 : memref<5x4xf32, strided<[8, 1], offset: 2>>)
  %d = nnet3.alloc_matrix_undefined : memref<5x72xf32>
  %e = nnet3.alloc_matrix_zeroed : memref<5x2xf32>
  nnet3.propagate @net::@large ins(%d : memref<5x72xf32>) outs(%e : memref<5x2xf32>)
  nnet3.dealloc_matrix %d : memref<5x72xf32>
  nnet3.dealloc_matrix %e : memref<5x2xf32>
  nnet3.provide_output "y", %c : memref<5x8xf32>
}

// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-limit-derivative-times{min-deriv-time=2 max-deriv-time=8}))' %s | FileCheck %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.tdnn @tdnn {input_dim = 4, output_dim = 4, time_offsets = array<i64: 0>}
  nnet3.batch_norm @norm {dim = 4}
}

// From the caller's order, sequences outermost, to that of matrices: the tables
// are as small as they are for two sequences.
// CHECK-LABEL: nnet3.computation @sequences
nnet3.computation @sequences for @net {
  // CHECK: %[[D:.*]] = nnet3.accept_input "y"
  // CHECK: %[[D1:.*]] = nnet3.sub_matrix %[[D]][2, 0] : memref<1280x4xf32> to memref<1277x4xf32
  %d = nnet3.accept_input "y" {nnet3.indexes = #nnet3.indexes<n = 0:127, t = 0:9>, nnet3.is_deriv, nnet3.node = "y"} : memref<1280x4xf32>
  // CHECK: %[[A:.*]] = nnet3.alloc_matrix_zeroed {nnet3.indexes = #nnet3.indexes<n = 0:127, t = 2:8, order = tn>, {{.*}} : memref<896x4xf32>
  %a = nnet3.alloc_matrix_zeroed {nnet3.indexes = #nnet3.indexes<n = 0:127, t = 0:9, order = tn>, nnet3.is_deriv, nnet3.node = "a"} : memref<1280x4xf32>
  %b = nnet3.alloc_matrix_zeroed {nnet3.indexes = #nnet3.indexes<n = 0:127, t = 4>, nnet3.is_deriv, nnet3.node = "b"} : memref<128x4xf32>
  // CHECK: add_rows %[[D1]] <[7 x +1](0:1270:10)> into %[[A]] :
  nnet3.add_rows %d <[10 x +1](0:1270:10)> into %a : memref<1280x4xf32> into memref<1280x4xf32>
  // CHECK: add_row_ranges %[[A]] begin <0:127> end <769:896> step 128 into
  nnet3.add_row_ranges %a begin <0:127> end <1153:1280> step 128 into %b : memref<1280x4xf32> into memref<128x4xf32>
  nnet3.provide_output "x", %b : memref<128x4xf32>
}

// Of several matrices those that are left keep their rows.
// CHECK-LABEL: nnet3.computation @several
nnet3.computation @several for @net {
  %d = nnet3.accept_input "y" {nnet3.indexes = #nnet3.indexes<t = 0:3>, nnet3.is_deriv, nnet3.node = "y"} : memref<4x4xf32>
  %a = nnet3.alloc_matrix_zeroed {nnet3.indexes = #nnet3.indexes<t = 1>, nnet3.is_deriv, nnet3.node = "a"} : memref<1x4xf32>
  %b = nnet3.alloc_matrix_zeroed {nnet3.indexes = #nnet3.indexes<t = 1:3>, nnet3.is_deriv, nnet3.node = "b"} : memref<3x4xf32>
  // CHECK: %[[D1:.*]] = nnet3.sub_matrix %{{.*}}[2, 0] : memref<4x4xf32> to memref<2x4xf32
  // CHECK: %[[B:.*]] = nnet3.alloc_matrix_zeroed {{.*}}t = 1:3
  // CHECK: %[[B1:.*]] = nnet3.sub_matrix %[[B]][1, 0]
  // CHECK: add_to_rows_multi %[[D1]] into [%[[B1]]] <0:1> :
  nnet3.add_to_rows_multi %d into [%a, %b] <_, 0, 1 of 1, 2 of 1> : memref<4x4xf32> into memref<1x4xf32>, memref<3x4xf32>
  nnet3.provide_output "x", %b : memref<3x4xf32>
  nnet3.dealloc_matrix %a : memref<1x4xf32>
}

// Those that nothing reads leave.
// CHECK-LABEL: nnet3.computation @unread
nnet3.computation @unread for @net {
  %d = nnet3.accept_input "y" {nnet3.indexes = #nnet3.indexes<t = 0:4>, nnet3.is_deriv, nnet3.node = "y"} : memref<5x4xf32>
  // CHECK-NOT: nnet3.node = "a"
  %a = nnet3.alloc_matrix_zeroed {nnet3.indexes = #nnet3.indexes<t = 2>, nnet3.is_deriv, nnet3.node = "a"} : memref<1x4xf32>
  // CHECK: %[[B:.*]] = nnet3.alloc_matrix_zeroed {{.*}}t = 3:4
  %b = nnet3.alloc_matrix_zeroed {nnet3.indexes = #nnet3.indexes<t = 3:4>, nnet3.is_deriv, nnet3.node = "b"} : memref<2x4xf32>
  // CHECK: add_to_rows_multi %{{.*}} into [%[[B]]] <_, 0:1> : memref<3x4xf32
  nnet3.add_to_rows_multi %d into [%a, %b] <_, _, 0, 0 of 1, 1 of 1> : memref<5x4xf32> into memref<1x4xf32>, memref<2x4xf32>
  nnet3.provide_output "x", %b : memref<2x4xf32>
  nnet3.dealloc_matrix %a : memref<1x4xf32>
}

// What the caller lists in no order: rows within the range leave, too.
// CHECK-LABEL: nnet3.computation @irregular
nnet3.computation @irregular for @net {
  %d = nnet3.accept_input "y" {nnet3.indexes = #nnet3.indexes<t = [3, 1, 2, 4]>, nnet3.is_deriv, nnet3.node = "y"} : memref<4x4xf32>
  %a = nnet3.alloc_matrix_zeroed {nnet3.indexes = #nnet3.indexes<t = [3, 1, 2, 4]>, nnet3.is_deriv, nnet3.node = "a"} : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed {nnet3.indexes = #nnet3.indexes<t = 2>, nnet3.is_deriv, nnet3.node = "b"} : memref<1x4xf32>
  // CHECK: add_rows %{{.*}} <0, _, 2:3> into
  nnet3.matrix_add %d into %a : memref<4x4xf32> into memref<4x4xf32>
  // CHECK: add_row_ranges %{{.*}} begin <0> end <1> into %[[B:.*]] :
  // CHECK: add_row_ranges %{{.*}} begin <2> end <4> into %[[B]] :
  nnet3.add_row_ranges %a begin <0> end <4> into %b : memref<4x4xf32> into memref<1x4xf32>
  nnet3.provide_output "x", %b : memref<1x4xf32>
}

// Components that are not simple, or left a memo, see all rows; unless there is
// nothing in range.
// CHECK-LABEL: nnet3.computation @components
nnet3.computation @components for @net {
  %x = nnet3.accept_input "x" {nnet3.indexes = #nnet3.indexes<t = 0:3>, nnet3.node = "x"} : memref<4x4xf32>
  %v = nnet3.alloc_matrix_zeroed {nnet3.indexes = #nnet3.indexes<t = 0:3>, nnet3.node = "a"} : memref<4x4xf32>
  %w = nnet3.alloc_matrix_zeroed {nnet3.indexes = #nnet3.indexes<n = 1, t = 0:1>, nnet3.node = "b"} : memref<2x4xf32>
  // CHECK: %[[A:.*]] = nnet3.alloc_matrix_zeroed {{.*}}is_deriv{{.*}} : memref<4x4xf32>
  %a = nnet3.alloc_matrix_zeroed {nnet3.indexes = #nnet3.indexes<t = 0:3>, nnet3.is_deriv, nnet3.node = "a"} : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed {nnet3.indexes = #nnet3.indexes<n = 1, t = 0:1>, nnet3.is_deriv, nnet3.node = "b"} : memref<2x4xf32>
  // CHECK: propagate @net::@norm {{.*}} -> !nnet3.memo
  %m = nnet3.propagate @net::@norm ins(%x : memref<4x4xf32>) outs(%v : memref<4x4xf32>) -> !nnet3.memo
  // CHECK: store_stats
  nnet3.store_stats @net::@relu ins(%v : memref<4x4xf32>) outs(%v : memref<4x4xf32>)
  // CHECK-NOT: memo
  %n = nnet3.propagate @net::@norm ins(%w : memref<2x4xf32>) outs(%w : memref<2x4xf32>) -> !nnet3.memo
  // CHECK-NOT: store_stats
  nnet3.store_stats @net::@relu ins(%w : memref<2x4xf32>) outs(%w : memref<2x4xf32>)
  // CHECK: backprop @net::@tdnn {{.*}} out_deriv(%[[A]] : memref<4x4xf32>)
  nnet3.backprop @net::@tdnn in_value(%v : memref<4x4xf32>) out_deriv(%a : memref<4x4xf32>) precomputed {row_offsets = array<i64: 0>, row_stride = 1 : i64} update
  // CHECK-NEXT: backprop @net::@norm {{.*}} memo(
  nnet3.backprop @net::@norm out_value(%v : memref<4x4xf32>) out_deriv(%a : memref<4x4xf32>) in_deriv(%a : memref<4x4xf32>) memo(%m : !nnet3.memo)
  // CHECK-NOT: backprop
  nnet3.backprop @net::@norm out_value(%w : memref<2x4xf32>) out_deriv(%b : memref<2x4xf32>) in_deriv(%b : memref<2x4xf32>) memo(%n : !nnet3.memo)
}

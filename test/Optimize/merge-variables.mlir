// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-merge-variables))' %s | FileCheck %s
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-merge-variables{remove-assignments=false propagate-in-place=false backprop-in-place=false}))' %s | FileCheck %s --check-prefix=OFF

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.no_op @copy {dim = 4}
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.log_softmax @log_softmax {dim = 4}
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.batch_norm @blocks {dim = 4, block_dim = 2}
}

// The destination is whole: it becomes a part of the source.
// CHECK-LABEL: nnet3.computation @left
// OFF-LABEL: nnet3.computation @left
nnet3.computation @left for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<6x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %d = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %b1 = nnet3.sub_matrix %b[1, 0] : memref<6x4xf32> to memref<4x4xf32, strided<[4, 1], offset: 4>>
  // CHECK: %[[V:.*]] = nnet3.sub_matrix %{{.*}}[1, 0]
  // CHECK: propagate @net::@affine ins(%{{.*}}) outs(%[[V]]
  nnet3.propagate @net::@affine ins(%a : memref<4x4xf32>) outs(%b1 : memref<4x4xf32, strided<[4, 1], offset: 4>>)
  // CHECK-NOT: matrix_copy
  // OFF: matrix_copy
  nnet3.matrix_copy %b1 into %c : memref<4x4xf32, strided<[4, 1], offset: 4>> into memref<4x4xf32>
  // CHECK: propagate @net::@affine ins(%[[V]]
  nnet3.propagate @net::@affine ins(%c : memref<4x4xf32>) outs(%d : memref<4x4xf32>)
  nnet3.dealloc_matrix %c : memref<4x4xf32>
  // CHECK: dealloc_matrix
  // CHECK: dealloc_matrix
  // CHECK-NOT: dealloc_matrix
  nnet3.dealloc_matrix %b : memref<6x4xf32>
  nnet3.dealloc_matrix %a : memref<4x4xf32>
  nnet3.provide_output "y", %d : memref<4x4xf32>
}

// The source is whole: its producer writes into the destination.
// CHECK-LABEL: nnet3.computation @right
nnet3.computation @right for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<4x8xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %c1 = nnet3.sub_matrix %c[0, 4] : memref<4x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 4>>
  // CHECK: %[[V:.*]] = nnet3.sub_matrix %{{.*}}[0, 4]
  // CHECK: propagate @net::@affine ins(%{{.*}}) outs(%[[V]]
  nnet3.propagate @net::@affine ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  // CHECK-NOT: matrix_copy
  nnet3.matrix_copy %b into %c1 : memref<4x4xf32> into memref<4x4xf32, strided<[8, 1], offset: 4>>
  nnet3.dealloc_matrix %b : memref<4x4xf32>
  nnet3.dealloc_matrix %c : memref<4x8xf32>
}

// CHECK-LABEL: nnet3.computation @in_place
// OFF-LABEL: nnet3.computation @in_place
nnet3.computation @in_place for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  nnet3.propagate @net::@affine ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  // CHECK: propagate @net::@relu ins(%[[B:.*]] : memref<4x4xf32>) outs(%[[B]] : memref<4x4xf32>)
  // The statistics do without the input then.
  // CHECK-NEXT: store_stats @net::@relu outs(%[[B]]
  // OFF: store_stats @net::@relu ins
  nnet3.propagate @net::@relu ins(%b : memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  nnet3.store_stats @net::@relu ins(%b : memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  nnet3.provide_output "y", %c : memref<4x4xf32>
}

// CHECK-LABEL: nnet3.computation @backward
nnet3.computation @backward for @net {
  // CHECK: %[[D:.*]] = nnet3.accept_input
  // CHECK: backprop @net::@copy out_deriv(%[[D]] {{.*}} in_deriv(%[[D]]
  // CHECK: provide_output "x", %[[D]]
  %a = nnet3.accept_input "y" : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  nnet3.backprop @net::@copy out_deriv(%a : memref<4x4xf32>) in_deriv(%b : memref<4x4xf32>)
  nnet3.provide_output "x", %b : memref<4x4xf32>
}

// A value that is still needed is not overwritten; a component that cannot run
// in place does not; parts of inputs and outputs stay.
// CHECK-LABEL: nnet3.computation @kept
nnet3.computation @kept for @net {
  %a = nnet3.accept_input "x" : memref<6x4xf32>
  %a1 = nnet3.sub_matrix %a[1, 0] : memref<6x4xf32> to memref<4x4xf32, strided<[4, 1], offset: 4>>
  %b = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %d = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  // CHECK: matrix_copy
  nnet3.matrix_copy %a1 into %b : memref<4x4xf32, strided<[4, 1], offset: 4>> into memref<4x4xf32>
  // CHECK: propagate @net::@relu ins(%[[B:.*]] : memref<4x4xf32>) outs(%[[C:.*]] : memref<4x4xf32>)
  nnet3.propagate @net::@relu ins(%b : memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  // CHECK-NEXT: matrix_add %[[B]] into %[[C]]
  nnet3.matrix_add %b into %c : memref<4x4xf32> into memref<4x4xf32>
  // CHECK-NEXT: propagate @net::@log_softmax ins(%[[C]] : memref<4x4xf32>) outs(%[[D:.*]] : memref<4x4xf32>)
  nnet3.propagate @net::@log_softmax ins(%c : memref<4x4xf32>) outs(%d : memref<4x4xf32>)
  // CHECK-NEXT: provide_output "y", %[[D]]
  nnet3.provide_output "y", %d : memref<4x4xf32>
}

// A copy of a source that changes later, or into a destination that changes
// while the source is still read.
// CHECK-LABEL: nnet3.computation @times
nnet3.computation @times for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  nnet3.propagate @net::@affine ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  // CHECK: matrix_copy
  nnet3.matrix_copy %b into %c : memref<4x4xf32> into memref<4x4xf32>
  nnet3.matrix_add %a into %c : memref<4x4xf32> into memref<4x4xf32>
  nnet3.matrix_add %b into %c : memref<4x4xf32> into memref<4x4xf32>
  nnet3.provide_output "y", %c : memref<4x4xf32>
}

// A scaled copy is made in place.
// CHECK-LABEL: nnet3.computation @scaled
nnet3.computation @scaled for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  // CHECK: matrix_copy %[[A:.*]] into %[[A]] alpha 2.0
  nnet3.matrix_copy %a into %b alpha 2.0 : memref<4x4xf32> into memref<4x4xf32>
  // CHECK: provide_output "y", %[[A]]
  nnet3.provide_output "y", %b : memref<4x4xf32>
}

// The component needs the rows of its output to be adjacent, so they cannot
// become some columns of a wider matrix. Rows of one as wide stay adjacent.
// CHECK-LABEL: nnet3.computation @adjacent
nnet3.computation @adjacent for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %wide = nnet3.alloc_matrix_zeroed : memref<4x8xf32>
  %long = nnet3.alloc_matrix_zeroed : memref<8x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %d = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %wide1 = nnet3.sub_matrix %wide[0, 4] : memref<4x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 4>>
  %long1 = nnet3.sub_matrix %long[4, 0] : memref<8x4xf32> to memref<4x4xf32, strided<[4, 1], offset: 16>>
  // CHECK: %[[LONG:.*]] = nnet3.sub_matrix %{{.*}}[4, 0]
  // CHECK: propagate @net::@blocks ins(%{{.*}}) outs(%[[B:.*]] : memref<4x4xf32>)
  nnet3.propagate @net::@blocks ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  // CHECK: matrix_copy %[[B]]
  nnet3.matrix_copy %b into %wide1 : memref<4x4xf32> into memref<4x4xf32, strided<[8, 1], offset: 4>>
  // CHECK: propagate @net::@blocks ins(%{{.*}}) outs(%[[LONG]]
  nnet3.propagate @net::@blocks ins(%a : memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  // CHECK-NOT: matrix_copy
  nnet3.matrix_copy %c into %long1 : memref<4x4xf32> into memref<4x4xf32, strided<[4, 1], offset: 16>>
  nnet3.propagate @net::@affine ins(%a : memref<4x4xf32>) outs(%d : memref<4x4xf32>)
  nnet3.provide_output "y", %d : memref<4x4xf32>
  nnet3.dealloc_matrix %c : memref<4x4xf32>
  nnet3.dealloc_matrix %b : memref<4x4xf32>
  nnet3.dealloc_matrix %wide : memref<4x8xf32>
  nnet3.dealloc_matrix %long : memref<8x4xf32>
}

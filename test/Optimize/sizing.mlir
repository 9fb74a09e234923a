// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-remove-unnecessary-zeroing))' %s | FileCheck %s --check-prefix=ZERO
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-move-sizing-commands))' %s | FileCheck %s --check-prefix=MOVE
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-move-sizing-commands,nnet3-remove-unnecessary-allocation))' %s | FileCheck %s --check-prefix=REUSE

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.linear @linear {input_dim = 4, output_dim = 4}
}

// ZERO-LABEL: nnet3.computation @chain
// MOVE-LABEL: nnet3.computation @chain
// REUSE-LABEL: nnet3.computation @chain
nnet3.computation @chain for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // ZERO: %[[B:.*]] = nnet3.alloc_matrix_undefined
  // ZERO: %[[C:.*]] = nnet3.alloc_matrix_zeroed
  // ZERO: %[[D:.*]] = nnet3.alloc_matrix_undefined
  %b = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %d = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  // MOVE: accept_input
  // MOVE-NEXT: alloc_matrix_zeroed
  // MOVE-NEXT: propagate @net::@affine
  // MOVE-NEXT: dealloc_matrix
  // MOVE-NEXT: alloc_matrix_zeroed
  // MOVE-NEXT: propagate @net::@linear
  // MOVE-NEXT: dealloc_matrix
  // MOVE-NEXT: alloc_matrix_zeroed
  // MOVE-NEXT: propagate @net::@affine
  // MOVE-NEXT: dealloc_matrix
  // MOVE-NEXT: provide_output

  // The storage of %a becomes that of %c, and that of %b becomes that of %d.
  // REUSE: %[[A:.*]] = nnet3.accept_input
  // REUSE-NEXT: %[[B:.*]] = nnet3.alloc_matrix_zeroed
  // REUSE-NEXT: propagate @net::@affine ins(%[[A]]
  // REUSE-NEXT: %[[C:.*]] = nnet3.move_matrix %[[A]]
  // REUSE-NEXT: set_const %[[C]], 0.0
  // REUSE-NEXT: propagate @net::@linear ins(%[[B]] {{.*}} outs(%[[C]]
  // REUSE-NEXT: %[[D:.*]] = nnet3.move_matrix %[[B]]
  nnet3.propagate @net::@affine ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  nnet3.propagate @net::@linear ins(%b : memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  nnet3.propagate @net::@affine ins(%c : memref<4x4xf32>) outs(%d : memref<4x4xf32>)
  nnet3.dealloc_matrix %a : memref<4x4xf32>
  nnet3.dealloc_matrix %b : memref<4x4xf32>
  nnet3.dealloc_matrix %c : memref<4x4xf32>
  nnet3.provide_output "y", %d : memref<4x4xf32>
}

// Half of the matrix keeps its zeros; other sizes cannot be reused.
// ZERO-LABEL: nnet3.computation @partly
// REUSE-LABEL: nnet3.computation @partly
nnet3.computation @partly for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  // ZERO: alloc_matrix_zeroed
  // REUSE-NOT: move_matrix
  %b = nnet3.alloc_matrix_zeroed : memref<8x4xf32>
  %b1 = nnet3.sub_matrix %b[0, 0] : memref<8x4xf32> to memref<4x4xf32, strided<[4, 1]>>
  nnet3.matrix_copy %a into %b1 : memref<4x4xf32> into memref<4x4xf32, strided<[4, 1]>>
  %c = nnet3.alloc_matrix_zeroed : memref<8x4xf32>
  nnet3.dealloc_matrix %a : memref<4x4xf32>
  // A copy that leaves zeros is one that relies on them.
  // ZERO: alloc_matrix_zeroed
  nnet3.copy_rows %b <_, 0:6> into %c : memref<8x4xf32> into memref<8x4xf32>
  nnet3.provide_output "y", %c : memref<8x4xf32>
}

// Rounds before and behind elided ones must stay alike, so nothing is reused yet.
// ZERO-LABEL: nnet3.computation @elided
// REUSE-LABEL: nnet3.computation @elided
nnet3.computation @elided for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  nnet3.matrix_copy %a into %b : memref<4x4xf32> into memref<4x4xf32>
  // REUSE: nnet3.dealloc_matrix %[[A:.*]] : memref<4x4xf32>
  nnet3.dealloc_matrix %a : memref<4x4xf32>
  // REUSE-NEXT: nnet3.elided_rounds 4 reuse_storage
  nnet3.elided_rounds 4 reads(%b : memref<4x4xf32>) writes(%b : memref<4x4xf32>)
  // REUSE-NEXT: nnet3.alloc_matrix_undefined
  %c = nnet3.alloc_matrix_undefined : memref<4x4xf32>
  nnet3.matrix_copy %b into %c : memref<4x4xf32> into memref<4x4xf32>
  nnet3.dealloc_matrix %b : memref<4x4xf32>
  nnet3.provide_output "y", %c : memref<4x4xf32>
}

// What each pass makes of each computation: commands before and behind it, and
// the commands, matrices, bytes at the peak and bytes in all that it saves;
// then what it counts. Passes that change nothing are left out.

// RUN: nnet3-opt --nnet3-optimize=check --nnet3-pass-statistics %s -o %t.out 2>&1 | FileCheck %s
// RUN: nnet3-opt --nnet3-optimize %s -o %t.without 2>&1 | count 0
// RUN: diff %t.out %t.without

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.rectified_linear @relu {dim = 4}
  nnet3.output_node "y", %x : !nnet3.rows<4>
}

// An allocation with zeros counts as two commands, as in the reference.
// CHECK:      passes over @first, and what each saves
// CHECK-NEXT: commands commands matrices peak bytes bytes
// CHECK-NEXT: nnet3-merge-variables            14 -> 7 7 2 256 256 2 rounds, 1 copies removed, 1 components run in place
// CHECK-NEXT: nnet3-remove-unnecessary-zeroing  7 -> 6 1 0 0 0 1 matrices not zeroed
// CHECK-NEXT: nnet3-move-sizing-commands        6 -> 6 0 0 0 0 2 commands moved
nnet3.computation @first for @net {
  %a = nnet3.accept_input "x" : memref<8x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<8x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<8x4xf32>
  %d = nnet3.alloc_matrix_zeroed : memref<8x4xf32>
  nnet3.propagate @net::@affine ins(%a : memref<8x4xf32>) outs(%b : memref<8x4xf32>)
  nnet3.matrix_copy %b into %c : memref<8x4xf32> into memref<8x4xf32>
  nnet3.propagate @net::@relu ins(%c : memref<8x4xf32>) outs(%d : memref<8x4xf32>)
  nnet3.dealloc_matrix %a : memref<8x4xf32>
  nnet3.dealloc_matrix %b : memref<8x4xf32>
  nnet3.dealloc_matrix %c : memref<8x4xf32>
  nnet3.provide_output "y", %d : memref<8x4xf32>
}

// CHECK-NEXT: passes over @second, and what each saves
// CHECK-NEXT: commands commands matrices peak bytes bytes
// CHECK-NEXT: nnet3-remove-no-ops 3 -> 2 1 0 0 0{{$}}
// CHECK-NOT:  {{.}}
nnet3.computation @second for @net {
  %a = nnet3.accept_input "x" : memref<8x4xf32>
  nnet3.no_operation
  nnet3.provide_output "y", %a : memref<8x4xf32>
}

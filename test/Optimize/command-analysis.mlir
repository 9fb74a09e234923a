// Two views that overlap cut %b into nine variables.
// RUN: nnet3-opt --mlir-disable-threading --pass-pipeline='builtin.module(nnet3.computation(nnet3-test-command-analysis))' %s -o /dev/null | FileCheck %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  %z = nnet3.input_node "z" : !nnet3.rows<6>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.output_node "w", %z : !nnet3.rows<6>
  nnet3.affine @affine {input_dim = 4, output_dim = 4}
  nnet3.linear @linear {input_dim = 4, output_dim = 4}
}

// CHECK-LABEL: computation overlap
// CHECK-NEXT: m0: allocate 0 deallocate 6 input accesses 0w 2r 3r 4r
// CHECK-NEXT:   m0: 0w 2r 3r 4r
// CHECK-NEXT: m1: allocate 1 deallocate -1 output accesses 1w0 2rw 3rw 4rw 5r
// CHECK-NEXT:   m1(0:1, 0:1): 1w0 2w 5r
// CHECK-NEXT:   m1(0:1, 2:3): 1w0 2w 5r
// CHECK-NEXT:   m1(0:1, 4:5): 1w0 5r
// CHECK-NEXT:   m1(2:3, 0:1): 1w0 2w 5r
// CHECK-NEXT:   m1(2:3, 2:3): 1w0 2w 3rw 4rw 5r
// CHECK-NEXT:   m1(2:3, 4:5): 1w0 3rw 4rw 5r
// CHECK-NEXT:   m1(4:5, 0:1): 1w0 5r
// CHECK-NEXT:   m1(4:5, 2:3): 1w0 3rw 4rw 5r
// CHECK-NEXT:   m1(4:5, 4:5): 1w0 3rw 4rw 5r
// CHECK:      c2: matrix_copy
// CHECK-NEXT:   variables m0: nontrivial 0 last 4 last-write 0 invalidated 6
// CHECK-NEXT:   variables m1(0:1, 0:1) m1(0:1, 2:3) m1(2:3, 0:1) m1(2:3, 2:3): nontrivial 2 last 5 last-write 7 invalidated 3
// CHECK-NEXT: c3: add_rows
// CHECK:        variables m1(2:3, 2:3) m1(2:3, 4:5) m1(4:5, 2:3) m1(4:5, 4:5): nontrivial 2 last 5 last-write 7 invalidated 4
// CHECK-NEXT: c4: copy_rows
// CHECK:      c5: provide_output
// CHECK:      c6: dealloc_matrix
// CHECK-NEXT:   variables m0: nontrivial 0 last 4 last-write 0 invalidated 6
nnet3.computation @overlap for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<6x6xf32>
  %b1 = nnet3.sub_matrix %b[0, 0] : memref<6x6xf32> to memref<4x4xf32, strided<[6, 1]>>
  %b2 = nnet3.sub_matrix %b[2, 2] : memref<6x6xf32> to memref<4x4xf32, strided<[6, 1], offset: 14>>
  nnet3.matrix_copy %a into %b1 : memref<4x4xf32> into memref<4x4xf32, strided<[6, 1]>>
  nnet3.add_rows %a <0:2, _> into %b2 : memref<4x4xf32> into memref<4x4xf32, strided<[6, 1], offset: 14>>
  // Rows from nowhere make it one that also reads.
  nnet3.copy_rows %a <0:2, _> into %b2 : memref<4x4xf32> into memref<4x4xf32, strided<[6, 1], offset: 14>>
  nnet3.provide_output "w", %b : memref<6x6xf32>
  nnet3.dealloc_matrix %a : memref<4x4xf32>
}

// Components: a component that adds to its output also reads it.
// CHECK-LABEL: computation components
// CHECK-NEXT: m0: {{.*}} accesses 0w 3r 4r 7r
// CHECK-NEXT:   m0: 0w 3r 4r 7r
// CHECK-NEXT: m1: {{.*}} accesses 1w0 3w
// CHECK:      m2: {{.*}} accesses 2w0 4rw 5r
// CHECK:      m3: {{.*}} accesses 6w 7r
// CHECK:      c7: backprop
nnet3.computation @components for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  %c = nnet3.alloc_matrix_zeroed : memref<4x4xf32>
  nnet3.propagate @net::@affine ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  nnet3.propagate @net::@linear ins(%a : memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  nnet3.provide_output "y", %c : memref<4x4xf32>
  %d = nnet3.accept_input "y" : memref<4x4xf32>
  nnet3.backprop @net::@linear in_value(%a : memref<4x4xf32>) out_deriv(%d : memref<4x4xf32>) update
}

// Storage that is moved has two matrices.
// CHECK-LABEL: computation moved
// CHECK-NEXT: m0: allocate 0 deallocate 1 input accesses 0w
// CHECK-NEXT:   m0: 0w
// CHECK-NEXT: m1: allocate 1 deallocate -1 output accesses 2w0 3r
// CHECK-NEXT:   m1: 2w0 3r
nnet3.computation @moved for @net {
  %a = nnet3.accept_input "x" : memref<4x4xf32>
  %b = nnet3.move_matrix %a : memref<4x4xf32>
  nnet3.set_const %b, 0.0 : memref<4x4xf32>
  nnet3.provide_output "y", %b : memref<4x4xf32>
}

// RUN: nnet3-opt %s -canonicalize -cse | FileCheck %s

// What speaks with the caller stays, even if nothing here uses it; so does what
// writes to a matrix that is given back. An unused view goes.

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}

// CHECK-LABEL: nnet3.computation @io
nnet3.computation @io for @net {
  // CHECK-NEXT: nnet3.accept_input "input"
  %m1 = nnet3.accept_input "input" : memref<10x4xf32>
  // CHECK-NEXT: %[[OUT:.+]] = nnet3.alloc_matrix_zeroed
  %m2 = nnet3.alloc_matrix_zeroed : memref<10x4xf32>
  // CHECK-NOT: nnet3.sub_matrix
  %v = nnet3.sub_matrix %m2[0, 0] : memref<10x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  // CHECK: nnet3.set_const %[[OUT]], 1.0
  nnet3.set_const %m2, 1.0 : memref<10x4xf32>
  // CHECK-NEXT: nnet3.provide_output "output", %[[OUT]]
  nnet3.provide_output "output", %m2 : memref<10x4xf32>
  // CHECK-NEXT: nnet3.no_operation_marker
  nnet3.no_operation_marker
}

// Two allocations are two matrices.

// CHECK-LABEL: nnet3.computation @twice
nnet3.computation @twice for @net {
  // CHECK-COUNT-2: nnet3.alloc_matrix_undefined
  %m1 = nnet3.alloc_matrix_undefined : memref<10x4xf32>
  %m2 = nnet3.alloc_matrix_undefined : memref<10x4xf32>
  nnet3.set_const %m1, 1.0 : memref<10x4xf32>
  nnet3.matrix_copy %m1 into %m2 : memref<10x4xf32> into memref<10x4xf32>
  nnet3.provide_output "output", %m2 : memref<10x4xf32>
}

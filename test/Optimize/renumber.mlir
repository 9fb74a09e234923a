// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.computation(nnet3-remove-no-ops,nnet3-renumber))' %s | FileCheck %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
}

// CHECK-LABEL: nnet3.computation @views
nnet3.computation @views for @net {
  // CHECK: %[[A:.*]] = nnet3.accept_input
  // CHECK-NEXT: %[[V:.*]] = nnet3.sub_matrix %[[A]][3, 1]
  // CHECK-NEXT: set_const %[[V]], 1.0
  // CHECK-NEXT: set_const %[[V]], 2.0
  // CHECK-NEXT: no_operation_permanent
  // CHECK-NEXT: }
  %a = nnet3.accept_input "x" : memref<6x4xf32>
  %unused = nnet3.alloc_matrix_zeroed : memref<6x4xf32>
  %dead = nnet3.sub_matrix %a[0, 0] : memref<6x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  %b = nnet3.sub_matrix %a[2, 1] : memref<6x4xf32> to memref<4x3xf32, strided<[4, 1], offset: 9>>
  %c = nnet3.sub_matrix %b[1, 0] : memref<4x3xf32, strided<[4, 1], offset: 9>> to memref<2x3xf32, strided<[4, 1], offset: 13>>
  nnet3.no_operation
  nnet3.set_const %c, 1.0 : memref<2x3xf32, strided<[4, 1], offset: 13>>
  %d = nnet3.sub_matrix %a[3, 1] : memref<6x4xf32> to memref<2x3xf32, strided<[4, 1], offset: 13>>
  nnet3.set_const %d, 2.0 : memref<2x3xf32, strided<[4, 1], offset: 13>>
  nnet3.no_operation_permanent
  nnet3.dealloc_matrix %unused : memref<6x4xf32>
}

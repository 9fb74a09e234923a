// RUN: nnet3-opt %s -canonicalize | FileCheck %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
}

// CHECK-LABEL: nnet3.computation @views
nnet3.computation @views for @net {
  // CHECK-NEXT: %[[A:.*]] = nnet3.accept_input "x"
  %a = nnet3.accept_input "x" : memref<6x4xf32>
  // CHECK-NEXT: %[[INNER:.*]] = nnet3.sub_matrix %[[A]][3, 2] : memref<6x4xf32> to memref<2x1xf32, strided<[4, 1], offset: 14>>
  %whole = nnet3.sub_matrix %a[0, 0] : memref<6x4xf32> to memref<6x4xf32, strided<[4, 1]>>
  %outer = nnet3.sub_matrix %a[2, 1] : memref<6x4xf32> to memref<4x3xf32, strided<[4, 1], offset: 9>>
  %inner = nnet3.sub_matrix %outer[1, 1] : memref<4x3xf32, strided<[4, 1], offset: 9>> to memref<2x1xf32, strided<[4, 1], offset: 14>>
  %same = nnet3.sub_matrix %inner[0, 0] : memref<2x1xf32, strided<[4, 1], offset: 14>> to memref<2x1xf32, strided<[4, 1], offset: 14>>
  // CHECK-NEXT: nnet3.set_const %[[INNER]]
  nnet3.set_const %same, 1.0 : memref<2x1xf32, strided<[4, 1], offset: 14>>
  // CHECK-NEXT: nnet3.no_operation_marker
  nnet3.no_operation
  nnet3.no_operation_marker
  // CHECK-NEXT: nnet3.provide_output
  nnet3.provide_output "y", %a : memref<6x4xf32>
}

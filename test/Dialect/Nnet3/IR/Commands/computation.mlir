// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt %s --verify-roundtrip -o /dev/null

nnet3.network @net {
  nnet3.no_op @noop {dim = 4}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %a = nnet3.component_node "a" @noop(%in) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %a : !nnet3.rows<4>
}

// CHECK-LABEL: nnet3.computation @chunk for @net need_model_derivative {
nnet3.computation @chunk for @net need_model_derivative {
  // CHECK-NEXT: %[[M1:.*]] = nnet3.accept_input "input" : memref<8x4xf32>
  %m1 = nnet3.accept_input "input" : memref<8x4xf32>
  // CHECK-NEXT: nnet3.no_operation_permanent
  nnet3.no_operation_permanent
  // CHECK-NEXT: nnet3.no_operation{{$}}
  nnet3.no_operation
  // CHECK-NEXT: nnet3.provide_output "output", %[[M1]] : memref<8x4xf32>
  nnet3.provide_output "output", %m1 : memref<8x4xf32>
  // CHECK-NEXT: nnet3.no_operation_marker
  nnet3.no_operation_marker
  // The derivative of the output comes in, that of the input goes out.
  // CHECK-NEXT: nnet3.accept_input "output"
  %m2 = nnet3.accept_input "output" : memref<8x4xf32>
  // CHECK-NEXT: nnet3.provide_output "input"
  nnet3.provide_output "input", %m2 : memref<8x4xf32>
}

// CHECK-LABEL: nnet3.computation @streaming for @net {
nnet3.computation @streaming for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<1x4xf32>
  // CHECK: nnet3.loop (%[[S:.*]] = %{{.*}} : memref<1x4xf32>) {
  nnet3.loop (%s = %m : memref<1x4xf32>) {
    // CHECK-NEXT: nnet3.accept_input
    %in = nnet3.accept_input "input" : memref<1x4xf32>
    // CHECK-NEXT: nnet3.matrix_add %[[S]]
    nnet3.matrix_add %s into %in : memref<1x4xf32> into memref<1x4xf32>
    nnet3.provide_output "output", %in : memref<1x4xf32>
    nnet3.dealloc_matrix %s : memref<1x4xf32>
    // CHECK: nnet3.yield %{{.*}} : memref<1x4xf32>
    nnet3.yield %in : memref<1x4xf32>
  }
}

// CHECK-LABEL: nnet3.computation @nothing_carried for @net {
nnet3.computation @nothing_carried for @net {
  // CHECK-NEXT: nnet3.loop () {
  nnet3.loop () {
    // CHECK-NEXT: nnet3.yield
    nnet3.yield
  }
}

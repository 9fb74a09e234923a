// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt %s --verify-roundtrip -o /dev/null

nnet3.network @net {
  nnet3.no_op @noop {dim = 4}
  nnet3.backprop_truncation @truncation {dim = 4}
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

// CHECK-LABEL: nnet3.computation @steps for @net {
nnet3.computation @steps for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<10x4xf32>
  // CHECK: nnet3.loop %[[ROUND:.*]] to 4 {
  nnet3.loop %round to 4 {
    // CHECK-NEXT: %[[FROM:.*]] = nnet3.moving_sub_matrix %{{.*}}[8 + -2 * %[[ROUND]], 1] : memref<10x4xf32> to memref<2x3xf32, strided<[4, 1], offset: ?>>
    %from = nnet3.moving_sub_matrix %m[8 + -2 * %round, 1] : memref<10x4xf32> to memref<2x3xf32, strided<[4, 1], offset: ?>>
    // CHECK-NEXT: %[[LOCAL:.*]] = nnet3.alloc_matrix_undefined
    %local = nnet3.alloc_matrix_undefined : memref<2x3xf32>
    // CHECK-NEXT: nnet3.matrix_copy %[[FROM]] into %[[LOCAL]]
    nnet3.matrix_copy %from into %local : memref<2x3xf32, strided<[4, 1], offset: ?>> into memref<2x3xf32>
    // CHECK-NEXT: nnet3.dealloc_matrix %[[LOCAL]]
    nnet3.dealloc_matrix %local : memref<2x3xf32>
    // CHECK-NEXT: %[[DERIV:.*]] = nnet3.moving_sub_matrix
    %deriv = nnet3.moving_sub_matrix %m[0 + 1 * %round, 0] : memref<10x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    // CHECK-NEXT: nnet3.backprop @net::@truncation out_deriv(%[[DERIV]] : {{.*}}) in_deriv(%[[DERIV]] : {{.*}}) precomputed {first_time = 9 : i64, times = #nnet3.row_table<0>} time + -3 * %[[ROUND]]
    nnet3.backprop @net::@truncation out_deriv(%deriv : memref<1x4xf32, strided<[4, 1], offset: ?>>) in_deriv(%deriv : memref<1x4xf32, strided<[4, 1], offset: ?>>) precomputed {first_time = 9 : i64, times = #nnet3.row_table<0>} time + -3 * %round
  }
  nnet3.dealloc_matrix %m : memref<10x4xf32>
}

// CHECK-LABEL: nnet3.computation @elided for @net {
nnet3.computation @elided for @net {
  %m = nnet3.alloc_matrix_zeroed : memref<10x4xf32>
  // CHECK: nnet3.elided_rounds 5 reads(%{{.*}} : memref<10x4xf32>) writes(%{{.*}}, %{{.*}} : memref<10x4xf32>, memref<10x4xf32>)
  nnet3.elided_rounds 5 reads(%m : memref<10x4xf32>) writes(%m, %m : memref<10x4xf32>, memref<10x4xf32>)
  // CHECK-NEXT: nnet3.elided_rounds 5{{$}}
  nnet3.elided_rounds 5
  // CHECK-NEXT: nnet3.keep_rows %{{.*}}, %{{.*}} : memref<10x4xf32>, memref<10x4xf32>
  nnet3.keep_rows %m, %m : memref<10x4xf32>, memref<10x4xf32>
  // CHECK-NEXT: nnet3.elided_rounds 5 reuse_storage reads(%{{.*}} : memref<10x4xf32>){{$}}
  nnet3.elided_rounds 5 reuse_storage reads(%m : memref<10x4xf32>)
  nnet3.dealloc_matrix %m : memref<10x4xf32>
}

// CHECK-LABEL: nnet3.computation @nothing_repeated for @net {
nnet3.computation @nothing_repeated for @net {
  // CHECK-NEXT: nnet3.loop %{{.*}} to 1 attributes {note = 2 : i64} {
  // CHECK-NEXT: }
  nnet3.loop %round to 1 attributes {note = 2} {}
}

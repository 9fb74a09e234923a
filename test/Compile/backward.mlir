// RUN: nnet3-opt %s --nnet3-compile | FileCheck %s
// RUN: nnet3-opt %s --nnet3-compile --verify-roundtrip -o /dev/null

// Derivatives begin as zeros; the backward pass goes through the steps in
// reverse, and each component is handed what its properties ask for.

nnet3.network @net {
  nnet3.batch_norm @norm {dim = 4}
  nnet3.tdnn @tdnn {input_dim = 4, output_dim = 2, time_offsets = array<i64: -1, 0>}
  nnet3.no_op @noop {dim = 2}
  nnet3.rectified_linear @relu {dim = 2}
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  %a = nnet3.component_node "a" @norm(%x) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %b = nnet3.component_node "b" @tdnn(%a) : (!nnet3.rows<4>) -> !nnet3.rows<2>
  %c = nnet3.component_node "c" @noop(%b) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %d = nnet3.component_node "d" @relu(%c) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  nnet3.output_node "output", %d : !nnet3.rows<2>
}

// CHECK-LABEL: nnet3.computation @train_computation for @net need_model_derivative
// CHECK-NEXT: nnet3.accept_input "x"
// CHECK: nnet3.no_operation_permanent
// CHECK: %[[MEMO:.*]] = nnet3.propagate @net::@norm ins(%{{.*}}) outs(%[[A:.*]] : memref<8x4xf32>) -> !nnet3.memo
// CHECK: nnet3.propagate @net::@tdnn ins(%[[B_IN:.*]] : memref<8x4xf32>)
// CHECK: nnet3.propagate @net::@relu ins(%{{.*}}) outs(%[[D:.*]] : memref<6x2xf32>)
// CHECK: nnet3.provide_output "output"
// CHECK-NEXT: nnet3.no_operation_marker
// CHECK-NEXT: %[[OUT:.*]] = nnet3.accept_input "output" : memref<6x2xf32>
// The caller's rows are ordered by n, the others by t.
// CHECK-NEXT: nnet3.add_rows %[[OUT]] <[3 x +1](0:3:3)> into %[[DD:.*]] : memref
// CHECK-NEXT: nnet3.backprop @net::@relu out_value(%[[D]] : memref<6x2xf32>) out_deriv(%[[DD]] : memref<6x2xf32>) in_deriv(%[[DD_IN:.*]] : memref<6x2xf32>){{$}}
// CHECK-NEXT: nnet3.matrix_add %[[DD_IN]] into %[[DC:.*]] : memref
// CHECK-NEXT: nnet3.backprop @net::@noop out_deriv(%[[DC]] : memref<6x2xf32>) in_deriv(%[[DC_IN:.*]] : memref<6x2xf32>){{$}}
// CHECK-NEXT: nnet3.matrix_add %[[DC_IN]] into %[[DB:.*]] : memref
// CHECK-NEXT: nnet3.backprop @net::@tdnn in_value(%[[B_IN]] : memref<8x4xf32>) out_deriv(%[[DB]] : memref<6x2xf32>) in_deriv(%[[DB_IN:.*]] : memref<8x4xf32>) precomputed {row_offsets = array<i64: 0, 2>, row_stride = 1 : i64} update
// CHECK-NEXT: nnet3.matrix_add %[[DB_IN]] into %[[DA:.*]] : memref
// CHECK-NEXT: nnet3.backprop @net::@norm out_value(%[[A]] : memref<8x4xf32>) out_deriv(%[[DA]] : memref<8x4xf32>) in_deriv(%[[DA_IN:.*]] : memref<8x4xf32>) memo(%[[MEMO]] : !nnet3.memo){{$}}
// CHECK-NEXT: nnet3.add_rows %[[DA_IN]] <[2 x +1](0:6:2)> into %[[DX:.*]] : memref
// CHECK-NEXT: nnet3.no_operation_permanent
// CHECK: nnet3.dealloc_matrix
// CHECK-NOT: nnet3.dealloc_matrix %[[DX]] :
// CHECK: nnet3.provide_output "x", %[[DX]] : memref<8x4xf32>
// CHECK-NEXT: }
nnet3.request @train for @net need_model_derivative {
  nnet3.request_input "x" <n = 0:1, t = -1:2> deriv
  nnet3.request_output "output" <n = 0:1, t = 0:2> deriv
}

// One output frame of three: the grid of the Tdnn's rows has a blank per
// sequence, which no derivative comes back from, and some frames are not used.
// CHECK-LABEL: nnet3.computation @subsampled_computation for @net need_model_derivative
// CHECK: nnet3.backprop @net::@tdnn {{.*}} in_deriv(%[[DB_IN:.*]] : memref<18x4xf32>) precomputed {row_offsets = array<i64: 0, 1>, row_stride = 3 : i64} update
// CHECK-NEXT: nnet3.add_rows %[[DB_IN]] <[3 x +6]([2 x +1](0:3:3))> into %{{.*}} : memref<18x4xf32> into memref<12x4xf32>
// CHECK: nnet3.add_rows %{{.*}} <[2 x +1](0, 2, _, 4, 6, _, 8:10:2)> into %[[DX:.*]] : memref<12x4xf32> into memref<16x4xf32>
// CHECK: nnet3.provide_output "x", %[[DX]]
nnet3.request @subsampled for @net need_model_derivative {
  nnet3.request_input "x" <n = 0:1, t = -1:6> deriv
  nnet3.request_output "output" <n = 0:1, t = 0:6:3> deriv
}

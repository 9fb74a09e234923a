// The worked example of the reference's authors: ten matrices become five.
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3-compile,nnet3-optimize)' %s | FileCheck %s
// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3-compile,nnet3-optimize{optimize=false})' %s | FileCheck %s --check-prefix=OFF

nnet3.network @net {
  %input = nnet3.input_node "input" : !nnet3.rows<3>
  nnet3.affine @affine {input_dim = 6, output_dim = 4}
  %0 = nnet3.offset %input, t = -1 : !nnet3.rows<3>
  %1 = nnet3.append %0, %input : (!nnet3.rows<3>, !nnet3.rows<3>) -> !nnet3.rows<6>
  %h = nnet3.component_node "h" @affine(%1) : (!nnet3.rows<6>) -> !nnet3.rows<4>
  nnet3.rectified_linear @relu {dim = 4}
  %r = nnet3.component_node "r" @relu(%h) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %r : !nnet3.rows<4>
}
nnet3.request @request for @net need_model_derivative {
  nnet3.request_input "input" <t = -1:1>
  nnet3.request_output "output" <t = 0:1> deriv
}

// OFF: alloc_matrix_zeroed
// CHECK:      %[[M1:.*]] = nnet3.accept_input "input"
// CHECK:      no_operation_permanent
// CHECK-NEXT: %[[M2:.*]] = nnet3.alloc_matrix_undefined : memref<2x6xf32>
// CHECK:      matrix_copy
// CHECK-NEXT: matrix_copy
// CHECK-NEXT: dealloc_matrix %[[M1]]
// CHECK-NEXT: %[[M3:.*]] = nnet3.alloc_matrix_undefined : memref<2x4xf32>
// CHECK-NEXT: propagate @net::@affine ins(%[[M2]] {{.*}} outs(%[[M3]]
// CHECK-NEXT: propagate @net::@relu ins(%[[M3]] {{.*}} outs(%[[M3]]
// CHECK-NEXT: provide_output "output", %[[M3]]
// CHECK-NEXT: no_operation_marker
// CHECK-NEXT: %[[M5:.*]] = nnet3.accept_input "output"
// CHECK-NEXT: %[[M4:.*]] = nnet3.alloc_matrix_undefined : memref<2x4xf32>
// CHECK-NEXT: backprop @net::@relu out_value(%[[M3]] {{.*}} out_deriv(%[[M5]] {{.*}} in_deriv(%[[M4]]
// CHECK-NEXT: dealloc_matrix %[[M5]]
// CHECK-NEXT: backprop @net::@affine in_value(%[[M2]] {{.*}} out_deriv(%[[M4]] {{.*}} update
// CHECK-NEXT: dealloc_matrix
// CHECK-NEXT: dealloc_matrix
// CHECK-NEXT: }

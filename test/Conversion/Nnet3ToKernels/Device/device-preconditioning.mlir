// RUN: nnet3-opt --nnet3-compile --nnet3-number-draws --nnet3-expand-composites=device \
// RUN:   --nnet3-fuse-affine '--convert-nnet3-to-kernels=device updates' \
// RUN:   --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads %s | \
// RUN:   FileCheck %s

// What is preconditioned of components that are not affine ones.

// What each block of each of the five rows adds to the scales, and to the
// offsets, is a row.

// CHECK-LABEL: func.func @blocks_request_computation
// CHECK: call @[[TERMS:map_rows_[0-9]+]](
// CHECK: call @[[SCALES:precondition_[0-9]+]](
// CHECK: call @[[SUM:reduce_rows_[0-9]+]](
// CHECK: call @[[DERIVATIVES:map_rows_[0-9]+]](
// CHECK: call @[[OFFSETS:precondition_[0-9]+]](
// CHECK: call @[[SUM]](
// CHECK: return

nnet3.network @blocks {
  nnet3.scale_and_offset @scales {dim = 6, block_dim = 3, scales = dense<2.0> : tensor<3xf32>, offsets = dense<1.0> : tensor<3xf32>}
  %in = nnet3.input_node "input" : !nnet3.rows<6>
  %y = nnet3.component_node "y" @scales(%in) : (!nnet3.rows<6>) -> !nnet3.rows<6>
  nnet3.output_node "output", %y objective quadratic : !nnet3.rows<6>
}
nnet3.request @blocks_request for @blocks need_model_derivative {
  nnet3.request_input "input" <t = 0:4>
  nnet3.request_output "output" <t = 0:4> deriv
}

// Both factors of the product that is the gradient of w_h: the gated state and
// the derivative of what goes into the tanh.

// CHECK-LABEL: func.func @gru_request_computation
// CHECK: call @compute_objectives_
// CHECK: call @map_rows_
// CHECK: call @map_
// CHECK: call @map_
// CHECK: call @[[GATED:precondition_[0-9]+]](
// CHECK: call @[[CANDIDATE:precondition_[0-9]+]](
// CHECK: call @matmul_

nnet3.network @gru {
  nnet3.gru_nonlinearity @cell {cell_dim = 4, recurrent_dim = 3, w_h = dense<0.5> : tensor<4x3xf32>}
  %in = nnet3.input_node "input" : !nnet3.rows<18>
  %y = nnet3.component_node "y" @cell(%in) : (!nnet3.rows<18>) -> !nnet3.rows<8>
  nnet3.output_node "output", %y objective quadratic : !nnet3.rows<8>
}
nnet3.request @gru_request for @gru need_model_derivative {
  nnet3.request_input "input" <t = 0:4>
  nnet3.request_output "output" <t = 0:4> deriv
}

// Parts have numbers, and preconditioners of their own; three rows are
// preconditioned, then two.

// CHECK-LABEL: kernel.entry @parts_request_computation
// CHECK-SAME: component = "whole", parameter = "component2.scales"
// CHECK-SAME: parameters [#kernel.parameter<component = "whole", parameter = "component1.linear_params", {{.*}}size = 8>, #kernel.parameter<component = "whole", parameter = "component1.bias_params", {{.*}}size = 4>, #kernel.parameter<component = "whole", parameter = "component2.scales", {{.*}}size = 4>]
// CHECK: call @[[OBJECTIVE:compute_objectives_[0-9]+]](
// CHECK: call @[[SECOND:precondition_[0-9]+]](
// CHECK: call @[[FIRST:precondition_[0-9]+]](
// CHECK: call @{{precondition_[0-9]+}}(
// CHECK: call @[[REST:precondition_[0-9]+]](

// CHECK: func.func private @[[TERMS]]
// CHECK: scf.parallel (%{{.*}}, %{{.*}}) = ({{.*}}) to (%c5{{.*}}, %c1{{.*}})
// CHECK: arith.constant 6 : index
// CHECK: scf.parallel
// CHECK: func.func private @[[SCALES]](
// CHECK: kernel.precondition {{.*}} component "scales" number 0 : memref<10x3xf32,
// CHECK: func.func private @[[OFFSETS]](
// CHECK: kernel.precondition {{.*}} component "scales" number 1 : memref<10x3xf32,
// CHECK: func.func private @[[GATED]](
// CHECK: kernel.precondition {{.*}} component "cell" number 0 : memref<5x3xf32,
// CHECK: func.func private @[[CANDIDATE]](
// CHECK: kernel.precondition {{.*}} component "cell" number 1 : memref<5x4xf32,
// CHECK: func.func private @[[SECOND]](
// CHECK: kernel.precondition {{.*}} component "whole" number 0 part 1 : memref<3x4xf32,
// CHECK: func.func private @[[FIRST]](
// CHECK: kernel.precondition {{.*}} component "whole" number 0 part 0 : memref<3x3xf32,
// CHECK: func.func private @[[REST]](
// CHECK: kernel.precondition {{.*}} component "whole" {{.*}}part 1 : memref<2x

nnet3.network @parts {
  nnet3.composite @whole attributes {max_rows_process = 3} {
    nnet3.natural_gradient_affine @first {input_dim = 2, output_dim = 4, linear_params = dense<2.0> : tensor<4x2xf32>, bias_params = dense<1.0> : tensor<4xf32>}
    nnet3.natural_gradient_per_element_scale @second {dim = 4, scales = dense<2.0> : tensor<4xf32>}
  }
  %in = nnet3.input_node "input" : !nnet3.rows<2>
  %y = nnet3.component_node "y" @whole(%in) : (!nnet3.rows<2>) -> !nnet3.rows<4>
  nnet3.output_node "output", %y objective quadratic : !nnet3.rows<4>
}
nnet3.request @parts_request for @parts need_model_derivative {
  nnet3.request_input "input" <t = 0:4>
  nnet3.request_output "output" <t = 0:4> deriv
}

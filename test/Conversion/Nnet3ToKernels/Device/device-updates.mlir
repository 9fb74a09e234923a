// RUN: nnet3-opt --nnet3-compile --nnet3-number-draws --nnet3-fuse-affine \
// RUN:   '--convert-nnet3-to-kernels=device updates' --kernel-infer-alignment --kernel-fuse-maps --kernel-outline \
// RUN:   --convert-kernel-to-threads %s | FileCheck %s
// RUN: nnet3-opt --nnet3-make-update-kernels %s | \
// RUN:   FileCheck --check-prefix=UPDATE %s
// RUN: nnet3-opt --nnet3-make-update-kernels --convert-nnet3-kernels-to-gpu \
// RUN:   --nnet3-gpu-to-nvvm %S/../../Inputs/empty.mlir | \
// RUN:   FileCheck --check-prefix=NVVM %s

// The parameters that are trained come first, in the order of the network. The
// runtime computes objectives between the passes, and preconditions the rows
// of @affine: the input with a column of ones for the bias, and a copy of the
// derivative. @plain has a plain gradient.

// CHECK: kernel.entry @request_computation
// CHECK-SAME: gradients [#kernel.gradient<
// CHECK-SAME: parameters [#kernel.parameter<component = "affine", parameter = "linear_params", offset = 0, size = 24>, #kernel.parameter<component = "affine", parameter = "bias_params", offset = 32, size = 4>, #kernel.parameter<component = "plain", parameter = "linear_params", offset = 48, size = 16>, #kernel.parameter<component = "plain", parameter = "bias_params", offset = 64, size = 4>]
// CHECK-LABEL: func.func @request_computation
// CHECK: call @matmul
// CHECK: call @[[OBJECTIVE:compute_objectives_[0-9]+]](
// CHECK: call @matmul
// CHECK: call @matmul
// CHECK: call @[[INPUT:precondition_[0-9]+]](
// CHECK: call @[[DERIVATIVE:precondition_[0-9]+]](
// CHECK: call @matmul
// CHECK: call @matmul
// CHECK: return

// CHECK: func.func private @[[OBJECTIVE]](
// CHECK-NEXT: kernel.compute_objectives
// CHECK: func.func private @[[INPUT]](
// CHECK: kernel.precondition {{.*}} component "affine" number 0 : memref<3x7xf32, strided<[8, 1], offset: ?>>
// CHECK: func.func private @[[DERIVATIVE]](
// CHECK: kernel.precondition {{.*}} component "affine" number 1 : memref<3x4xf32, strided<[4, 1], offset: ?>>

// Sizes are arguments; 128 blocks share what there is. Rows and columns are
// counted in 32 bits. Threads share the sum that an element of a product of a
// basis with itself is.

// UPDATE-LABEL: func.func private @update_add(
// UPDATE-SAME: kernel.block = #kernel.block<threads = 256>
// UPDATE: scf.parallel ({{.*}}) = (%c0) to (%c128)
// UPDATE: scf.parallel
// UPDATE: math.fma
// UPDATE-LABEL: func.func private @update_rescale(
// UPDATE: scf.parallel
// UPDATE: scf.parallel
// UPDATE: scf.parallel
// UPDATE: scf.parallel
// UPDATE: arith.divui {{.*}} : i32
// UPDATE: arith.remui {{.*}} : i32
// UPDATE-NOT: arith.divui
// UPDATE-LABEL: func.func private @update_add_rows(
// UPDATE-LABEL: func.func private @update_gram(
// UPDATE: scf.parallel ({{.*}}) = (%c0) to (%c512)
// UPDATE: memref.alloca() : memref<256xf64>
// UPDATE: arith.extf {{.*}} : f32 to f64
// UPDATE: arith.truncf {{.*}} : f64 to f32
// UPDATE-LABEL: func.func private @update_add_doubles(
// UPDATE: arith.bitcast {{.*}} : i64 to f64
// UPDATE: arith.mulf {{.*}} : f64

// NVVM-COUNT-10: gpu.kernel

nnet3.network @net {
  nnet3.natural_gradient_affine @affine {input_dim = 6, output_dim = 4, linear_params = dense<2.0> : tensor<4x6xf32>, bias_params = dense<1.0> : tensor<4xf32>}
  nnet3.affine @plain {input_dim = 4, output_dim = 4, linear_params = dense<2.0> : tensor<4x4xf32>, bias_params = dense<1.0> : tensor<4xf32>}
  %in = nnet3.input_node "input" : !nnet3.rows<6>
  %y = nnet3.component_node "y" @affine(%in) : (!nnet3.rows<6>) -> !nnet3.rows<4>
  %z = nnet3.component_node "z" @plain(%y) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %z objective quadratic : !nnet3.rows<4>
}
nnet3.request @request for @net need_model_derivative {
  nnet3.request_input "input" <t = 0:2>
  nnet3.request_output "output" <t = 0:2> deriv
}

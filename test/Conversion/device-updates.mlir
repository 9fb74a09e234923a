// RUN: nnet3-opt --nnet3-compile --nnet3-number-draws --nnet3-fuse-affine \
// RUN:   '--convert-nnet3-to-kernels=device updates' --kernel-infer-alignment --kernel-fuse-maps --kernel-outline \
// RUN:   --convert-kernel-to-threads %s | FileCheck %s
// RUN: nnet3-opt --nnet3-make-update-kernels %s | \
// RUN:   FileCheck --check-prefix=UPDATE %s
// RUN: nnet3-opt --nnet3-make-update-kernels --convert-nnet3-kernels-to-gpu \
// RUN:   --nnet3-gpu-to-nvvm %S/Inputs/empty.mlir | \
// RUN:   FileCheck --check-prefix=NVVM %s

// The parameters that are trained come first, in the order of the network. The
// runtime computes objectives between the passes, and preconditions the rows
// of @affine: the input with a column of ones for the bias, and a copy of the
// derivative. @plain has a plain gradient.

// CHECK-LABEL: func.func @request_computation
// CHECK-SAME: nnet3.gradients =
// CHECK-SAME: nnet3.parameters = [{component = "affine", parameter = "linear_params", place = 0 : i64, size = 24 : i64}, {component = "affine", parameter = "bias_params", place = 32 : i64, size = 4 : i64}, {component = "plain", parameter = "linear_params", place = 48 : i64, size = 16 : i64}, {component = "plain", parameter = "bias_params", place = 64 : i64, size = 4 : i64}]
// CHECK: call @matmul
// CHECK: call @[[OBJECTIVE:compute_objectives_[0-9]+]](
// CHECK: call @matmul
// CHECK: call @matmul
// CHECK: call @[[INPUT:precondition_[0-9]+]](
// CHECK: call @[[DERIVATIVE:precondition_[0-9]+]](
// CHECK: call @matmul
// CHECK: call @matmul
// CHECK: return

// CHECK: func.func private @[[OBJECTIVE]]({{.*}}) attributes {nnet3.step = {kind = "objective"}}
// CHECK: func.func private @[[INPUT]]({{.*}}) attributes {nnet3.step = {columns = 7 : i64, component = "affine", kind = "precondition", number = 0 : i64, rows = 3 : i64, stride = 8 : i64, two_sided = false}}
// CHECK: func.func private @[[DERIVATIVE]]({{.*}}) attributes {nnet3.step = {columns = 4 : i64, component = "affine", kind = "precondition", number = 1 : i64, rows = 3 : i64, stride = 4 : i64, two_sided = false}}

// Sizes are arguments; 128 blocks share what there is. Rows and columns are
// counted in 32 bits. Threads share the sum that an element of a product of a
// basis with itself is.

// UPDATE-LABEL: func.func private @update_add(
// UPDATE-SAME: nnet3.blocks = 128 : i64, nnet3.threads = 256
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
// UPDATE-SAME: nnet3.blocks = 512 : i64
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

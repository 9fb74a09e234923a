// RUN: nnet3-opt --nnet3-compile --nnet3-number-draws --nnet3-fuse-affine --kernel-set-target=cpu=x86-64-v3 \
// RUN:   '--convert-nnet3-to-kernels=training updates shared' %s | FileCheck %s
// RUN: nnet3-opt --nnet3-compile --nnet3-number-draws --nnet3-fuse-affine --kernel-set-target=cpu=x86-64-v3 \
// RUN:   '--convert-nnet3-to-kernels=training updates' %s | FileCheck --check-prefix=NONE %s
// RUN: nnet3-opt --nnet3-compile --nnet3-number-draws --nnet3-fuse-affine \
// RUN:   '--convert-nnet3-to-kernels=device updates shared' %s | FileCheck %s
// RUN: nnet3-opt '--nnet3-native=training updates shared to=kernels' %s | FileCheck --check-prefix=STEPS %s

// If processes share a minibatch, the sums of the gradients of a component begin
// behind the last operation that adds to them, before the backward passes of
// the components below.
// CHECK: kernel.compute_objectives
// CHECK: kernel.matmul
// CHECK: kernel.sum_gradient %{{.*}} component "above" parameter "linear_params" : memref<5x4xf32, strided<[4, 1], offset: ?>>
// CHECK: kernel.sum_gradient %{{.*}} component "above" parameter "bias_params" : memref<1x5xf32, strided<[5, 1], offset: ?>>
// Two nodes have the component below.
// CHECK-COUNT-3: kernel.matmul
// CHECK: kernel.sum_gradient %{{.*}} component "shared" parameter "linear_params" : memref<4x4xf32, strided<[4, 1], offset: ?>>
// CHECK: kernel.sum_gradient %{{.*}} component "shared" parameter "bias_params" : memref<1x4xf32, strided<[4, 1], offset: ?>>
// CHECK-NOT: kernel.sum_gradient
// CHECK: return

// NONE-NOT: kernel.sum_gradient

// The code in between is a function.
// STEPS: kernel.entry
// STEPS-SAME: #kernel.step<component = "above",{{[^>]*}} parameter = "bias_params">, #kernel.step<function = @{{[^>]*}}>, #kernel.step<component = "shared",{{[^>]*}} parameter = "linear_params">

nnet3.network @net {
  nnet3.affine @shared {input_dim = 4, output_dim = 4, linear_params = dense<2.0> : tensor<4x4xf32>, bias_params = dense<1.0> : tensor<4xf32>}
  nnet3.affine @above {input_dim = 4, output_dim = 5, linear_params = dense<2.0> : tensor<5x4xf32>, bias_params = dense<1.0> : tensor<5xf32>}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %a = nnet3.component_node "a" @shared(%in) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %b = nnet3.component_node "b" @shared(%a) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  %c = nnet3.component_node "c" @above(%b) : (!nnet3.rows<4>) -> !nnet3.rows<5>
  nnet3.output_node "output", %c objective linear : !nnet3.rows<5>
}

nnet3.request @train for @net need_model_derivative {
  nnet3.request_input "input" <n = 0:3, t = 0:9>
  nnet3.request_output "output" <n = 0:3, t = 0:9> deriv
}

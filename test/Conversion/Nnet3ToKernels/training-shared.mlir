// RUN: nnet3-opt --nnet3-compile --nnet3-number-draws --nnet3-fuse-affine --kernel-set-target=cpu=x86-64-v3 \
// RUN:   '--convert-nnet3-to-kernels=training updates shared' %s | FileCheck %s
// RUN: nnet3-opt --nnet3-compile --nnet3-number-draws --nnet3-fuse-affine --kernel-set-target=cpu=x86-64-v3 \
// RUN:   '--convert-nnet3-to-kernels=training updates' %s | FileCheck --check-prefix=ALONE %s
// RUN: nnet3-opt --nnet3-compile --nnet3-number-draws --nnet3-fuse-affine \
// RUN:   '--convert-nnet3-to-kernels=device updates shared' %s | FileCheck --check-prefix=DEVICE %s
// RUN: not nnet3-opt --nnet3-compile --nnet3-number-draws --nnet3-fuse-affine --kernel-set-target=cpu=x86-64-v3 \
// RUN:   --convert-nnet3-to-kernels=shared %s 2>&1 | FileCheck --check-prefix=FORWARD %s

// If processes share a minibatch, batch norm sums two numbers for each of 5
// columns, and the number of rows, over processes: in the forward pass of values
// and squares, in the backward pass of derivatives and their products with the
// output. The phase behind that loads the sums.
// CHECK: kernel.launch "stage"
// CHECK: kernel.yield
// CHECK: kernel.allreduce %{{.*}} : memref<22xf32, strided<[1], offset: ?>>
// CHECK-NEXT: kernel.launch "stage"
// CHECK: kernel.compute_objectives
// CHECK: kernel.launch "stage"
// CHECK: kernel.allreduce %{{.*}} : memref<22xf32, strided<[1], offset: ?>>
// CHECK-NEXT: kernel.launch "stage"
// CHECK-NOT: kernel.allreduce

// On a device, a phase before it adds up partial sums.
// DEVICE-COUNT-2: kernel.launch "stage"
// DEVICE: kernel.allreduce %{{.*}} : memref<22xf32, strided<[1], offset: ?>>
// DEVICE-NEXT: kernel.launch "stage"
// DEVICE: kernel.compute_objectives
// DEVICE-COUNT-2: kernel.launch "stage"
// DEVICE: kernel.allreduce %{{.*}} : memref<22xf32, strided<[1], offset: ?>>

// ALONE-NOT: kernel.allreduce

// FORWARD: error: only training shares minibatches

nnet3.network @net {
  nnet3.batch_norm @norm {dim = 5}
  nnet3.affine @affine {input_dim = 5, output_dim = 5, linear_params = dense<2.0> : tensor<5x5xf32>, bias_params = dense<1.0> : tensor<5xf32>}
  %in = nnet3.input_node "input" : !nnet3.rows<5>
  %a = nnet3.component_node "a" @affine(%in) : (!nnet3.rows<5>) -> !nnet3.rows<5>
  %b = nnet3.component_node "b" @norm(%a) : (!nnet3.rows<5>) -> !nnet3.rows<5>
  nnet3.output_node "output", %b objective linear : !nnet3.rows<5>
}

nnet3.request @train for @net need_model_derivative {
  nnet3.request_input "input" <n = 0:3, t = 0:9>
  nnet3.request_output "output" <n = 0:3, t = 0:9> deriv
}

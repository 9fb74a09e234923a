// RUN: nnet3-opt --nnet3-compile --nnet3-number-draws --nnet3-fuse-affine --kernel-set-target=cpu=x86-64-v3 \
// RUN:   '--convert-nnet3-to-kernels=training updates' %s | FileCheck %s
// RUN: nnet3-opt --nnet3-compile --nnet3-number-draws --nnet3-fuse-affine \
// RUN:   '--convert-nnet3-to-kernels=device updates' %s | FileCheck --check-prefix=DEVICE %s
// RUN: nnet3-opt --nnet3-compile --nnet3-number-draws --nnet3-fuse-affine --kernel-set-target=cpu=x86-64-v3 \
// RUN:   '--convert-nnet3-to-kernels=training' %s | FileCheck --check-prefix=NONE %s

// The weights are the parameters of a model, where they are: 20 and 5 floats,
// each from a multiple of 16 on. What does not change is in the arena.
// CHECK: kernel.entry
// CHECK-SAME: parameters [#kernel.parameter<component = "affine", parameter = "linear_params", offset = 0, size = 20>, #kernel.parameter<component = "affine", parameter = "bias_params", offset = 32, size = 5>]
// CHECK-SAME: constants <first = 48, offset = [[PLACE:[0-9]+]], size = 16>
// CHECK-LABEL: func.func @train_computation
// CHECK-SAME: (%[[ARENA:.*]]: memref<{{.*}}>, %[[WEIGHTS:.*]]: memref<{{[^,]*}}>, %{{.*}}: memref<{{[^,]*}}>,
// CHECK-DAG: %[[SCALES:.*]] = arith.constant [[PLACE]] : index
// CHECK-DAG: memref.reinterpret_cast %[[ARENA]] to offset: [%[[SCALES]]], sizes: [5]
// CHECK-DAG: memref.reinterpret_cast %[[WEIGHTS]] to offset: [{{.*}}], sizes: [5, 4]

// Devices have both in one buffer, and code that does not update parameters has
// them as constants.
// DEVICE: kernel.entry
// DEVICE-NOT: constants
// NONE: kernel.entry
// NONE-NOT: constants

nnet3.network @net {
  nnet3.affine @affine {input_dim = 4, output_dim = 5, linear_params = dense<2.0> : tensor<5x4xf32>, bias_params = dense<1.0> : tensor<5xf32>}
  nnet3.fixed_scale @scale {dim = 5, scales = dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %a = nnet3.component_node "a" @affine(%in) : (!nnet3.rows<4>) -> !nnet3.rows<5>
  %b = nnet3.component_node "b" @scale(%a) : (!nnet3.rows<5>) -> !nnet3.rows<5>
  nnet3.output_node "output", %b objective linear : !nnet3.rows<5>
}

nnet3.request @train for @net need_model_derivative {
  nnet3.request_input "input" <n = 0:3, t = 0:9>
  nnet3.request_output "output" <n = 0:3, t = 0:9> deriv
}

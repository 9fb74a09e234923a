// RUN: nnet3-opt --nnet3-compile --nnet3-optimize --nnet3-fuse-affine --nnet3-fuse-splice \
// RUN:   --kernel-set-target=cpu=x86-64-v3 '--convert-nnet3-to-kernels=training' %s | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: nnet3-opt --nnet3-compile --nnet3-optimize --nnet3-fuse-affine --nnet3-fuse-splice \
// RUN:   '--convert-nnet3-to-kernels=device' %s | FileCheck %s --check-prefixes=CHECK,DEVICE

// A copy of the rows at two times, side by side, is smaller than the
// accumulators of @wide, which a second matmul would read and write. For
// @narrow it is larger, but on a device the matmul would have to be launched.

// CHECK-LABEL: func.func @request
// CHECK:       kernel.matmul{{ +}}nt {{.*}} ins(%{{.*}} : memref<1x84x24xf32
// CPU-NOT:     memref<80x24xf32
// CPU:         kernel.matmul{{ +}}nt {{.*}} ins(%{{.*}} : memref<1x80x24xf32
// CPU:         kernel.matmul{{ +}}nt {{.*}} ins(%{{.*}} : memref<1x80x24xf32
// DEVICE:      kernel.map ins({{.*}}) outs(%{{.*}}, %{{.*}} : memref<80x24xf32, strided<[48, 1]
// DEVICE:      kernel.matmul{{ +}}nt {{.*}} ins(%{{.*}} : memref<1x80x48xf32
// CHECK:       kernel.map ins({{.*}}) outs(%{{.*}}, %{{.*}} : memref<76x4xf32, strided<[8, 1]
// CHECK:       kernel.matmul{{ +}}nt {{.*}} ins(%{{.*}} : memref<1x76x8xf32

nnet3.network @net {
  nnet3.linear @first {input_dim = 24, output_dim = 24, params = dense<2.0> : tensor<24x24xf32>}
  nnet3.tdnn @narrow {input_dim = 24, output_dim = 4, time_offsets = array<i64: 0, 2>, use_bias = false, linear_params = dense<2.0> : tensor<4x48xf32>}
  nnet3.tdnn @wide {input_dim = 4, output_dim = 24, time_offsets = array<i64: 0, 2>, use_bias = false, linear_params = dense<2.0> : tensor<24x8xf32>}
  %in = nnet3.input_node "input" : !nnet3.rows<24>
  %f = nnet3.component_node "f" @first(%in) : (!nnet3.rows<24>) -> !nnet3.rows<24>
  %n = nnet3.component_node "n" @narrow(%f) : (!nnet3.rows<24>) -> !nnet3.rows<4>
  %w = nnet3.component_node "w" @wide(%n) : (!nnet3.rows<4>) -> !nnet3.rows<24>
  nnet3.output_node "output", %w objective quadratic : !nnet3.rows<24>
}
nnet3.request @request for @net need_model_derivative {
  nnet3.request_input "input" <n = 0:1, t = 0:41>
  nnet3.request_output "output" <n = 0:1, t = 0:37> deriv
}

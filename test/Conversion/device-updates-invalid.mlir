// RUN: not nnet3-opt --nnet3-compile --nnet3-fuse-affine \
// RUN:   '--convert-nnet3-to-kernels=device updates' %s 2>&1 | FileCheck %s

// CHECK: device-updates-invalid.mlir:{{[0-9]+}}:{{[0-9]+}}: error: 'nnet3.backprop' op has no natural gradient for devices: component 'norm'

nnet3.network @net {
  nnet3.scale_and_offset @norm {dim = 4, block_dim = 2, scales = dense<1.0> : tensor<2xf32>, offsets = dense<0.0> : tensor<2xf32>}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %y = nnet3.component_node "y" @norm(%in) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %y : !nnet3.rows<4>
}
nnet3.request @request for @net need_model_derivative {
  nnet3.request_input "input" <t = 0:2>
  nnet3.request_output "output" <t = 0:2> deriv
}

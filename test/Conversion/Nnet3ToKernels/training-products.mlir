// RUN: nnet3-opt --nnet3-compile --nnet3-number-draws --nnet3-fuse-affine \
// RUN:   --kernel-set-target=cpu=x86-64-v3 '--convert-nnet3-to-kernels=training updates' %s | FileCheck %s
// RUN: nnet3-opt --nnet3-compile --nnet3-number-draws --nnet3-fuse-affine \
// RUN:   '--convert-nnet3-to-kernels=device updates' %s | FileCheck --check-prefix=DEVICE %s

// Of the factors of a gradient, the one with far more columns is not
// preconditioned itself on a CPU, and not copied: a second product, of matrices
// with as many rows as the rank, makes up for it. @narrow has one such factor,
// the input, and @wide the derivative; @ranks has the ranks that follow from its
// dimensions.

// CHECK: kernel.precondition %{{.*}} component "ranks" number 0 : memref<40x4xf32,
// CHECK: kernel.precondition_product %{{.*}} with(%{{.*}} : memref<40x4xf32, {{.*}}>) outs(%{{.*}}, %{{.*}} : memref<12x24xf32, {{.*}}>, memref<12x4xf32, {{.*}}>) component "ranks" number 1 : memref<40x24xf32,
// CHECK: kernel.precondition %{{.*}} component "narrow" number 1 : memref<40x4xf32,
// CHECK: kernel.precondition_product %[[X:[^ ]*]] with(%[[Y:[^ ]*]] : memref<40x4xf32, {{.*}}>) outs(%[[B:[^ ]*]], %[[S:[^ ]*]] : memref<3x24xf32, {{.*}}>, memref<3x4xf32, {{.*}}>) component "narrow" number 0 : memref<40x24xf32,
// CHECK: kernel.matmul{{ +}}tn {{.*}}memref<1x40x4xf32{{.*}} outs(%{{.*}} : memref<1x4x24xf32, {{.*}}>){{$}}
// CHECK: kernel.matmul{{ +}}tn {{.*}}memref<1x3x4xf32{{.*}} outs(%{{.*}} : memref<1x4x24xf32, {{.*}}>) beta 1.000000e+00
// CHECK: kernel.precondition %{{.*}} component "wide" number 0 : memref<40x5xf32,
// CHECK: kernel.precondition_product %{{.*}} with(%{{.*}} : memref<40x5xf32, {{.*}}>) outs(%{{.*}}, %{{.*}} : memref<8x24xf32, {{.*}}>, memref<8x5xf32, {{.*}}>) component "wide" number 1 : memref<40x24xf32,
// CHECK: kernel.matmul{{ +}}tn {{.*}} outs(%{{.*}} : memref<1x24x4xf32, {{.*}}>){{$}}
// CHECK: kernel.matmul{{ +}}tn {{.*}} outs(%{{.*}} : memref<1x24x1xf32, {{.*}}>){{$}}
// CHECK: kernel.matmul{{ +}}tn {{.*}} outs(%{{.*}} : memref<1x24x4xf32, {{.*}}>) beta 1.000000e+00
// CHECK: kernel.matmul{{ +}}tn {{.*}} outs(%{{.*}} : memref<1x24x1xf32, {{.*}}>) beta 1.000000e+00

// The input of two time offsets is two groups of columns of one matrix.
// CHECK: kernel.precondition %{{.*}} component "tdnn" number 1 : memref<38x4xf32,
// CHECK: kernel.precondition_product %{{.*}} with({{.*}}) outs(%{{.*}}, %{{.*}} : memref<5x48xf32, {{.*}}>, memref<5x4xf32, {{.*}}>) component "tdnn" number 0 : memref<38x2x24xf32, strided<[24, 48, 1], offset: ?>>
// CHECK: kernel.matmul{{ +}}tn {{.*}}memref<1x38x4xf32{{.*}} outs(%{{.*}} : memref<1x4x24xf32, {{.*}}>){{$}}
// CHECK: kernel.matmul{{ +}}tn {{.*}}memref<1x38x4xf32{{.*}} outs(%{{.*}} : memref<1x4x24xf32, {{.*}}>){{$}}
// CHECK: kernel.matmul{{ +}}tn {{.*}}memref<1x5x4xf32{{.*}} outs(%{{.*}} : memref<1x4x48xf32, {{.*}}>) beta 1.000000e+00

// DEVICE-NOT: precondition_product
// DEVICE-COUNT-8: kernel.precondition
// DEVICE-NOT: kernel.precondition

nnet3.network @net {
  nnet3.natural_gradient_affine @wide {input_dim = 4, output_dim = 24, rank_in = 2, rank_out = 8, linear_params = dense<2.0> : tensor<24x4xf32>, bias_params = dense<1.0> : tensor<24xf32>}
  nnet3.linear @narrow {input_dim = 24, output_dim = 4, rank_in = 3, rank_out = 2, params = dense<2.0> : tensor<4x24xf32>}
  nnet3.linear @ranks {input_dim = 4, output_dim = 24, params = dense<2.0> : tensor<24x4xf32>}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %w = nnet3.component_node "w" @wide(%in) : (!nnet3.rows<4>) -> !nnet3.rows<24>
  %n = nnet3.component_node "n" @narrow(%w) : (!nnet3.rows<24>) -> !nnet3.rows<4>
  %u = nnet3.component_node "u" @ranks(%n) : (!nnet3.rows<4>) -> !nnet3.rows<24>
  nnet3.output_node "output", %u objective quadratic : !nnet3.rows<24>
}
nnet3.request @request for @net need_model_derivative {
  nnet3.request_input "input" <t = 0:39>
  nnet3.request_output "output" <t = 0:39> deriv
}

nnet3.network @offsets {
  nnet3.tdnn @tdnn {input_dim = 24, output_dim = 4, time_offsets = array<i64: 0, 2>, use_bias = false, rank_in = 5, rank_out = 2, linear_params = dense<2.0> : tensor<4x48xf32>}
  %in = nnet3.input_node "input" : !nnet3.rows<24>
  %t = nnet3.component_node "t" @tdnn(%in) : (!nnet3.rows<24>) -> !nnet3.rows<4>
  nnet3.output_node "output", %t objective quadratic : !nnet3.rows<4>
}
nnet3.request @offsets_request for @offsets need_model_derivative {
  nnet3.request_input "input" <t = 0:39>
  nnet3.request_output "output" <t = 0:37> deriv
}

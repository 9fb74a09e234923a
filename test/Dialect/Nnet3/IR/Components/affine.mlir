// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: nnet3.network @affine
nnet3.network @affine {
  // CHECK-NEXT: nnet3.affine @affine {bias_params = dense<0.000000e+00> : tensor<2xf32>, input_dim = 3 : i64, learning_rate = 0.00999999977 : f32, linear_params = dense<1.000000e+00> : tensor<2x3xf32>, output_dim = 2 : i64}
  nnet3.affine @affine {input_dim = 3, output_dim = 2, learning_rate = 0.01 : f32, linear_params = dense<1.0> : tensor<2x3xf32>, bias_params = dense<0.0> : tensor<2xf32>}
  // CHECK-NEXT: nnet3.natural_gradient_affine @ng {input_dim = 3 : i64, orthonormal_constraint = -1.000000e+00 : f32, output_dim = 2 : i64, rank_in = 2 : i64}
  nnet3.natural_gradient_affine @ng {input_dim = 3, output_dim = 2, rank_in = 2, orthonormal_constraint = -1.0 : f32}
  // CHECK-NEXT: nnet3.linear @linear {input_dim = 3 : i64, output_dim = 2 : i64, params = dense<1.000000e+00> : tensor<2x3xf32>, use_natural_gradient = false}
  nnet3.linear @linear {input_dim = 3, output_dim = 2, params = dense<1.0> : tensor<2x3xf32>, use_natural_gradient = false}
  // CHECK-NEXT: nnet3.fixed_affine @lda {init = {matrix = "lda.mat"}, input_dim = 3 : i64, output_dim = 3 : i64}
  nnet3.fixed_affine @lda {init = {matrix = "lda.mat"}, input_dim = 3, output_dim = 3}
  // CHECK-NEXT: nnet3.tdnn @tdnn {input_dim = 3 : i64, linear_params = dense<1.000000e+00> : tensor<2x9xf32>, output_dim = 2 : i64, time_offsets = array<i64: -3, 0, 3>}
  nnet3.tdnn @tdnn {input_dim = 3, output_dim = 2, time_offsets = array<i64: -3, 0, 3>, linear_params = dense<1.0> : tensor<2x9xf32>}
  // CHECK-NEXT: nnet3.tdnn @nobias {input_dim = 3 : i64, output_dim = 2 : i64, time_offsets = array<i64: 0>, use_bias = false}
  nnet3.tdnn @nobias {input_dim = 3, output_dim = 2, time_offsets = array<i64: 0>, use_bias = false}
}

// Parameters may be in a resource, so that they never pass through text.
// CHECK-LABEL: nnet3.network @resources
nnet3.network @resources {
  // CHECK-NEXT: params = dense_resource<w> : tensor<1x2xf32>
  nnet3.linear @linear {input_dim = 2, output_dim = 1, params = dense_resource<w> : tensor<1x2xf32>}
}

{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F00000040"
    }
  }
#-}

// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: nnet3.network @blocks
nnet3.network @blocks {
  // CHECK-NEXT: nnet3.block_affine @block {bias_params = dense<1.000000e+00> : tensor<4xf32>, input_dim = 6 : i64, linear_params = dense<1.000000e+00> : tensor<4x3xf32>, num_blocks = 2 : i64, output_dim = 4 : i64}
  nnet3.block_affine @block {input_dim = 6, output_dim = 4, num_blocks = 2, linear_params = dense<1.0> : tensor<4x3xf32>, bias_params = dense<1.0> : tensor<4xf32>}
  // CHECK-NEXT: nnet3.repeated_affine @repeated {bias_params = dense<1.000000e+00> : tensor<2xf32>, input_dim = 6 : i64, linear_params = dense<1.000000e+00> : tensor<2x3xf32>, num_repeats = 2 : i64, output_dim = 4 : i64}
  nnet3.repeated_affine @repeated {input_dim = 6, output_dim = 4, num_repeats = 2, linear_params = dense<1.0> : tensor<2x3xf32>, bias_params = dense<1.0> : tensor<2xf32>}
  // CHECK-NEXT: nnet3.natural_gradient_repeated_affine @natural {input_dim = 6 : i64, max_change = 7.500000e-01 : f32, num_repeats = 3 : i64, output_dim = 3 : i64}
  nnet3.natural_gradient_repeated_affine @natural {input_dim = 6, output_dim = 3, num_repeats = 3, max_change = 0.75 : f32}
}

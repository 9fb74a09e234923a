// RUN: nnet3-opt %s -nnet3-convert-to-fixed-affine="name=a*" | FileCheck %s --check-prefix=FIXED
// RUN: nnet3-opt %s -nnet3-convert-repeated-to-block \
// RUN: | nnet3-translate --mlir-to-raw --binary=false | FileCheck %s --check-prefix=BLOCK

// FIXED: nnet3.fixed_affine @a1 {bias_params = dense<1.0
// FIXED-SAME: linear_params = dense<2.0
// FIXED-NEXT: nnet3.natural_gradient_affine @b
// FIXED-NEXT: nnet3.linear @a2
// FIXED: nnet3.component_node "a1" @a1

// BLOCK: <ComponentName> r <BlockAffineComponent> <MaxChange> 0.5 <LearningRate> 0.125 <NumBlocks> 2 <LinearParams> [
// BLOCK-NEXT: 1 2
// BLOCK-NEXT: 1 2 ]
// BLOCK-NEXT: <BiasParams> [ 3 3 ]
nnet3.network @net {
  nnet3.affine @a1 {bias_params = dense<1.0> : tensor<4xf32>, input_dim = 4, linear_params = dense<2.0> : tensor<4x4xf32>, max_change = 1.0 : f32, output_dim = 4}
  nnet3.natural_gradient_affine @b {bias_params = dense<1.0> : tensor<4xf32>, input_dim = 4, linear_params = dense<2.0> : tensor<4x4xf32>, output_dim = 4}
  nnet3.linear @a2 {input_dim = 4, output_dim = 4, params = dense<0.0> : tensor<4x4xf32>}
  nnet3.natural_gradient_repeated_affine @r {bias_params = dense<3.0> : tensor<1xf32>, input_dim = 4, learning_rate = 0.125 : f32, linear_params = dense<[[1.0, 2.0]]> : tensor<1x2xf32>, max_change = 0.5 : f32, num_repeats = 2, output_dim = 2}
  %input = nnet3.input_node "input" : !nnet3.rows<4>
  %a1 = nnet3.component_node "a1" @a1(%input) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %a1 : !nnet3.rows<4>
}

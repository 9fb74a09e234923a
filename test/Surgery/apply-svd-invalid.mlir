// RUN: not nnet3-opt %s -split-input-file -nnet3-apply-svd="name=a bottleneck-dim=1" 2>&1 | FileCheck %s

// CHECK: :[[# @LINE + 1]]:1: error: there is a node 'x_b' already
nnet3.network @node {
  nnet3.affine @a {bias_params = dense<0.0> : tensor<2xf32>, input_dim = 2, linear_params = dense<[[4.0, 2.0], [2.0, 4.0]]> : tensor<2x2xf32>, output_dim = 2}
  %input = nnet3.input_node "x_b" : !nnet3.rows<2>
  %x = nnet3.component_node "x" @a(%input) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  nnet3.output_node "output", %x : !nnet3.rows<2>
}

// -----

// CHECK: :[[# @LINE + 1]]:1: error: there is a component 'a_a' already
nnet3.network @component {
  nnet3.no_op @a_a {dim = 2}
  nnet3.affine @a {bias_params = dense<0.0> : tensor<2xf32>, input_dim = 2, linear_params = dense<[[4.0, 2.0], [2.0, 4.0]]> : tensor<2x2xf32>, output_dim = 2}
}

// -----

// CHECK: :[[# @LINE + 1]]:1: error: the matrix of component 'a' has no singular value decomposition
nnet3.network @infinity {
  nnet3.affine @a {bias_params = dense<0.0> : tensor<2xf32>, input_dim = 2, linear_params = dense<[[4.0, 2.0], [2.0, 0x7F800000]]> : tensor<2x2xf32>, output_dim = 2}
}

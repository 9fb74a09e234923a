// RUN: not nnet3-opt %s -split-input-file -nnet3-collapse-model="batch-norm=true" 2>&1 | FileCheck %s

nnet3.network @training {
  // CHECK: :[[# @LINE + 1]]:3: error: expects batch normalisation in test mode
  nnet3.batch_norm @norm {dim = 2}
  nnet3.linear @linear {input_dim = 2, output_dim = 1}
  %input = nnet3.input_node "input" : !nnet3.rows<2>
  %norm = nnet3.component_node "norm" @norm(%input) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %linear = nnet3.component_node "linear" @linear(%norm) : (!nnet3.rows<2>) -> !nnet3.rows<1>
  nnet3.output_node "output", %linear : !nnet3.rows<1>
}

// -----

nnet3.network @taken {
  nnet3.affine @a {bias_params = dense<2.0> : tensor<1xf32>, input_dim = 1, linear_params = dense<1.0> : tensor<1x1xf32>, output_dim = 1}
  nnet3.affine @b {bias_params = dense<1.0> : tensor<1xf32>, input_dim = 1, linear_params = dense<1.0> : tensor<1x1xf32>, output_dim = 1}
  // CHECK: :[[# @LINE + 1]]:3: error: expects the dims 1 and 1 of a component 'a.b', which two others are merged into
  nnet3.no_op @a.b {dim = 7}
  %input = nnet3.input_node "input" : !nnet3.rows<1>
  %a = nnet3.component_node "a" @a(%input) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %b = nnet3.component_node "b" @b(%a) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  nnet3.output_node "output", %b : !nnet3.rows<1>
}

// -----

// The second node reads itself once the first one is merged into it.
// CHECK: error: expects at most 10 sweeps to merge all components
nnet3.network @recurrence {
  nnet3.affine @a {bias_params = dense<2.0> : tensor<1xf32>, input_dim = 1, linear_params = dense<1.0> : tensor<1x1xf32>, output_dim = 1}
  nnet3.affine @b {bias_params = dense<1.0> : tensor<1xf32>, input_dim = 1, linear_params = dense<1.0> : tensor<1x1xf32>, output_dim = 1}
  nnet3.affine @c {bias_params = dense<1.0> : tensor<1xf32>, input_dim = 1, linear_params = dense<1.0> : tensor<1x1xf32>, output_dim = 1}
  %input = nnet3.input_node "input" : !nnet3.rows<1>
  %0 = nnet3.offset %c, t = -1 : !nnet3.rows<1>
  %a = nnet3.component_node "a" @a(%0) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %1 = nnet3.offset %a, t = -1 : !nnet3.rows<1>
  %b = nnet3.component_node "b" @b(%1) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %2 = nnet3.offset %b, t = -1 : !nnet3.rows<1>
  %c = nnet3.component_node "c" @c(%2) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  nnet3.output_node "output", %c : !nnet3.rows<1>
}

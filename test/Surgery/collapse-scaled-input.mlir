// RUN: nnet3-opt %s -nnet3-collapse-model | FileCheck %s
// RUN: nnet3-opt %s -nnet3-collapse-model="reference=true" \
// RUN: | nnet3-translate --mlir-to-raw --binary=false | FileCheck %s --check-prefix=REFERENCE

// A scale within the input would have to scale the bias, too: the nodes stay.
// The reference gives the bias 3 instead of 2.
// CHECK: nnet3.component_node "a" @a
// CHECK: nnet3.component_node "b" @b

// REFERENCE: component-node name=b component=a.b input=Scale(0.5, input)
// REFERENCE: <ComponentName> a.b
// REFERENCE: <BiasParams> [ 3 ]
nnet3.network @net {
  nnet3.affine @a {bias_params = dense<2.0> : tensor<1xf32>, input_dim = 1, linear_params = dense<1.0> : tensor<1x1xf32>, output_dim = 1}
  nnet3.affine @b {bias_params = dense<1.0> : tensor<1xf32>, input_dim = 1, linear_params = dense<1.0> : tensor<1x1xf32>, output_dim = 1}
  %input = nnet3.input_node "input" : !nnet3.rows<1>
  %a = nnet3.component_node "a" @a(%input) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  %0 = nnet3.scale 5.000000e-01, %a : !nnet3.rows<1>
  %b = nnet3.component_node "b" @b(%0) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  nnet3.output_node "output", %b : !nnet3.rows<1>
}

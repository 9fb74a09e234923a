// RUN: nnet3-opt %s -nnet3-reduce-rank="name=* rank=1" 2> %t.log \
// RUN: | nnet3-translate --mlir-to-raw --binary=false --digits=3 | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG < %t.log

// The singular values are 6 and 2.
// CHECK: <ComponentName> a <AffineComponent>
// CHECK-NEXT: 3 3
// CHECK-NEXT: 3 3 ]
// CHECK-NEXT: <BiasParams> [ 5 7 ]
// CHECK: <ComponentName> row
// CHECK-NEXT: 4 2 ]

// LOG: remark: the singular values of 'a' sum up to 6 instead of 8
// LOG: warning: component 'row' has a dim of 1 and stays as it is
// LOG: warning: component 'none' is not affine and stays as it is
nnet3.network @net {
  nnet3.affine @a {bias_params = dense<[5.0, 7.0]> : tensor<2xf32>, input_dim = 2, linear_params = dense<[[4.0, 2.0], [2.0, 4.0]]> : tensor<2x2xf32>, output_dim = 2}
  nnet3.natural_gradient_affine @row {bias_params = dense<1.0> : tensor<1xf32>, input_dim = 2, linear_params = dense<[[4.0, 2.0]]> : tensor<1x2xf32>, output_dim = 1}
  nnet3.no_op @none {dim = 2}
  %input = nnet3.input_node "input" : !nnet3.rows<2>
  %a = nnet3.component_node "a" @a(%input) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  nnet3.output_node "output", %a : !nnet3.rows<2>
}

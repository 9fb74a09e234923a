// RUN: nnet3-opt %s -nnet3-collapse-model > %t.mlir
// RUN: FileCheck %s --implicit-check-not=@a --implicit-check-not=@scale < %t.mlir
// RUN: nnet3-translate --mlir-to-raw --binary=false %t.mlir | FileCheck %s --check-prefix=VALUES
// RUN: nnet3-opt %s -nnet3-collapse-model="affine=false scale=false" | FileCheck %s --check-prefix=OFF

// Two rows of the first layer, then a fixed scale: one component on two rows of
// the input.
// CHECK: nnet3.affine @a.b.scale
// CHECK: %[[INPUT:.*]] = nnet3.input_node
// CHECK: %[[AT:.*]] = nnet3.offset %[[INPUT]], t = 3
// CHECK: %[[BOTH:.*]] = nnet3.append %[[INPUT]], %[[AT]]
// CHECK: nnet3.component_node "scale" @a.b.scale(%[[BOTH]])

// [1 1 2 2] diag([2 3], [2 3]), times 10; the bias is 1 1 2 2 times 1 1 1 1,
// plus 4, times 10.
// VALUES: <ComponentName> a.b.scale
// VALUES-NEXT: 20 30 40 60 ]
// VALUES-NEXT: <BiasParams> [ 100 ]

// OFF: nnet3.component_node "scale" @scale
nnet3.network @net {
  nnet3.fixed_affine @a {bias_params = dense<1.0> : tensor<2xf32>, input_dim = 2, linear_params = dense<[[2.0, 0.0], [0.0, 3.0]]> : tensor<2x2xf32>, output_dim = 2}
  nnet3.natural_gradient_affine @b {bias_params = dense<4.0> : tensor<1xf32>, input_dim = 4, linear_params = dense<[[1.0, 1.0, 2.0, 2.0]]> : tensor<1x4xf32>, output_dim = 1}
  nnet3.fixed_scale @scale {dim = 1, scales = dense<10.0> : tensor<1xf32>}
  %input = nnet3.input_node "input" : !nnet3.rows<2>
  %a = nnet3.component_node "a" @a(%input) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %0 = nnet3.offset %a, t = 3 : !nnet3.rows<2>
  %1 = nnet3.append %a, %0 : (!nnet3.rows<2>, !nnet3.rows<2>) -> !nnet3.rows<4>
  %b = nnet3.component_node "b" @b(%1) : (!nnet3.rows<4>) -> !nnet3.rows<1>
  %scale = nnet3.component_node "scale" @scale(%b) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  nnet3.output_node "output", %scale : !nnet3.rows<1>
}

// RUN: nnet3-opt %s -nnet3-collapse-model="batch-norm=true" \
// RUN: | nnet3-translate --mlir-to-raw --binary=false --digits=4 | FileCheck %s 
// RUN: nnet3-opt %s -nnet3-collapse-model | FileCheck %s --check-prefix=DEFAULT

// Batch norm is x / 2 - [1 2]; the linear component gets a bias, and so does
// the second, over two blocks of columns.
// CHECK-NOT: <ComponentName> norm <
// CHECK: <ComponentName> fresh <BatchNormComponent>
// CHECK: <ComponentName> other <LinearComponent>
// CHECK: <ComponentName> norm.linear <AffineComponent> <LearningRate> 0.5
// CHECK-NEXT: 1 2 ]
// CHECK-NEXT: <BiasParams> [ -10 ]
// CHECK: <ComponentName> norm.tdnn <TdnnComponent>
// CHECK: 0.5 0.5 0.5 1 ]
// CHECK-NEXT: <BiasParams> [ -8 ]

// Without statistics nothing is merged.
// DEFAULT: nnet3.component_node "linear" @linear
nnet3.network @net {
  nnet3.batch_norm @norm {count = 1.0 : f64, dim = 2, epsilon = 1.0 : f32, stats_mean = dense<[2.0, 4.0]> : tensor<2xf32>, stats_var = dense<3.0> : tensor<2xf32>, test_mode = true}
  nnet3.linear @linear {input_dim = 2, learning_rate = 0.5 : f32, output_dim = 1, params = dense<[[2.0, 4.0]]> : tensor<1x2xf32>}
  nnet3.tdnn @tdnn {input_dim = 2, linear_params = dense<[[1.0, 1.0, 1.0, 2.0]]> : tensor<1x4xf32>, output_dim = 1, time_offsets = array<i64: 0, 1>, use_bias = false}
  nnet3.batch_norm @fresh {dim = 2, test_mode = true}
  nnet3.linear @other {input_dim = 2, output_dim = 1, params = dense<0.0> : tensor<1x2xf32>}
  %input = nnet3.input_node "input" : !nnet3.rows<2>
  %norm = nnet3.component_node "norm" @norm(%input) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %linear = nnet3.component_node "linear" @linear(%norm) : (!nnet3.rows<2>) -> !nnet3.rows<1>
  %tdnn = nnet3.component_node "tdnn" @tdnn(%norm) : (!nnet3.rows<2>) -> !nnet3.rows<1>
  %fresh = nnet3.component_node "fresh" @fresh(%input) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %other = nnet3.component_node "other" @other(%fresh) : (!nnet3.rows<2>) -> !nnet3.rows<1>
  %sum = nnet3.sum %linear, %tdnn, %other : !nnet3.rows<1>
  nnet3.output_node "output", %sum : !nnet3.rows<1>
}

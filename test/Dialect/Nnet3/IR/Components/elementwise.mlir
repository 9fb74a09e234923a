// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: nnet3.network @elementwise
nnet3.network @elementwise {
  // CHECK-NEXT: nnet3.no_op @noop {backprop_scale = 5.000000e-01 : f32, dim = 4 : i64}
  nnet3.no_op @noop {dim = 4, backprop_scale = 0.5 : f32}
  // CHECK-NEXT: nnet3.elementwise_product @product {input_dim = 6 : i64, output_dim = 2 : i64}
  nnet3.elementwise_product @product {input_dim = 6, output_dim = 2}
  // CHECK-NEXT: nnet3.pnorm @pnorm {input_dim = 6 : i64, output_dim = 2 : i64}
  nnet3.pnorm @pnorm {input_dim = 6, output_dim = 2}
  // CHECK-NEXT: nnet3.sum_block @block {input_dim = 6 : i64, output_dim = 2 : i64, scale = 5.000000e-01 : f32}
  nnet3.sum_block @block {input_dim = 6, output_dim = 2, scale = 0.5 : f32}
  // CHECK-NEXT: nnet3.sum_group @group {sizes = array<i64: 2, 3, 1>}
  nnet3.sum_group @group {sizes = array<i64: 2, 3, 1>}
  // CHECK-NEXT: nnet3.permute @permute {column_map = array<i64: 1, 0, 2>}
  nnet3.permute @permute {column_map = array<i64: 1, 0, 2>}
  // CHECK-NEXT: nnet3.fixed_scale @fixed_scale {dim = 2 : i64, scales = dense<2.000000e+00> : tensor<2xf32>}
  nnet3.fixed_scale @fixed_scale {dim = 2, scales = dense<2.0> : tensor<2xf32>}
  // CHECK-NEXT: nnet3.fixed_bias @fixed_bias {bias = dense<2.000000e+00> : tensor<2xf32>, dim = 2 : i64}
  nnet3.fixed_bias @fixed_bias {dim = 2, bias = dense<2.0> : tensor<2xf32>}
  // CHECK-NEXT: nnet3.per_element_scale @scale {dim = 2 : i64, max_change = 7.500000e-01 : f32}
  nnet3.per_element_scale @scale {dim = 2, max_change = 0.75 : f32}
  // CHECK-NEXT: nnet3.natural_gradient_per_element_scale @ng {dim = 2 : i64, rank = 4 : i64}
  nnet3.natural_gradient_per_element_scale @ng {dim = 2, rank = 4}
  // CHECK-NEXT: nnet3.per_element_offset @offset {block_dim = 2 : i64, dim = 4 : i64, offsets = dense<1.000000e+00> : tensor<2xf32>}
  nnet3.per_element_offset @offset {dim = 4, block_dim = 2, offsets = dense<1.0> : tensor<2xf32>}
  // CHECK-NEXT: nnet3.scale_and_offset @both {dim = 4 : i64, rank = 8 : i64, scales = dense<1.000000e+00> : tensor<4xf32>}
  nnet3.scale_and_offset @both {dim = 4, rank = 8, scales = dense<1.0> : tensor<4xf32>}
  // The group sums' dims follow from the sizes.
  %in = nnet3.input_node "input" : !nnet3.rows<6>
  // CHECK: nnet3.component_node "group" @group(%{{.*}}) : (!nnet3.rows<6>) -> !nnet3.rows<3>
  %group = nnet3.component_node "group" @group(%in) : (!nnet3.rows<6>) -> !nnet3.rows<3>
}

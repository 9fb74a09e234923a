// RUN: nnet3-opt %s | nnet3-opt | FileCheck %s
// RUN: nnet3-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: nnet3.network @images
nnet3.network @images {
  // CHECK-NEXT: nnet3.convolution @conv {filt_x_dim = 2 : i64, filt_x_step = 1 : i64, filt_y_dim = 2 : i64, filt_y_step = 2 : i64, filter_params = dense<1.000000e+00> : tensor<5x12xf32>, input_vectorization_order = "yzx", input_x_dim = 3 : i64, input_y_dim = 4 : i64, input_z_dim = 3 : i64, num_filters = 5 : i64}
  nnet3.convolution @conv {input_x_dim = 3, input_y_dim = 4, input_z_dim = 3, filt_x_dim = 2, filt_y_dim = 2, filt_x_step = 1, filt_y_step = 2, num_filters = 5, input_vectorization_order = "yzx", filter_params = dense<1.0> : tensor<5x12xf32>}
  // CHECK-NEXT: nnet3.maxpooling @pool {input_x_dim = 2 : i64, input_y_dim = 2 : i64, input_z_dim = 5 : i64, pool_x_size = 2 : i64, pool_x_step = 1 : i64, pool_y_size = 1 : i64, pool_y_step = 1 : i64, pool_z_size = 3 : i64, pool_z_step = 2 : i64}
  nnet3.maxpooling @pool {input_x_dim = 2, input_y_dim = 2, input_z_dim = 5, pool_x_size = 2, pool_y_size = 1, pool_z_size = 3, pool_x_step = 1, pool_y_step = 1, pool_z_step = 2}
  %a = nnet3.input_node "a" : !nnet3.rows<36>
  // Two places along x and two along y.
  // CHECK: nnet3.component_node "b" @conv(%{{.*}}) : (!nnet3.rows<36>) -> !nnet3.rows<20>
  %b = nnet3.component_node "b" @conv(%a) : (!nnet3.rows<36>) -> !nnet3.rows<20>
  // CHECK: nnet3.component_node "c" @pool(%{{.*}}) : (!nnet3.rows<20>) -> !nnet3.rows<4>
  %c = nnet3.component_node "c" @pool(%b) : (!nnet3.rows<20>) -> !nnet3.rows<4>
}

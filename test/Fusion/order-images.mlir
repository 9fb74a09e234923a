// RUN: nnet3-opt --pass-pipeline='builtin.module(nnet3.network(nnet3-order-images))' %s | FileCheck %s

// 2 x 3 pixels of 24 channels: z becomes the fastest, for both nodes.
// CHECK-LABEL: nnet3.network @net
nnet3.network @net {
  // CHECK: %[[X:.*]] = nnet3.input_node
  // CHECK: %[[P:.*]] = nnet3.component_node "a.pixels" @conv.pixels(%[[X]])
  // CHECK: nnet3.component_node "a" @conv(%[[P]])
  // CHECK: %[[Q:.*]] = nnet3.component_node "b.pixels_" @conv.pixels
  // CHECK: nnet3.component_node "b" @conv(%[[Q]])
  %x = nnet3.input_node "x" : !nnet3.rows<144>
  %a = nnet3.component_node "a" @conv(%x) : (!nnet3.rows<144>) -> !nnet3.rows<2>
  %n = nnet3.component_node "b.pixels" @noop(%x) : (!nnet3.rows<144>) -> !nnet3.rows<144>
  %b = nnet3.component_node "b" @conv(%n) : (!nnet3.rows<144>) -> !nnet3.rows<2>
  nnet3.output_node "y", %a : !nnet3.rows<2>
  nnet3.output_node "z", %b : !nnet3.rows<2>
  nnet3.no_op @noop {dim = 144}
  // CHECK: nnet3.permute @conv.pixels {column_map = array<i64: 0, 3, 6,
  // CHECK-SAME: 69, 1, 4,
  // CHECK-SAME: 71, 72, 75,
  // CHECK: nnet3.convolution @conv
  // CHECK-NOT: yzx
  nnet3.convolution @conv {filt_x_dim = 2, filt_x_step = 1, filt_y_dim = 2, filt_y_step = 1, input_vectorization_order = "yzx", input_x_dim = 2, input_y_dim = 3, input_z_dim = 24, num_filters = 1}
}

// Few stretches stay as they are, and so do images in the right order.
// CHECK-LABEL: nnet3.network @few
// CHECK-NOT: pixels
// CHECK: yzx
nnet3.network @few {
  %x = nnet3.input_node "x" : !nnet3.rows<144>
  %a = nnet3.component_node "a" @conv(%x) : (!nnet3.rows<144>) -> !nnet3.rows<48>
  %b = nnet3.component_node "b" @ordered(%x) : (!nnet3.rows<144>) -> !nnet3.rows<1>
  nnet3.output_node "y", %a : !nnet3.rows<48>
  nnet3.output_node "z", %b : !nnet3.rows<1>
  nnet3.convolution @conv {filt_x_dim = 2, filt_x_step = 1, filt_y_dim = 1, filt_y_step = 1, input_vectorization_order = "yzx", input_x_dim = 2, input_y_dim = 24, input_z_dim = 3, num_filters = 2}
  nnet3.convolution @ordered {filt_x_dim = 72, filt_x_step = 1, filt_y_dim = 2, filt_y_step = 1, input_vectorization_order = "zyx", input_x_dim = 72, input_y_dim = 2, input_z_dim = 1, num_filters = 1}
}

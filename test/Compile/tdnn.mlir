// RUN: nnet3-opt %s --nnet3-compile | FileCheck %s

// The rows of a Tdnn lie on a grid of times. With an output every 3 frames, 3
// input frames lie together for each sequence; what is missing is blank.

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<2>
  nnet3.tdnn @tdnn {input_dim = 2, output_dim = 5, time_offsets = array<i64: -1, 0>}
  %y = nnet3.component_node "y" @tdnn(%x) : (!nnet3.rows<2>) -> !nnet3.rows<5>
  nnet3.output_node "output", %y : !nnet3.rows<5>
}

// CHECK-LABEL: nnet3.computation @subsampled_computation
// CHECK: nnet3.add_rows %[[X:.*]] <[3 x +3]([2 x +8](0, 1, _))> into %[[IN:.*]] : memref<16x2xf32> into memref<18x2xf32>
// CHECK: nnet3.propagate @net::@tdnn ins(%[[IN]] : memref<18x2xf32>) outs(%[[OUT:.*]] : memref<6x5xf32>) precomputed {row_offsets = array<i64: 0, 1>, row_stride = 3 : i64}
// CHECK: nnet3.add_rows %[[OUT]] <[2 x +1](0:4:2)> into
nnet3.request @subsampled for @net {
  nnet3.request_input "x" <n = 0:1, t = -1:6>
  nnet3.request_output "output" <n = 0:1, t = 0:6:3>
}

// CHECK-LABEL: nnet3.computation @all_computation
// CHECK: nnet3.propagate @net::@tdnn ins(%{{.*}} : memref<14x2xf32>) outs(%{{.*}} : memref<12x5xf32>) precomputed {row_offsets = array<i64: 0, 2>, row_stride = 1 : i64}
nnet3.request @all for @net {
  nnet3.request_input "x" <n = 0:1, t = -1:5>
  nnet3.request_output "output" <n = 0:1, t = 0:5>
}

// RUN: nnet3-opt %s --nnet3-compile | FileCheck %s

// One i-vector per sequence, at t = 0, for all frames.

nnet3.network @net {
  %x = nnet3.input_node "input" : !nnet3.rows<4>
  %iv = nnet3.input_node "ivector" : !nnet3.rows<3>
  %at0 = nnet3.replace_index %iv, t = 0 : !nnet3.rows<3>
  %both = nnet3.append %x, %at0 : (!nnet3.rows<4>, !nnet3.rows<3>) -> !nnet3.rows<7>
  nnet3.output_node "output", %both : !nnet3.rows<7>
}

// CHECK-LABEL: nnet3.computation @sequences_first_computation
// CHECK: %[[IV:.*]] = nnet3.accept_input "ivector" : memref<4x3xf32>
// CHECK: nnet3.add_rows %[[IV]] <[4 x +1](10 x 0)> into %{{.*}} : memref<4x3xf32> into memref<40x3xf32
nnet3.request @sequences_first for @net {
  nnet3.request_input "input" <n = 1:4, t = 0:9>
  nnet3.request_input "ivector" <n = 1:4>
  nnet3.request_output "output" <n = 1:4, t = 0:9>
}

// CHECK-LABEL: nnet3.computation @times_first_computation
// CHECK: %[[IV:.*]] = nnet3.accept_input "ivector" : memref<4x3xf32>
// CHECK: nnet3.add_rows %[[IV]] <[10 x +0](0:3)> into %{{.*}} : memref<4x3xf32> into memref<40x3xf32
nnet3.request @times_first for @net {
  nnet3.request_input "input" <n = 1:4, t = 0:9>
  nnet3.request_input "ivector" <n = 1:4>
  nnet3.request_output "output" <n = 1:4, t = 0:9, order = tn>
}

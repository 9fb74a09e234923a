// RUN: nnet3-opt %s --nnet3-compile-streaming="chunks=3,8 frame-subsampling-factor=2" | FileCheck %s
// RUN: nnet3-opt %s --nnet3-compile-streaming="chunks=3,8 frame-subsampling-factor=2" --verify-roundtrip --nnet3-compile -o /dev/null
// RUN: nnet3-opt %s --nnet3-compile-streaming="chunks=8 num-sequences=2,1" | FileCheck %s --check-prefix=BATCH

// Chunks are rounded up to multiples of the subsampling factor, and the period
// of i-vectors is what all chunks allow. An output at t needs h at t, t - 3,
// t - 6 and so on: in the middle of a stream, h is there at the last even times,
// and at odd times up to -5. The next outputs need it at -3 and -1 besides,
// which read h at -6 and -4, and their own frames. A first chunk of four frames
// would leave no h at time -6.

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %iv = nnet3.input_node "ivector" : !nnet3.rows<2>
  %next = nnet3.offset %in, t = 1 : !nnet3.rows<4>
  %fixed = nnet3.replace_index %iv, t = 0 : !nnet3.rows<2>
  %all = nnet3.append %next, %fixed, %back : (!nnet3.rows<4>, !nnet3.rows<2>, !nnet3.rows<3>) -> !nnet3.rows<9>
  nnet3.affine @affine {input_dim = 9, output_dim = 3}
  %h = nnet3.component_node "h" @affine(%all) : (!nnet3.rows<9>) -> !nnet3.rows<3>
  %prev = nnet3.offset %h, t = -3 : !nnet3.rows<3>
  nnet3.tanh @tanh {dim = 3}
  %r = nnet3.component_node "r" @tanh(%prev) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  %back = nnet3.if_defined %r : !nnet3.rows<3>
  nnet3.output_node "output", %h : !nnet3.rows<3>
}

// CHECK: nnet3.round %{{.*}}, 4 : !nnet3.rows<2>
// CHECK: nnet3.if_defined %h : !nnet3.rows<3>
// CHECK-NEXT: nnet3.output_node "h.next"
// CHECK: nnet3.stream @net_stream for @net left 0 right 1 frame_subsampling_factor 2 ivector_period 4 {
// CHECK-NEXT: nnet3.stream_state "input" <t = [-2, 0]>
// CHECK-NEXT: nnet3.stream_state "ivector" <t = [-4, 0]>
// CHECK-NEXT: nnet3.stream_state "h" <t = -6:-2:2> to "h.next"
// CHECK-NEXT: nnet3.stream_chunk 4 next @net_next4
// CHECK-NEXT: nnet3.stream_chunk 8 first @net_first8 next @net_next8
// CHECK: nnet3.request @net_first8 for @net {
// CHECK-NEXT: nnet3.request_input "input" <t = 0:8>
// CHECK-NEXT: nnet3.request_input "ivector" <t = 0:8:4>
// CHECK-NEXT: nnet3.request_output "output" <t = 0:6:2>
// CHECK-NEXT: nnet3.request_output "h.next" <t = 2:6:2>
// CHECK: nnet3.request @net_next8 for @net {
// CHECK-NEXT: nnet3.request_input "input" <t = [-2, 0:8]>
// CHECK-NEXT: nnet3.request_input "ivector" <t = -4:8:4>
// CHECK-NEXT: nnet3.request_input "h" <t = -6:-2:2>
// CHECK: nnet3.request @net_next4 for @net {

// Requests for several streams have the rows of each.
// BATCH: nnet3.stream_chunk 8 first @net_first8 next @net_next8
// BATCH-NEXT: nnet3.stream_chunk 8 num_sequences 2 first @net_first8x2 next @net_next8x2
// BATCH: nnet3.request @net_next8x2 for @net {
// BATCH-NEXT: nnet3.request_input "input" <n = 0:1, t = 1:8>
// BATCH-NEXT: nnet3.request_input "ivector" <n = 0:1, t = [0, 8]>
// BATCH-NEXT: nnet3.request_input "h" <n = 0:1, t = -3:-1>

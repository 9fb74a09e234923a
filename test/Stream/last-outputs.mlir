// RUN: nnet3-opt %s --nnet3-compile-streaming="chunks=4 frame-subsampling-factor=2" -verify-diagnostics | FileCheck %s

// With an output for every second frame, a chunk has the frame after its last
// output, so all chunks read the same rows. The last output of an utterance reads
// that frame, or a copy of the last one; a request for the whole utterance ends
// with the right context of the last output.

nnet3.network @optional {
  %in = nnet3.input_node "input" : !nnet3.rows<3>
  %next = nnet3.offset %in, t = 1 : !nnet3.rows<3>
  %any = nnet3.if_defined %next : !nnet3.rows<3>
  %sum = nnet3.sum %in, %any : !nnet3.rows<3>
  nnet3.tanh @tanh {dim = 3}
  // expected-warning @below {{the last outputs of an utterance depend on the frames after their right context, or on the padding there: node 'h' reads rows after the right context of 0 frames if they are available}}
  %h = nnet3.component_node "h" @tanh(%sum) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  nnet3.output_node "output", %h : !nnet3.rows<3>
}

// CHECK: nnet3.stream @optional_stream for @optional left 0 right 0 frame_subsampling_factor 2 ivector_period 4 depends_on_end {

// The right context has all frames that are read.
nnet3.network @required {
  %in = nnet3.input_node "input" : !nnet3.rows<3>
  %next = nnet3.offset %in, t = 1 : !nnet3.rows<3>
  %any = nnet3.if_defined %next : !nnet3.rows<3>
  %sum = nnet3.sum %next, %any : !nnet3.rows<3>
  nnet3.tanh @tanh {dim = 3}
  %h = nnet3.component_node "h" @tanh(%sum) : (!nnet3.rows<3>) -> !nnet3.rows<3>
  nnet3.output_node "output", %h : !nnet3.rows<3>
}

// CHECK: nnet3.stream @required_stream for @required left 0 right 1 frame_subsampling_factor 2 ivector_period 4 {

// Statistics of the frames from 0 to 3, from 4 to 7, ...: an utterance may end in
// the middle of a period, and a chunk does not.
nnet3.network @periods {
  %in = nnet3.input_node "input" : !nnet3.rows<3>
  nnet3.statistics_extraction @extract {input_dim = 3, output_period = 4}
  // expected-warning @below {{the last outputs of an utterance depend on the frames after their right context, or on the padding there: node 'statistics' reads rows after the right context of 0 frames if they are available}}
  %statistics = nnet3.component_node "statistics" @extract(%in) : (!nnet3.rows<3>) -> !nnet3.rows<7>
  %round = nnet3.round %statistics, 4 : !nnet3.rows<7>
  nnet3.tanh @tanh {dim = 7}
  %h = nnet3.component_node "h" @tanh(%round) : (!nnet3.rows<7>) -> !nnet3.rows<7>
  nnet3.output_node "output", %h : !nnet3.rows<7>
}

// CHECK: nnet3.stream @periods_stream for @periods left 0 right 0 frame_subsampling_factor 2 ivector_period 4 depends_on_end {

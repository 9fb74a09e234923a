// RUN: nnet3-opt %s --nnet3-compile-streaming="chunks=4 allow-chunked-recurrence" 2>&1 | FileCheck %s

// CHECK: chunked-recurrence.mlir:[[# @LINE + 9]]:8: warning: outputs of the stream depend on where chunks end: node 'h' reads rows after the right context of 0 frames if they are available

// Where a recurrence runs backward, each chunk begins it anew at its end, and
// keeps nothing of it.

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<3>
  %all = nnet3.append %in, %later : (!nnet3.rows<3>, !nnet3.rows<3>) -> !nnet3.rows<6>
  nnet3.affine @affine {input_dim = 6, output_dim = 3}
  %h = nnet3.component_node "h" @affine(%all) : (!nnet3.rows<6>) -> !nnet3.rows<3>
  %next = nnet3.offset %h, t = 1 : !nnet3.rows<3>
  %later = nnet3.if_defined %next : !nnet3.rows<3>
  nnet3.output_node "output", %h : !nnet3.rows<3>
}

// CHECK: nnet3.stream @net_stream for @net left 0 right 0 ivector_period 4 depends_on_chunks {
// CHECK-NEXT: nnet3.stream_chunk 4 first @net_first4 next @net_next4
// CHECK-NEXT: }

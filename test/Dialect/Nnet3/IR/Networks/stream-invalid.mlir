// RUN: nnet3-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{refers to an undefined network @net}}
nnet3.stream @stream for @net left 0 right 0 {
  nnet3.stream_chunk 1 first @first next @next
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}
// expected-error @below {{expects a chunk that can begin the stream}}
nnet3.stream @stream for @net left 0 right 0 {
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}
nnet3.stream @stream for @net left 0 right 0 {
  nnet3.stream_chunk 4 first @first next @next
  // expected-error @below {{expects chunks in ascending order}}
  nnet3.stream_chunk 2 first @first next @next
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}
nnet3.stream @stream for @net left 0 right 0 frame_subsampling_factor 3 ivector_period 2 {
  // expected-error @below {{expects a multiple of the frame subsampling factor 3 and the i-vector period 2, but got 9}}
  nnet3.stream_chunk 9 first @first next @next
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}
nnet3.stream @stream for @net left 0 right 0 {
  // expected-error @below {{expects rows of sequence 0}}
  nnet3.stream_state "input" <n = 1, t = -1>
  nnet3.stream_chunk 1 first @first next @next
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}
nnet3.stream @stream for @net left 0 right 0 {
  nnet3.stream_state "input" <t = -1>
  // expected-error @below {{node 'input' is listed twice}}
  nnet3.stream_state "input" <t = -2>
  nnet3.stream_chunk 1 first @first next @next
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}
nnet3.stream @stream for @net left 0 right 0 {
  // expected-error @below {{does not belong in a stream}}
  %c = arith.constant 1 : i64
  nnet3.stream_chunk 1 first @first next @next
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}
nnet3.stream @stream for @net left 0 right 0 {
  // expected-error @below {{expects an output, `to "..."`, where the node is a component node, and only there}}
  nnet3.stream_state "input" <t = -1> to "output"
  nnet3.stream_chunk 1 first @first next @next
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}
nnet3.stream @stream for @net left 0 right 0 {
  // expected-error @below {{refers to an undefined request @first}}
  nnet3.stream_chunk 1 first @first next @next
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}
nnet3.network @other {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}
nnet3.stream @stream for @net left 0 right 0 {
  // expected-error @below {{expects a request for @net, but @first is for @other}}
  nnet3.stream_chunk 1 first @first next @first
}
nnet3.request @first for @other {
  nnet3.request_input "input" <t = 0>
  nnet3.request_output "output" <t = 0>
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}
nnet3.stream @stream for @net left 1 right 2 {
  // expected-error @below {{expects request 'first' to have input 'input' at #nnet3.indexes<t = -1:5>, but got #nnet3.indexes<t = 0:5>}}
  nnet3.stream_chunk 4 first @first next @first
}
nnet3.request @first for @net {
  nnet3.request_input "input" <t = 0:5>
  nnet3.request_output "output" <t = 0:3>
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
  nnet3.output_node "other", %in : !nnet3.rows<4>
}
nnet3.stream @stream for @net left 0 right 0 {
  // expected-error @below {{expects request 'chunk' to have no output 'other'}}
  nnet3.stream_chunk 4 first @chunk next @chunk
}
nnet3.request @chunk for @net {
  nnet3.request_input "input" <t = 0:3>
  nnet3.request_output "output" <t = 0:3>
  nnet3.request_output "other" <t = 0:3>
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.rectified_linear @relu {dim = 4}
  %h = nnet3.component_node "h" @relu(%in) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %h : !nnet3.rows<4>
  nnet3.output_node "h.next", %h : !nnet3.rows<4>
}
nnet3.stream @stream for @net left 0 right 0 {
  nnet3.stream_state "h" <t = -1> to "h.next"
  // expected-error @below {{expects request 'chunk' to have the output 'h.next'}}
  nnet3.stream_chunk 4 first @chunk next @chunk
}
nnet3.request @chunk for @net {
  nnet3.request_input "input" <t = 0:3>
  nnet3.request_output "output" <t = 0:3>
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}
nnet3.stream @stream for @net left 16777216 right 0 {
  // expected-error @below {{expects at most 16777216 rows, but got 16777217 of each of 1 sequences}}
  nnet3.stream_chunk 1 first @first next @next
}

// -----

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}
nnet3.stream @stream for @net left 0 right 0 {
  nnet3.stream_state "input" <t = -2:-1>
  // expected-error @below {{expects at most 16777216 rows, but got 2 of each of 16777216 sequences}}
  nnet3.stream_chunk 1 num_sequences 16777216 first @first next @next
}

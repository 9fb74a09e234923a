// RUN: nnet3-opt %s --nnet3-record-padding | FileCheck %s

// How few outputs are exact if the input behind them is padding: 1 if an output
// reads nothing behind its right context, all if every output depends on the
// end of the input.

nnet3.network @context {
  %x = nnet3.input_node "input" : !nnet3.rows<2>
  %ivector = nnet3.input_node "ivector" : !nnet3.rows<2>
  %next = nnet3.offset %x, t = 1 : !nnet3.rows<2>
  %fixed = nnet3.replace_index %ivector, t = 0 : !nnet3.rows<2>
  %sum = nnet3.sum %x, %next : !nnet3.rows<2>
  %all = nnet3.sum %sum, %fixed : !nnet3.rows<2>
  nnet3.output_node "output", %all : !nnet3.rows<2>
}
// The row of the i-vector is no padding, and sequences are all alike.
// CHECK: request @context_chunk {{.*}}min_outputs 1
nnet3.request @context_chunk for @context {
  nnet3.request_input "input" <n = 0:1, t = 0:10>
  nnet3.request_input "ivector" <n = 0:1, t = 0>
  nnet3.request_output "output" <n = 0:1, t = 0:9>
}
// Frames that are left over at the end may be missing.
// CHECK: request @more {{.*}}min_outputs 1
nnet3.request @more for @context {
  nnet3.request_input "input" <t = 0:20>
  nnet3.request_input "ivector" <t = 0>
  nnet3.request_output "output" <t = 0:9:3>
}

nnet3.network @optional {
  %x = nnet3.input_node "input" : !nnet3.rows<2>
  %next = nnet3.offset %x, t = 2 : !nnet3.rows<2>
  %there = nnet3.if_defined %next : !nnet3.rows<2>
  %sum = nnet3.sum %x, %there : !nnet3.rows<2>
  nnet3.output_node "output", %sum : !nnet3.rows<2>
}
// CHECK: request @optional_chunk {{.*}}min_outputs 10
nnet3.request @optional_chunk for @optional {
  nnet3.request_input "input" <t = 0:9>
  nnet3.request_output "output" <t = 0:9>
}
// With the frames that it would like to read, the same network may be padded.
// CHECK: request @optional_context {{.*}}min_outputs 1
nnet3.request @optional_context for @optional {
  nnet3.request_input "input" <t = 0:11>
  nnet3.request_output "output" <t = 0:9>
}

// An output reads its block of 4 frames as far as that is there.
nnet3.network @blocks {
  nnet3.statistics_extraction @extract {input_dim = 2 : i64, output_period = 4 : i64}
  %x = nnet3.input_node "input" : !nnet3.rows<2>
  %extract = nnet3.component_node "extract" @extract(%x) : (!nnet3.rows<2>) -> !nnet3.rows<5>
  %round = nnet3.round %extract, 4 : !nnet3.rows<5>
  nnet3.output_node "output", %round : !nnet3.rows<5>
}
// CHECK: request @blocks_chunk {{.*}}min_outputs 12
nnet3.request @blocks_chunk for @blocks {
  nnet3.request_input "input" <t = 0:11>
  nnet3.request_output "output" <t = 0:11>
}
// The last block has one frame, so one output may be left out.
// CHECK: request @blocks_rest {{.*}}min_outputs 12
nnet3.request @blocks_rest for @blocks {
  nnet3.request_input "input" <t = 0:12>
  nnet3.request_output "output" <t = 0:12>
}

// A recurrence that runs backwards.
nnet3.network @backward {
  nnet3.sigmoid @sigmoid {dim = 2 : i64}
  %x = nnet3.input_node "input" : !nnet3.rows<2>
  %h = nnet3.component_node "h" @sigmoid(%sum) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %later = nnet3.offset %h, t = 1 : !nnet3.rows<2>
  %there = nnet3.if_defined %later : !nnet3.rows<2>
  %sum = nnet3.sum %x, %there : !nnet3.rows<2>
  nnet3.output_node "output", %h : !nnet3.rows<2>
}
// CHECK: request @backward_chunk {{.*}}min_outputs 10
nnet3.request @backward_chunk for @backward {
  nnet3.request_input "input" <t = 0:9>
  nnet3.request_output "output" <t = 0:9>
}

// Batch norm in training mode takes the mean of all rows.
nnet3.network @training {
  nnet3.batch_norm @norm {dim = 2 : i64}
  %x = nnet3.input_node "input" : !nnet3.rows<2>
  %norm = nnet3.component_node "norm" @norm(%x) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  nnet3.output_node "output", %norm : !nnet3.rows<2>
}
// CHECK: request @training_chunk {{.*}}min_outputs 10
nnet3.request @training_chunk for @training {
  nnet3.request_input "input" <t = 0:9>
  nnet3.request_output "output" <t = 0:9>
}

nnet3.network @test {
  nnet3.batch_norm @norm {dim = 2 : i64, test_mode = true}
  %x = nnet3.input_node "input" : !nnet3.rows<2>
  %norm = nnet3.component_node "norm" @norm(%x) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  nnet3.output_node "output", %norm : !nnet3.rows<2>
}
// CHECK: request @test_chunk {{.*}}min_outputs 1
nnet3.request @test_chunk for @test {
  nnet3.request_input "input" <t = 0:9>
  nnet3.request_output "output" <t = 0:9>
}

// Requests with derivatives are not for libraries.
// CHECK: request @derivatives for @test {
nnet3.request @derivatives for @test {
  nnet3.request_input "input" <t = 0:9> deriv
  nnet3.request_output "output" <t = 0:9> deriv
}

// RUN: nnet3-opt %s --nnet3-block-sequences=bytes=1024 --nnet3-compile | FileCheck %s
// RUN: nnet3-opt %s --nnet3-block-sequences=bytes=65536 | FileCheck %s --check-prefix=ROWS
// RUN: nnet3-opt %s --nnet3-block-sequences | FileCheck %s --check-prefix=LARGE

// A request for many sequences is computed for a few at a time, so that what a
// command of a block reads and writes stays in the cache. Blocks of four are
// the smallest.

nnet3.network @net {
  nnet3.rectified_linear @relu {dim = 4}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %next = nnet3.offset %in, t = 1 : !nnet3.rows<4>
  %relu = nnet3.component_node "relu" @relu(%next) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %relu : !nnet3.rows<4>
}

// 32 bytes of an input row and of an output row for 4 frames: 8 sequences.
// CHECK-LABEL: nnet3.request @many for @net blocks_of 8
// CHECK-LABEL: nnet3.computation @many_computation
// CHECK: accept_input "input" {{.*}}memref<40x4xf32>
// CHECK: provide_output "output", {{.*}}memref<32x4xf32>
// All matrices of all sequences fit in the cache.
// LARGE-LABEL: nnet3.request @many for @net {
nnet3.request @many for @net {
  nnet3.request_input "input" <n = 0:63, t = 0:4>
  nnet3.request_output "output" <n = 0:63, t = 0:3>
}

// Blocks of 7 are the nearest that divide 21 sequences.
// CHECK-LABEL: nnet3.request @odd for @net blocks_of 7
nnet3.request @odd for @net {
  nnet3.request_input "input" <n = 0:20, t = 0:4>
  nnet3.request_output "output" <n = 0:20, t = 0:3>
}

// 256 frames: a block of one sequence would do, were it not for the weights.
// CHECK-LABEL: nnet3.request @long for @net blocks_of 4
nnet3.request @long for @net {
  nnet3.request_input "input" <n = 0:15, t = 0:256>
  nnet3.request_output "output" <n = 0:15, t = 0:255>
}

// One row for each read of 1.4 MB of weights: 32 sequences have 32 rows. They may
// have no more than 16 times the bytes.
nnet3.network @recurrent {
  nnet3.linear @linear {input_dim = 600, output_dim = 600, params = dense<0.0> : tensor<600x600xf32>}
  %in = nnet3.input_node "input" : !nnet3.rows<600>
  %back = nnet3.offset %state, t = -1 : !nnet3.rows<600>
  %before = nnet3.if_defined %back : !nnet3.rows<600>
  %sum = nnet3.sum %in, %before : !nnet3.rows<600>
  %state = nnet3.component_node "state" @linear(%sum) : (!nnet3.rows<600>) -> !nnet3.rows<600>
  nnet3.output_node "output", %state : !nnet3.rows<600>
}
// CHECK-LABEL: nnet3.request @steps for @recurrent blocks_of 4
// ROWS-LABEL: nnet3.request @steps for @recurrent blocks_of 32
nnet3.request @steps for @recurrent {
  nnet3.request_input "input" <n = 0:63, t = 0:149>
  nnet3.request_output "output" <n = 0:63, t = 0:149>
}

// No block divides 61 sequences.
// CHECK-LABEL: nnet3.request @prime for @net {
nnet3.request @prime for @net {
  nnet3.request_input "input" <n = 0:60, t = 0:4>
  nnet3.request_output "output" <n = 0:60, t = 0:3>
}

// Rows of one frame after the other.
// CHECK-LABEL: nnet3.request @frames for @net {
nnet3.request @frames for @net {
  nnet3.request_input "input" <n = 0:63, t = 0:4, order = tn>
  nnet3.request_output "output" <n = 0:63, t = 0:3>
}

// Derivatives of parameters are sums over all sequences.
// CHECK-LABEL: nnet3.request @training for @net {
nnet3.request @training for @net {
  nnet3.request_input "input" <n = 0:63, t = 0:4> deriv
  nnet3.request_output "output" <n = 0:63, t = 0:3> deriv
}

// A request that says how large its blocks are.
// CHECK-LABEL: nnet3.request @given for @net blocks_of 2
nnet3.request @given for @net blocks_of 2 {
  nnet3.request_input "input" <n = 0:63, t = 0:4>
  nnet3.request_output "output" <n = 0:63, t = 0:3>
}

// Batch norm in training mode takes the mean of all rows.
nnet3.network @norm {
  nnet3.batch_norm @norm {dim = 4}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %norm = nnet3.component_node "norm" @norm(%in) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %norm : !nnet3.rows<4>
}
// CHECK-LABEL: nnet3.request @mean for @norm {
nnet3.request @mean for @norm {
  nnet3.request_input "input" <n = 0:63, t = 0:4>
  nnet3.request_output "output" <n = 0:63, t = 0:3>
}

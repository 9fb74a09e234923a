// RUN: nnet3-opt %s --nnet3-compile-streaming=chunks=2 | FileCheck %s

// Statistics of two frames each, from two frames before to two behind, of which
// any will do: the context is no frame at all. The first statistics need the
// frames at -1 to 1 or 1 to 3. A stream cannot begin with two frames.

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<1>
  %before = nnet3.offset %in, t = -1 : !nnet3.rows<1>
  %behind = nnet3.offset %in, t = 1 : !nnet3.rows<1>
  %around = nnet3.append %before, %behind : (!nnet3.rows<1>, !nnet3.rows<1>) -> !nnet3.rows<2>
  nnet3.no_op @noop {dim = 2}
  %h = nnet3.component_node "h" @noop(%around) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  nnet3.statistics_extraction @extract {input_dim = 2, input_period = 2, output_period = 2}
  %stats = nnet3.component_node "stats" @extract(%h) : (!nnet3.rows<2>) -> !nnet3.rows<5>
  nnet3.statistics_pooling @pool {input_dim = 5, input_period = 2, left_context = 2, right_context = 2, output_stddevs = true}
  %pool = nnet3.component_node "pool" @pool(%stats) : (!nnet3.rows<5>) -> !nnet3.rows<4>
  %even = nnet3.round %pool, 2 : !nnet3.rows<4>
  nnet3.output_node "output", %even : !nnet3.rows<4>
}

// CHECK: nnet3.stream @net_stream for @net left 0 right 0
// CHECK: nnet3.stream_chunk 2 next @net_next2
// CHECK-NEXT: nnet3.stream_chunk 4 first @net_first4 next @net_next4

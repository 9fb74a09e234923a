// RUN: nnet3-opt %s --nnet3-compile-streaming=chunks=4 | FileCheck %s
// RUN: nnet3-opt %s --nnet3-compile-streaming=chunks=4 --verify-roundtrip --nnet3-compile -o /dev/null
// RUN: nnet3-opt %s --nnet3-compile-streaming="chunks=4 max-frames=0" | FileCheck %s --check-prefix=ROWS
// RUN: nnet3-opt %s --nnet3-compile-streaming="chunks=4 max-frames=10001" | FileCheck %s --check-prefix=ROWS
// RUN: not nnet3-opt %s --nnet3-compile-streaming="chunks=4 max-frames=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: cannot stream: expects max-frames between 0 and 16777216, but got -1

// Statistics of all frames so far: a sum of one row stands for them. At the end
// of a chunk statistics are computable up to two frames before the output.

nnet3.network @far {
  %in = nnet3.input_node "input" : !nnet3.rows<3>
  %ahead = nnet3.offset %in, t = 2 : !nnet3.rows<3>
  nnet3.statistics_extraction @extract {input_dim = 3}
  %stats = nnet3.component_node "stats" @extract(%ahead) : (!nnet3.rows<3>) -> !nnet3.rows<7>
  nnet3.statistics_pooling @pool {input_dim = 7, left_context = 10000, right_context = 0, output_stddevs = true}
  %pool = nnet3.component_node "pool" @pool(%stats) : (!nnet3.rows<7>) -> !nnet3.rows<6>
  nnet3.output_node "output", %pool : !nnet3.rows<6>
}

// CHECK-LABEL: nnet3.network @far
// CHECK: nnet3.statistics_pooling @pool.pool {{.*}}left_context = 0 {{.*}}right_context = 0
// CHECK: %[[SUM:.*]] = nnet3.component_node "pool.sum" @pool.sum(%[[TERMS:[0-9]+]])
// CHECK: %[[BEFORE:.*]] = nnet3.offset %[[SUM]], t = -1
// CHECK: %[[DEFINED:.*]] = nnet3.if_defined %[[BEFORE]]
// CHECK: %[[TERMS]] = nnet3.sum %stats, %[[DEFINED]]
// CHECK: %[[TWO:.*]] = nnet3.offset %[[SUM]], t = -2
// CHECK: %[[ONE:.*]] = nnet3.offset %[[SUM]], t = -1
// CHECK: %[[EARLIER:.*]] = nnet3.failover %[[ONE]], %[[TWO]]
// CHECK: %[[LATEST:.*]] = nnet3.failover %[[SUM]], %[[EARLIER]]
// CHECK: nnet3.component_node "pool" @pool.pool(%[[LATEST]])
// CHECK: nnet3.stream @far_stream for @far left 0 right 0 ivector_period 4 depends_on_chunks {
// CHECK-NEXT: nnet3.stream_state "pool.sum" <t = -3> to "pool.sum.next"
// CHECK-NEXT: nnet3.stream_chunk 4 first

// ROWS: nnet3.stream_state "stats" <t = -10000:-3> to "stats.next"

// Rows are kept where others lie between those that are pooled, where the window
// ends, and where it goes on for hundreds of frames.

nnet3.network @between {
  %in = nnet3.input_node "input" : !nnet3.rows<3>
  %even = nnet3.round %in, 2 : !nnet3.rows<3>
  nnet3.statistics_extraction @extract {input_dim = 3}
  %stats = nnet3.component_node "stats" @extract(%even) : (!nnet3.rows<3>) -> !nnet3.rows<7>
  nnet3.statistics_pooling @pool {input_dim = 7, left_context = 10000, right_context = 0}
  %pool = nnet3.component_node "pool" @pool(%stats) : (!nnet3.rows<7>) -> !nnet3.rows<6>
  nnet3.statistics_pooling @near {input_dim = 7, left_context = 9999, right_context = 0}
  %near = nnet3.component_node "near" @near(%stats) : (!nnet3.rows<7>) -> !nnet3.rows<6>
  nnet3.statistics_pooling @ahead {input_dim = 7, left_context = 10000, right_context = 300}
  %behind = nnet3.component_node "ahead" @ahead(%stats) : (!nnet3.rows<7>) -> !nnet3.rows<6>
  %all = nnet3.append %pool, %near, %behind : (!nnet3.rows<6>, !nnet3.rows<6>, !nnet3.rows<6>) -> !nnet3.rows<18>
  nnet3.output_node "output", %all : !nnet3.rows<18>
}

// CHECK: nnet3.stream @between_stream
// CHECK-NEXT: nnet3.stream_state "stats" <t = -10000:-1> to "stats.next"
// CHECK-NEXT: nnet3.stream_chunk

// Several frames to a row of statistics: sums of these periods.

nnet3.network @periods {
  %in = nnet3.input_node "input" : !nnet3.rows<3>
  nnet3.statistics_extraction @extract {input_dim = 3, output_period = 4}
  %stats = nnet3.component_node "stats" @extract(%in) : (!nnet3.rows<3>) -> !nnet3.rows<7>
  nnet3.statistics_pooling @pool {input_dim = 7, input_period = 4, left_context = 10000, right_context = 4}
  %pool = nnet3.component_node "pool" @pool(%stats) : (!nnet3.rows<7>) -> !nnet3.rows<6>
  %round = nnet3.round %pool, 4 : !nnet3.rows<6>
  nnet3.output_node "output", %round : !nnet3.rows<6>
}

// CHECK-LABEL: nnet3.network @periods
// CHECK: nnet3.stream @periods_stream
// CHECK-NEXT: nnet3.stream_state "pool.sum" <t = -4> to "pool.sum.next"
// CHECK-NEXT: nnet3.stream_chunk

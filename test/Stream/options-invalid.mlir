// Options that the pass rejects.

// RUN: not nnet3-opt %s --nnet3-compile-streaming 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: cannot stream: expects at least one chunk length (chunks)
// RUN: not nnet3-opt %s --nnet3-compile-streaming=chunks=4,0 2>&1 | FileCheck %s --check-prefix=CHUNK
// CHUNK: error: cannot stream: expects chunks between 1 and 16777216, but got 0
// RUN: not nnet3-opt %s --nnet3-compile-streaming="chunks=4 frame-subsampling-factor=0" 2>&1 | FileCheck %s --check-prefix=FACTOR
// FACTOR: error: cannot stream: expects frame-subsampling-factor between 1 and 16777216, but got 0
// RUN: not nnet3-opt %s --nnet3-compile-streaming="chunks=4 num-sequences=0" 2>&1 | FileCheck %s --check-prefix=SEQUENCES
// SEQUENCES: error: cannot stream: expects num-sequences between 1 and 16777216, but got 0
// RUN: not nnet3-opt %s --nnet3-compile-streaming="chunks=4 ivector-period=-1" 2>&1 | FileCheck %s --check-prefix=PERIOD
// PERIOD: error: cannot stream: expects ivector-period between 0 and 16777216, but got -1
// RUN: not nnet3-opt %s --nnet3-compile-streaming="chunks=4 frame-subsampling-factor=16777215" 2>&1 | FileCheck %s --check-prefix=STEP
// STEP: error: cannot stream: expects chunks of a multiple of 33554430 frames, after which the network's reads repeat, but a chunk has at most 16777216
// RUN: not nnet3-opt %s --nnet3-compile-streaming="chunks=1000000 num-sequences=1000000" 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: error: cannot stream: a chunk has 1000001 rows of each of 1000000 sequences, more than 16777216

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<3>
  %even = nnet3.round %in, 2 : !nnet3.rows<3>
  nnet3.output_node "output", %even : !nnet3.rows<3>
}

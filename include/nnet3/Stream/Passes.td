//===- Passes.td - Networks to streams ---------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_STREAM_PASSES_TD
#define NNET3_STREAM_PASSES_TD

include "mlir/Pass/PassBase.td"

def Nnet3CompileStreaming
    : Pass<"nnet3-compile-streaming", "::mlir::ModuleOp"> {
  let summary = "turn every network into a function of a state and a chunk";
  let description = [{
    Adds after each `nnet3.network` a `nnet3.stream` and the requests for its
    chunks, which `nnet3-compile` compiles like any others (spec: looped.md).
    Chunk lengths are rounded up to multiples of the subsampling factor and of
    the smallest time shift that maps the network to itself.

    A chunk computes the rows that its outputs need and that no earlier chunk
    has computed. The state consists of the earlier rows that a chunk reads; the
    pass finds them from the index maps of the network, without compiling
    chunks. The network gets an output node for each component node of the
    state.

    The pass assumes that no utterance is longer than `max-frames`. A window of
    statistics that reaches back at least `max-frames` frames therefore covers
    all frames so far. The state then holds the running sum of the statistics,
    which an additional node computes, instead of the statistics of each frame.

    `ReplaceIndex(..., t, 0)` of rows that depend on the i-vector only becomes a
    `Round` to multiples of the i-vector period: a later chunk has no row at
    time 0 of the utterance. A `ReplaceIndex` to a fixed time is an error if its
    rows depend on features, or if the time is not 0. An optional row
    (`IfDefined`, `Failover`) beyond the right context counts as absent at the
    end of each chunk. A backward recurrence is an error unless
    `allow-chunked-recurrence` is set; then each chunk computes it as if no
    frames followed.
  }];
  let options = [
    ListOption<"chunks", "chunks", "int64_t", "frames of each kind of chunk">,
    Option<"frameSubsamplingFactor", "frame-subsampling-factor", "int64_t",
           "1", "number of input frames for each output">,
    Option<"extraLeftContextInitial", "extra-left-context-initial", "int64_t",
           "0", "input frames before the first output, beyond the network's "
           "left context">,
    Option<"ivectorPeriod", "ivector-period", "int64_t", "0",
           "number of frames for each i-vector; 0: the greatest common divisor "
           "of the chunks">,
    ListOption<"numSequences", "num-sequences", "int64_t",
               "numbers of sequences in a minibatch, with requests for each; 1 "
               "if none is given">,
    Option<"maxFrames", "max-frames", "int64_t", "10000",
           "maximum length of an utterance: statistics with a window of at "
           "least this length are kept as a running sum; 0: never">,
    Option<"allowChunkedRecurrence", "allow-chunked-recurrence", "bool",
           "false", "compute backward recurrences separately for each chunk">,
  ];
}

#endif // NNET3_STREAM_PASSES_TD

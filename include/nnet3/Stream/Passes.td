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
    Puts a `nnet3.stream` behind each `nnet3.network`, and the requests for its
    chunks, which `nnet3-compile` compiles like any others (spec: looped.md).
    Chunk lengths are rounded up to multiples of the subsampling factor, and of
    the shift in time under which the network stays the same.

    A chunk computes the rows that its outputs need and that no earlier chunk
    has computed. What it reads of earlier rows is the state; the pass finds
    these rows from the index maps of the network, not by compiling chunks. The
    network gets an output node for each component node of the state.

    A window of statistics that reaches back `max-frames` frames or more stands
    for all frames so far: utterances are taken to be no longer. The state then
    has their sum, which a node of its own computes step by step, rather than
    the statistics of each frame.

    In components' inputs, `ReplaceIndex(..., t, 0)` becomes a `Round` to
    multiples of the i-vector period: a chunk has no row at time 0 of the
    utterance. A row that is optional (`IfDefined`, `Failover`) and lies behind
    the right context counts as absent at the end of each chunk. A recurrence
    that runs backward is an error unless `allow-chunked-recurrence` says that
    each chunk computes it as if no frames followed.
  }];
  let options = [
    ListOption<"chunks", "chunks", "int64_t", "frames of each kind of chunk">,
    Option<"frameSubsamplingFactor", "frame-subsampling-factor", "int64_t",
           "1", "there is an output for every so many frames">,
    Option<"extraLeftContextInitial", "extra-left-context-initial", "int64_t",
           "0", "input frames before the first output, beyond the network's "
           "left context">,
    Option<"ivectorPeriod", "ivector-period", "int64_t", "0",
           "there is an i-vector for every so many frames; 0: the greatest "
           "common divisor of the chunks">,
    ListOption<"numSequences", "num-sequences", "int64_t",
               "numbers of streams that a chunk computes at once, with requests "
               "for each; 1 if none is given">,
    Option<"maxFrames", "max-frames", "int64_t", "10000",
           "keep the sum of statistics whose window reaches back so many frames "
           "or more; 0: never">,
    Option<"allowChunkedRecurrence", "allow-chunked-recurrence", "bool",
           "false", "compute backward recurrences in each chunk for itself">,
  ];
}

#endif // NNET3_STREAM_PASSES_TD

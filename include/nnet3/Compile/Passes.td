//===- Passes.td - The compile passes ----------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_PASSES_TD
#define NNET3_COMPILE_PASSES_TD

include "mlir/Pass/PassBase.td"

def Nnet3Compile : Pass<"nnet3-compile", "::mlir::ModuleOp"> {
  let summary = "compile every request to a computation";
  let description = [{
    For each `nnet3.request @r`, emits after it an `nnet3.computation
    @r_computation` with the matrix commands that compute its outputs from its
    inputs. If an output cannot be computed, the pass reports an error that
    names the missing input row.
  }];
  let options = [
    Option<"debugInfo", "debug-info", "bool", "false",
           "attach to every matrix the node and the indexes of its rows">,
    Option<"foldSequences", "fold-sequences", "bool", "true",
           "compile a single sequence if all sequences are alike">,
    Option<"elideRounds", "elide-rounds", "bool", "false",
           "emit few rounds of each recurrence (`nnet3.elided_rounds`), for "
           "`nnet3-roll-loops`">,
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def Nnet3RecordPadding : Pass<"nnet3-record-padding", "::mlir::ModuleOp"> {
  let summary = "record how many outputs do not depend on padding";
  let description = [{
    Sets the attribute `min_outputs` of every `nnet3.request` without
    derivatives: the smallest number k such that the first k outputs are exact
    if the input after them is padding. It is 1 if outputs read nothing beyond
    their right context, and the number of all outputs if padding changes every
    output, as with statistics pooling. The metadata of a library contains it.
  }];
}

def Nnet3BlockSequences : Pass<"nnet3-block-sequences", "::mlir::ModuleOp"> {
  let summary = "compute requests for a few sequences at a time";
  let description = [{
    Sets the attribute `block_size` (`blocks_of 4`) of an `nnet3.request` for
    many sequences. `nnet3-compile` then emits a computation for `block_size`
    sequences, which runs once for each block. The largest command of a block
    reads and writes about `bytes`, so that the output of a command is still in
    the cache when the next command reads it. A block has more sequences if a
    command has few rows and weights that do not fit the cache, as the steps of
    a recurrence: it multiplies enough rows to hide the time to read them.

    A request is not divided if it asks for derivatives or statistics, if its
    rows are not ordered by sequence, if a component mixes rows (batch norm in
    training mode, random numbers), or if no block of about the right size
    divides the number of sequences.
  }];
  let options = [
    Option<"bytes", "bytes", "int64_t", "int64_t(1) << 23",
           "approximate memory traffic of the largest command of a block">,
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

#endif // NNET3_COMPILE_PASSES_TD

//===- Passes.td - The compile passes ----------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_PASSES_TD
#define NNET3_COMPILE_PASSES_TD

include "mlir/Pass/PassBase.td"

def Nnet3Compile : Pass<"nnet3-compile", "::mlir::ModuleOp"> {
  let summary = "compile every request to a computation";
  let description = [{
    For each `nnet3.request @r` emits, behind it, the `nnet3.computation
    @r_computation` of the matrix commands that compute its outputs from its
    inputs. A request whose outputs cannot be computed is an error that names
    the input row that is missing.
  }];
  let options = [
    Option<"debugInfo", "debug-info", "bool", "false",
           "attach to every matrix which rows of which node it holds">,
    Option<"foldSequences", "fold-sequences", "bool", "true",
           "compile one sequence for all where all are alike">,
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def Nnet3RecordPadding : Pass<"nnet3-record-padding", "::mlir::ModuleOp"> {
  let summary = "record at requests which outputs depend on the end of the input";
  let description = [{
    Gives every `nnet3.request` without derivatives the attribute
    `min_outputs`: how few outputs, counted from the first, are exact if
    the input behind them is padding. It is 1 for a network whose outputs read
    nothing behind their right context, and the number of all outputs if padding
    changes every output, as with statistics pooling. The metadata of libraries
    have the number.
  }];
}

def Nnet3BlockSequences : Pass<"nnet3-block-sequences", "::mlir::ModuleOp"> {
  let summary = "compute requests for a few sequences at a time";
  let description = [{
    Gives a `nnet3.request` for many sequences the attribute `block_size`
    (`blocks_of 4`). `nnet3-compile` then makes a computation for so many
    sequences, which runs once for each block. The largest command of a block
    reads and writes about `bytes`, so that each command finds in the cache what
    the one before it has written.

    A request stays whole if it asks for derivatives or statistics, if its rows
    are not those of one sequence after the other, if a component mixes rows
    (batch norm in training mode, random numbers), or if no block of about the
    right size divides the number of sequences.
  }];
  let options = [
    Option<"bytes", "bytes", "int64_t", "int64_t(1) << 23",
           "what a command of a block reads and writes, about">,
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

#endif // NNET3_COMPILE_PASSES_TD

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

#endif // NNET3_COMPILE_PASSES_TD

//===- Passes.td - The compile passes ----------------------*- tablegen -*-===//

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

#endif // NNET3_COMPILE_PASSES_TD

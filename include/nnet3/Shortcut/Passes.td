//===- Passes.td - The shortcut for many sequences ---------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_SHORTCUT_PASSES_TD
#define NNET3_SHORTCUT_PASSES_TD

include "mlir/Pass/PassBase.td"

def Nnet3ShortcutCompile : Pass<"nnet3-shortcut-compile", "::mlir::ModuleOp"> {
  let summary = "compile requests for two sequences and expand what comes out";
  let description = [{
    Does what `nnet3-compile` does, and optimises what it compiles. A request
    for more than two sequences that is the same for all of them is compiled
    and optimised for two, and the computation is then expanded: the commands
    stay, matrices and tables of rows grow (spec: shortcut.md). Requests that
    differ only in the number of their sequences are compiled once. Others are
    compiled as they are; a remark says why.
  }];
  let options = [
    Option<"debugInfo", "debug-info", "bool", "false",
           "attach to every matrix which rows of which node it holds">,
    Option<"foldSequences", "fold-sequences", "bool", "true",
           "compile one sequence for all where all are alike">,
    Option<"optimize", "optimize", "bool", "true",
           "run the passes of nnet3-optimize on what is compiled">,
    Option<"passes", "passes", "std::string", "",
           "other passes to run on it, as in a textual pipeline">,
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

#endif // NNET3_SHORTCUT_PASSES_TD

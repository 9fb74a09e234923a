//===- Passes.td - The shortcut for many sequences ---------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_SHORTCUT_PASSES_TD
#define NNET3_SHORTCUT_PASSES_TD

include "mlir/Pass/PassBase.td"

def Nnet3ShortcutCompile : Pass<"nnet3-shortcut-compile", "::mlir::ModuleOp"> {
  let summary = "compile requests for two sequences and expand the result";
  let description = [{
    Compiles requests like `nnet3-compile`, and optimises the computations. A
    request for more than two sequences that is the same for all of them is
    compiled and optimised for two. The computation is then expanded: its
    commands stay the same, but its matrices and row tables grow (spec:
    shortcut.md). Requests that differ only in the number of their sequences are
    compiled once. Other requests are compiled directly, and a remark says why.
  }];
  let options = [
    Option<"debugInfo", "debug-info", "bool", "false",
           "attach to every matrix the node and the indexes of its rows">,
    Option<"foldSequences", "fold-sequences", "bool", "true",
           "compile a single sequence if all sequences are alike">,
    Option<"optimize", "optimize", "bool", "true",
           "run the passes of nnet3-optimize on the computations">,
    Option<"passes", "passes", "std::string", "",
           "textual pipeline of other passes to run on the computations">,
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

#endif // NNET3_SHORTCUT_PASSES_TD

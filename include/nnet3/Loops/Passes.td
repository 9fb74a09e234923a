//===- Passes.td - Loops of computations -------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LOOPS_PASSES_TD
#define NNET3_LOOPS_PASSES_TD

include "mlir/Pass/PassBase.td"

def Nnet3RollLoops : PassBase<"nnet3-roll-loops",
                              "::mlir::nnet3::CommandPass"> {
  let summary = "make loops of the steps of recurrences";
  let description = [{
    A recurrence is compiled as commands for each of its steps. Where the same
    commands come again and again, on views that move on by as many rows each
    time and on matrices that the rounds before have left, `nnet3.loop` takes
    their place; the first steps, which lack what steps before would have left,
    stay in front of it. Matrices that a few rounds pass on alternate
    between as many matrices as live at a time, and those of all rounds that
    later commands read, such as what a backward pass needs, become one matrix.
    The numbers do not change.

    The passes of `nnet3-optimize` leave computations with loops alone: run them
    before.
  }];
  let options = [
    Option<"maxPeriod", "max-period", "int64_t", "512",
           "most commands of a step">,
    Option<"minRounds", "min-rounds", "int64_t", "2",
           "fewest rounds that make a loop">,
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def Nnet3ShortcutFrames : Pass<"nnet3-shortcut-frames", "::mlir::ModuleOp"> {
  let summary = "compile recurrences for few frames and expand what comes out";
  let description = [{
    Does what `nnet3-compile` does, and runs `passes` on the computations. A
    request of a recurrent network for many frames, at equal distances, is
    compiled for two smaller numbers of frames that lie a few steps apart, with
    loops (`nnet3-roll-loops`). Where these differ only in numbers, such as rows
    of matrices and rounds of loops, the computation for all frames has the
    numbers that go on in the same way. So its commands, and the time and memory
    that it takes to compile it, do not depend on the number of frames. Other
    requests are compiled as they are.
  }];
  let options = [
    Option<"debugInfo", "debug-info", "bool", "false",
           "attach to every matrix which rows of which node it holds; then "
           "nothing is expanded">,
    Option<"foldSequences", "fold-sequences", "bool", "true",
           "compile one sequence for all where all are alike">,
    Option<"passes", "passes", "std::string", "",
           "passes to run on what is compiled, as in a textual pipeline">,
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

#endif // NNET3_LOOPS_PASSES_TD

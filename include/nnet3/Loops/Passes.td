//===- Passes.td - Loops of computations -------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LOOPS_PASSES_TD
#define NNET3_LOOPS_PASSES_TD

include "mlir/Pass/PassBase.td"

def Nnet3RollLoops : PassBase<"nnet3-roll-loops",
                              "::mlir::nnet3::CommandPass"> {
  let summary = "roll the steps of recurrences into loops";
  let description = [{
    A recurrence is compiled as commands for each of its steps. The pass
    replaces repetitions of the same commands by a `nnet3.loop`, if they work on
    views whose row offsets grow by a constant amount and on matrices of earlier
    iterations. The first steps, which have no previous state, stay before the
    loop. Matrices that iterations pass to a later one rotate among as many
    matrices as are live at a time. Matrices of all iterations that later
    commands read, such as the inputs of a backward pass, become one matrix.
    Results do not change.

    The passes of `nnet3-optimize` do not change computations with loops, so run
    them before.
  }];
  let options = [
    Option<"maxPeriod", "max-period", "int64_t", "512",
           "maximum number of commands of a step">,
    Option<"minRounds", "min-rounds", "int64_t", "2",
           "minimum number of iterations of a loop">,
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def Nnet3ShortcutFrames : Pass<"nnet3-shortcut-frames", "::mlir::ModuleOp"> {
  let summary = "compile recurrences for few frames and expand the result";
  let description = [{
    Compiles requests like `nnet3-compile`, and runs `passes` on the
    computations. A request of a recurrent network for many frames at equal
    distances is compiled for two smaller numbers of frames that are a few steps
    apart, with loops (`nnet3-roll-loops`). If the two computations differ only
    in numbers, such as rows of matrices and iterations of loops, these numbers
    are extrapolated linearly to the computation for all frames. The number of
    commands, and the time and memory of compilation, thus do not depend on the
    number of frames. Other requests are compiled directly.
  }];
  let options = [
    Option<"debugInfo", "debug-info", "bool", "false",
           "attach to every matrix the node and the indexes of its rows; "
           "disables the expansion">,
    Option<"elideRounds", "elide-rounds", "bool", "false",
           "emit few rounds of each recurrence (`nnet3.elided_rounds`); needs "
           "`passes` that rewrite all rounds alike, as `nnet3-optimize` does">,
    Option<"foldSequences", "fold-sequences", "bool", "true",
           "compile a single sequence if all sequences are alike">,
    Option<"passes", "passes", "std::string", "",
           "textual pipeline of passes to run on the computations">,
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

#endif // NNET3_LOOPS_PASSES_TD

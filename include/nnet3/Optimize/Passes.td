//===- Passes.td - The optimisations of computations -------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_OPTIMIZE_PASSES_TD
#define NNET3_OPTIMIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

/// Leaves computations with loops as they are.
class Nnet3_CommandPass<string flag>
    : PassBase<flag, "::mlir::nnet3::CommandPass">;

def Nnet3CheckComputation
    : Pass<"nnet3-check-computation", "::mlir::nnet3::ComputationOp"> {
  let summary = "check that a computation makes sense";
  let description = [{
    Checks what the verifiers of single commands cannot see (spec: optimize.md
    2): no matrix is used when it is freed, each is used at all, every variable
    is written before it is read, memos are consumed once by the component that
    produced them, components run in place only where they may, the backward
    pass is behind the marker, compressed matrices are decompressed in time, and
    debug information fits. Changes nothing.
  }];
  let options = [
    Option<"checkRewrites", "check-rewrite", "bool", "false",
           "no variable is written once it has been read; so it is before the "
           "optimisations">,
    Option<"checkUnusedVariables", "check-unused-variables", "bool", "true",
           "every variable is accessed">,
  ];
}

def Nnet3LimitDerivativeTimes
    : Nnet3_CommandPass<"nnet3-limit-derivative-times"> {
  let summary = "leave out derivatives of times outside of a range";
  let description = [{
    Derivatives of rows whose t is below `min-deriv-time` or above
    `max-deriv-time` count as zero (spec: optimize.md 4.1): nothing is computed
    from them, and their matrices get smaller or go. Changes gradients, which is
    what it is for. It has to be the first pass, and needs to know what the rows
    of the matrices are: `nnet3-compile{debug-info}` says so.
  }];
  let options = [
    Option<"minDerivTime", "min-deriv-time", "int32_t",
           "std::numeric_limits<int32_t>::min()",
           "smallest t of which there are derivatives">,
    Option<"maxDerivTime", "max-deriv-time", "int32_t",
           "std::numeric_limits<int32_t>::max()",
           "largest t of which there are derivatives">,
    Option<"maxDerivTimeRelative", "max-deriv-time-relative", "int32_t",
           "std::numeric_limits<int32_t>::max()",
           "largest t of which there are derivatives, counted from the largest "
           "t of an output; overrides max-deriv-time">,
  ];
}

def Nnet3ConsolidateModelUpdate
    : Nnet3_CommandPass<"nnet3-consolidate-model-update"> {
  let summary = "update each component once";
  let description = [{
    Where a simple component without memo is run backward several times, as in a
    recurrence, the rows are collected, and the model is updated with all of
    them at the end (spec: optimize.md 4.2). With natural gradient the result is
    not the same to the bit: the preconditioner sees one large minibatch.
  }];
}

def Nnet3ConvertAddition : Nnet3_CommandPass<"nnet3-convert-addition"> {
  let summary = "make copies of additions to zeros";
  let description = [{
    An addition to rows that nothing but zeros have been written to becomes a
    copy: `matrix_add` becomes `matrix_copy`, `add_rows` `copy_rows`, and so on
    (spec: optimize.md 4.3). This makes zeroing unnecessary and lets copies be
    merged away.
  }];
}

def Nnet3SnipRowOps : Nnet3_CommandPass<"nnet3-snip-row-ops"> {
  let summary = "cut off rows that a command does not change";
  let description = [{
    Entries without a row at either end of the table of a command that adds, or
    that copies to rows, are cut off, and the matrix with them (spec:
    optimize.md 4.4). Commands that copy rows are left alone: they set such rows
    to zero.
  }];
}

def Nnet3SplitRowOps : Nnet3_CommandPass<"nnet3-split-row-ops"> {
  let summary = "split commands with several matrices";
  let description = [{
    A command whose table names one matrix, then at most one other, becomes one
    or two commands on a single matrix each (spec: optimize.md 4.4).
  }];
}

def Nnet3ReplaceRowOps : Nnet3_CommandPass<"nnet3-replace-row-ops"> {
  let summary = "make matrix commands of row commands on consecutive rows";
  let description = [{
    `copy_rows` and `add_rows` of consecutive rows become `matrix_copy` and
    `matrix_add` of a part of the matrix (spec: optimize.md 4.4). Rows of a
    `copy_rows` that come from nowhere are zero already: the analysis counts
    such a command as one that adds, so that the zeroing stays.
  }];
}

def Nnet3ExtendMatrices : Nnet3_CommandPass<"nnet3-extend-matrices"> {
  let summary = "add rows so that a part can hold all of another matrix";
  let description = [{
    Where most rows of a matrix are copied to the last rows of some columns of
    another, that one gets as many rows more as it takes to hold all of them
    (spec: optimize.md 4.5). The copy then is of a whole matrix, and
    nnet3-merge-variables removes it. The rows added are never read.
  }];
}

def Nnet3MergeVariables : Nnet3_CommandPass<"nnet3-merge-variables"> {
  let summary = "let two matrices be one";
  let description = [{
    Removes copies by giving both matrices the same storage, and runs components
    in place, where no value is overwritten that is still needed (spec:
    optimize.md 4.6). One of the two matrices, which has to be used as a whole,
    becomes a part of the other.
  }];
  let options = [
    Option<"removeAssignments", "remove-assignments", "bool", "true",
           "remove copies">,
    Option<"propagateInPlace", "propagate-in-place", "bool", "true",
           "run components in place in the forward pass">,
    Option<"backpropInPlace", "backprop-in-place", "bool", "true",
           "run components in place in the backward pass">,
    Option<"allowLeftMerge", "allow-left-merge", "bool", "true",
           "the destination may become a part of the source">,
    Option<"allowRightMerge", "allow-right-merge", "bool", "true",
           "the source may become a part of the destination">,
  ];
}

def Nnet3RemoveUnnecessaryZeroing
    : Nnet3_CommandPass<"nnet3-remove-unnecessary-zeroing"> {
  let summary = "leave matrices undefined that are overwritten";
  let description = [{
    A matrix all of which is written before it is read need not begin with zeros
    (spec: optimize.md 4.7).
  }];
}

def Nnet3MoveSizingCommands
    : Nnet3_CommandPass<"nnet3-move-sizing-commands"> {
  let summary = "allocate late, free early";
  let description = [{
    Moves each allocation to just before the first command that uses the matrix,
    and each deallocation to just behind the last (spec: optimize.md 4.8).
  }];
}

def Nnet3RemoveUnnecessaryAllocation
    : Nnet3_CommandPass<"nnet3-remove-unnecessary-allocation"> {
  let summary = "reuse storage that is freed";
  let description = [{
    A matrix that is allocated behind the deallocation of another one of its
    size takes that one's storage: `move_matrix` in place of both (spec:
    optimize.md 4.9).
  }];
}

def Nnet3CompressMemory : Nnet3_CommandPass<"nnet3-compress-memory"> {
  let summary = "compress what waits for the backward pass";
  let description = [{
    Matrices that the forward pass leaves for the backward pass are compressed in
    between (spec: optimize.md 4.11). On level 1 only those whose signs alone are
    needed, by the backward pass of a rectifier; no result changes. On level 2,
    all others get 16 bits per element, for values up to 10: gradients lose
    precision. Level 3 is the same as 2. It has to be the last pass.
  }];
  let options = [
    Option<"level", "level", "int32_t", "1", "how much is compressed">,
  ];
}

def Nnet3RemoveNoOps : Nnet3_CommandPass<"nnet3-remove-no-ops"> {
  let summary = "remove no_operation commands";
}

def Nnet3Renumber : Nnet3_CommandPass<"nnet3-renumber"> {
  let summary = "merge equal views, remove what nothing uses";
  let description = [{
    Puts views in their normal form: each directly of a matrix, behind its
    definition, and no two equal. Views and matrices that no command uses are
    removed (spec: optimize.md 4.12; tables are unique by themselves).
  }];
}

def Nnet3UnrollLoops
    : Pass<"nnet3-unroll-loops", "::mlir::nnet3::ComputationOp"> {
  let summary = "write the rounds of loops one behind the other";
  let description = [{
    The opposite of `nnet3-roll-loops`, for what works on single commands:
    Kaldi's printed form, or a comparison.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

#endif // NNET3_OPTIMIZE_PASSES_TD

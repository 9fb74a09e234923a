//===- Passes.td - The optimisations of computations -------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_OPTIMIZE_PASSES_TD
#define NNET3_OPTIMIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

/// A pass over computations; it does not change computations with loops.
class Nnet3_CommandPass<string flag>
    : PassBase<flag, "::mlir::nnet3::CommandPass">;

def Nnet3CheckComputation
    : Pass<"nnet3-check-computation", "::mlir::nnet3::ComputationOp"> {
  let summary = "check the consistency of a computation";
  let description = [{
    Checks conditions that involve several commands, which the verifiers of
    single commands cannot check (spec: optimize.md 2): no matrix is used after
    it is freed, every matrix is used, every variable is written before it is
    read, memos are consumed once by the component that produced them,
    components run in place only if they allow it, the backward pass follows the
    marker, compressed matrices are decompressed before use, and debug
    information matches the matrices. Changes nothing.
  }];
  let options = [
    Option<"checkRewrites", "check-rewrite", "bool", "false",
           "check that no variable is written after it has been read; this is "
           "so before the optimisations">,
    Option<"checkUnusedVariables", "check-unused-variables", "bool", "true",
           "check that every variable is accessed">,
  ];
}

def Nnet3LimitDerivativeTimes
    : Nnet3_CommandPass<"nnet3-limit-derivative-times"> {
  let summary = "limit derivatives to a range of times";
  let description = [{
    Treats derivatives of rows whose t is below `min-deriv-time` or above
    `max-deriv-time` as zero (spec: optimize.md 4.1): removes the commands that
    read them, and shrinks or removes their matrices. Changes gradients on
    purpose. It must be the first pass, and needs the indexes of the rows of
    matrices, which `nnet3-compile{debug-info}` attaches.
  }];
  let options = [
    Option<"minDerivTime", "min-deriv-time", "int32_t",
           "std::numeric_limits<int32_t>::min()",
           "smallest t with derivatives">,
    Option<"maxDerivTime", "max-deriv-time", "int32_t",
           "std::numeric_limits<int32_t>::max()",
           "largest t with derivatives">,
    Option<"maxDerivTimeRelative", "max-deriv-time-relative", "int32_t",
           "std::numeric_limits<int32_t>::max()",
           "largest t with derivatives, relative to the largest t of an "
           "output; overrides max-deriv-time">,
  ];
}

def Nnet3ConsolidateModelUpdate
    : Nnet3_CommandPass<"nnet3-consolidate-model-update"> {
  let summary = "update each component once with the rows of all its steps";
  let description = [{
    If a simple component without memo has several `backprop` commands, as in a
    recurrence, their rows are collected, and one command at the end updates the
    model with all of them (spec: optimize.md 4.2). With natural gradient the
    result is not bit-identical: the preconditioner sees one large minibatch.
  }];
}

def Nnet3ConvertAddition : Nnet3_CommandPass<"nnet3-convert-addition"> {
  let summary = "convert additions to zeros into copies";
  let description = [{
    Converts an addition to rows that are still zero into a copy: `matrix_add`
    becomes `matrix_copy`, `add_rows` becomes `copy_rows`, and so on (spec:
    optimize.md 4.3). Later passes can then remove the zero-fill and the copy.
  }];
}

def Nnet3SnipRowOps : Nnet3_CommandPass<"nnet3-snip-row-ops"> {
  let summary = "trim rows that a command does not change";
  let description = [{
    Trims entries without a row at both ends of the table of a command that
    adds rows or copies to rows, and the corresponding rows of its matrix (spec:
    optimize.md 4.4). `copy_rows` and `copy_rows_multi` are not trimmed, because
    they zero-fill rows whose entry names no row.
  }];
}

def Nnet3SplitRowOps : Nnet3_CommandPass<"nnet3-split-row-ops"> {
  let summary = "split row commands with several matrices";
  let description = [{
    If the table of a command first names rows of one matrix and then rows of at
    most one other, replaces the command by one command for each matrix (spec:
    optimize.md 4.4).
  }];
}

def Nnet3ReplaceRowOps : Nnet3_CommandPass<"nnet3-replace-row-ops"> {
  let summary = "convert row commands on consecutive rows to matrix commands";
  let description = [{
    Converts `copy_rows` and `add_rows` of consecutive rows to `matrix_copy` and
    `matrix_add` of slices of rows (spec: optimize.md 4.4). Rows of a
    `copy_rows` without a source row need no command, because they are zero
    already: the analysis treats such a `copy_rows` as an addition, so the
    zero-fill before it is not removed.
  }];
}

def Nnet3ExtendMatrices : Nnet3_CommandPass<"nnet3-extend-matrices"> {
  let summary = "extend matrices so that a view can hold a copied matrix";
  let description = [{
    If most rows of a matrix are copied to the last rows of some columns of
    another matrix, adds rows to the other matrix until these columns can hold
    all rows of the first one (spec: optimize.md 4.5). The copy then copies a
    whole matrix, and `nnet3-merge-variables` removes it. The added rows are
    never read.
  }];
}

def Nnet3MergeVariables : Nnet3_CommandPass<"nnet3-merge-variables"> {
  let summary = "merge the storage of two matrices";
  let description = [{
    Removes copies by giving both matrices the same storage, and runs components
    in place, if no value is overwritten that is still needed (spec:
    optimize.md 4.6). One of the two matrices, of which the command must use all
    rows and columns, becomes a view of the other.
  }];
  let options = [
    Option<"removeAssignments", "remove-assignments", "bool", "true",
           "remove copies">,
    Option<"propagateInPlace", "propagate-in-place", "bool", "true",
           "run components in place in the forward pass">,
    Option<"backpropInPlace", "backprop-in-place", "bool", "true",
           "run components in place in the backward pass">,
    Option<"allowLeftMerge", "allow-left-merge", "bool", "true",
           "let the destination become a view of the source">,
    Option<"allowRightMerge", "allow-right-merge", "bool", "true",
           "let the source become a view of the destination">,
  ];
}

def Nnet3RemoveUnnecessaryZeroing
    : Nnet3_CommandPass<"nnet3-remove-unnecessary-zeroing"> {
  let summary = "remove the zero-fill of matrices that are overwritten";
  let description = [{
    Does not zero-fill matrices whose elements are all written before they are
    read (spec: optimize.md 4.7).
  }];
}

def Nnet3MoveSizingCommands
    : Nnet3_CommandPass<"nnet3-move-sizing-commands"> {
  let summary = "allocate late, free early";
  let description = [{
    Moves each allocation to just before the first command that uses the matrix,
    and each deallocation to just after the last one (spec: optimize.md 4.8).
  }];
}

def Nnet3RemoveUnnecessaryAllocation
    : Nnet3_CommandPass<"nnet3-remove-unnecessary-allocation"> {
  let summary = "reuse the storage of freed matrices";
  let description = [{
    Replaces a deallocation and a later allocation of a matrix of the same size
    by a `move_matrix`, which reuses the storage (spec: optimize.md 4.9). If
    rounds are elided, only tells `nnet3-roll-loops` to do so.
  }];
}

def Nnet3CompressMemory : Nnet3_CommandPass<"nnet3-compress-memory"> {
  let summary = "compress matrices between the forward and the backward pass";
  let description = [{
    Compresses matrices that the forward pass writes and the backward pass reads
    (spec: optimize.md 4.11). Level 1 compresses only the inputs of the backward
    passes of rectifiers, which need signs only; no result changes. Level 2 also
    compresses all others to 16 bits per element, for values up to 10: gradients
    lose precision. Level 3 is the same as level 2. It must be the last pass.
  }];
  let options = [
    Option<"level", "level", "int32_t", "1",
           "0 for none, 1 for signs only, 2 for all matrices">,
  ];
}

def Nnet3RemoveNoOps : Nnet3_CommandPass<"nnet3-remove-no-ops"> {
  let summary = "remove no_operation commands";
}

def Nnet3Renumber : Nnet3_CommandPass<"nnet3-renumber"> {
  let summary = "merge equal views, remove unused views and matrices";
  let description = [{
    Brings views into a normal form: each is a view of a matrix, not of a view,
    follows the definition of the matrix, and no two are equal. Removes views
    and matrices that no command uses (spec: optimize.md 4.12; row tables are
    attributes and thus unique).
  }];
}

def Nnet3UnrollLoops
    : Pass<"nnet3-unroll-loops", "::mlir::nnet3::ComputationOp"> {
  let summary = "unroll loops completely";
  let description = [{
    Reverses `nnet3-roll-loops`, for uses that need single commands, such as
    Kaldi's printed form or a comparison.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

#endif // NNET3_OPTIMIZE_PASSES_TD

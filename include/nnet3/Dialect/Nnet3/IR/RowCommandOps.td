//===- RowCommandOps.td - Commands that copy and add rows --*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_ROWCOMMANDOPS_TD
#define NNET3_DIALECT_NNET3_IR_ROWCOMMANDOPS_TD

include "nnet3/Dialect/Nnet3/IR/CommandBase.td"

def Nnet3_MatrixCopyOp : Nnet3_CommandOp<"matrix_copy", [
    SameOperandsShape]> {
  let summary = "copies a matrix, times a constant";
  let description = [{
    Kaldi: kMatrixCopy. `dest` := alpha * `source`. Both may be the same
    matrix, which is then scaled in place.

    Example:

    ```mlir
    nnet3.matrix_copy %a into %b alpha 5.000000e-01 : memref<36x20xf32> into memref<36x20xf32>
    ```
  }];
  let arguments = (ins Arg<Nnet3_Matrix, "", [MemRead]>:$source,
                       Arg<Nnet3_Matrix, "", [MemWrite]>:$dest,
                       DefaultValuedAttr<F32Attr, "1.0f">:$alpha);
  let assemblyFormat = [{
    $source `into` $dest (`alpha` $alpha^)? attr-dict `:` type($source)
    `into` type($dest)
  }];
}

def Nnet3_MatrixAddOp : Nnet3_CommandOp<"matrix_add", [SameOperandsShape]> {
  let summary = "adds a matrix, times a constant";
  let description = [{
    Kaldi: kMatrixAdd. `dest` += alpha * `source`.

    Example:

    ```mlir
    nnet3.matrix_add %a into %b : memref<36x20xf32> into memref<36x20xf32>
    ```
  }];
  let arguments = (ins Arg<Nnet3_Matrix, "", [MemRead]>:$source,
                       Arg<Nnet3_Matrix, "", [MemRead, MemWrite]>:$dest,
                       DefaultValuedAttr<F32Attr, "1.0f">:$alpha);
  let assemblyFormat = [{
    $source `into` $dest (`alpha` $alpha^)? attr-dict `:` type($source)
    `into` type($dest)
  }];
}

class Nnet3_RowsOp<string mnemonic, list<MemoryEffect> destEffects>
    : Nnet3_CommandOp<mnemonic> {
  let arguments = (ins Arg<Nnet3_Matrix, "", [MemRead]>:$source,
                       Nnet3_RowTableAttr:$rows,
                       Arg<Nnet3_Matrix, "", destEffects>:$dest,
                       DefaultValuedAttr<F32Attr, "1.0f">:$alpha);
  let assemblyFormat = [{
    $source $rows `into` $dest (`alpha` $alpha^)? attr-dict `:` type($source)
    `into` type($dest)
  }];
  let hasVerifier = 1;
}

def Nnet3_CopyRowsOp : Nnet3_RowsOp<"copy_rows", [MemWrite]> {
  let summary = "copies rows of one matrix";
  let description = [{
    Kaldi: kCopyRows. Row i of `dest` := alpha * row `rows[i]` of `source`, or
    zeros if `rows[i]` is `_`.

    Example:

    ```mlir
    nnet3.copy_rows %a <_, 0:8> into %b : memref<10x20xf32> into memref<10x20xf32>
    ```
  }];
}

def Nnet3_AddRowsOp : Nnet3_RowsOp<"add_rows", [MemRead, MemWrite]> {
  let summary = "adds rows of one matrix";
  let description = [{
    Kaldi: kAddRows. Row i of `dest` += alpha * row `rows[i]` of `source`,
    unless `rows[i]` is `_`.

    Example:

    ```mlir
    nnet3.add_rows %a <0:27:3> into %b : memref<30x20xf32> into memref<10x20xf32>
    ```
  }];
}

class Nnet3_FromRowsMultiOp<string mnemonic, list<MemoryEffect> destEffects>
    : Nnet3_CommandOp<mnemonic> {
  let arguments = (ins Arg<Variadic<Nnet3_Matrix>, "", [MemRead]>:$sources,
                       Nnet3_RowTableAttr:$rows,
                       Arg<Nnet3_Matrix, "", destEffects>:$dest,
                       DefaultValuedAttr<F32Attr, "1.0f">:$alpha);
  let assemblyFormat = [{
    ` ` `[` $sources `]` $rows `into` $dest (`alpha` $alpha^)? attr-dict `:`
    type($sources) `into` type($dest)
  }];
  let hasVerifier = 1;
}

def Nnet3_CopyRowsMultiOp
    : Nnet3_FromRowsMultiOp<"copy_rows_multi", [MemWrite]> {
  let summary = "copies rows of several matrices";
  let description = [{
    Kaldi: kCopyRowsMulti. Row i of `dest` := alpha * the row that entry i of
    `rows` names, or zeros if the entry is `_`.

    Example:

    ```mlir
    nnet3.copy_rows_multi [%a, %b] <0, 0 of 1> into %c : memref<1x4xf32>, memref<1x4xf32> into memref<2x4xf32>
    ```
  }];
}

def Nnet3_AddRowsMultiOp
    : Nnet3_FromRowsMultiOp<"add_rows_multi", [MemRead, MemWrite]> {
  let summary = "adds rows of several matrices";
  let description = [{
    Kaldi: kAddRowsMulti. Row i of `dest` += alpha * the row that entry i of
    `rows` names, unless the entry is `_`.

    Example:

    ```mlir
    nnet3.add_rows_multi [%a, %b] <0, 0 of 1> into %c : memref<1x4xf32>, memref<1x4xf32> into memref<2x4xf32>
    ```
  }];
}

class Nnet3_ToRowsMultiOp<string mnemonic, list<MemoryEffect> destEffects,
                          dag extraArguments>
    : Nnet3_CommandOp<mnemonic> {
  let arguments = !con((ins Arg<Nnet3_Matrix, "", [MemRead]>:$source,
                       Nnet3_RowTableAttr:$rows,
                       Arg<Variadic<Nnet3_Matrix>, "", destEffects>:$dests),
                       extraArguments);
  let hasVerifier = 1;
}

def Nnet3_CopyToRowsMultiOp
    : Nnet3_ToRowsMultiOp<"copy_to_rows_multi", [MemWrite], (ins)> {
  let summary = "copies to rows of several matrices";
  let description = [{
    Kaldi: kCopyToRowsMulti. The row that entry i of `rows` names := row i of
    `source`, unless the entry is `_`. The table must not name a row twice.

    Example:

    ```mlir
    nnet3.copy_to_rows_multi %c into [%a, %b] <0, 0 of 1> : memref<2x4xf32> into memref<1x4xf32>, memref<1x4xf32>
    ```
  }];
  let assemblyFormat = [{
    $source `into` ` ` `[` $dests `]` $rows attr-dict `:` type($source) `into`
    type($dests)
  }];
}

def Nnet3_AddToRowsMultiOp
    : Nnet3_ToRowsMultiOp<"add_to_rows_multi", [MemRead, MemWrite],
        (ins DefaultValuedAttr<F32Attr, "1.0f">:$alpha)> {
  let summary = "adds to rows of several matrices";
  let description = [{
    Kaldi: kAddToRowsMulti. The row that entry i of `rows` names += alpha * row
    i of `source`, unless the entry is `_`. The table must not name a row twice.

    Example:

    ```mlir
    nnet3.add_to_rows_multi %c into [%a, %b] <0, 0 of 1> alpha 5.000000e-01 : memref<2x4xf32> into memref<1x4xf32>, memref<1x4xf32>
    ```
  }];
  let assemblyFormat = [{
    $source `into` ` ` `[` $dests `]` $rows (`alpha` $alpha^)? attr-dict `:`
    type($source) `into` type($dests)
  }];
}

def Nnet3_AddRowRangesOp : Nnet3_CommandOp<"add_row_ranges"> {
  let summary = "adds sums of regularly spaced rows";
  let description = [{
    Kaldi: kAddRowRanges, which has a step of 1. Row i of `dest` += alpha * the
    sum of rows begin[i], begin[i] + step, ... below end[i] of `source`, in
    ascending order, unless both entries are `_`.

    Example:

    ```mlir
    nnet3.add_row_ranges %a begin <0, 3, _> end <3, 10, _> into %b : memref<10x20xf32> into memref<3x20xf32>
    ```
  }];
  let arguments = (ins Arg<Nnet3_Matrix, "", [MemRead]>:$source,
                       Nnet3_RowTableAttr:$begin, Nnet3_RowTableAttr:$end,
                       Arg<Nnet3_Matrix, "", [MemRead, MemWrite]>:$dest,
                       DefaultValuedAttr<F32Attr, "1.0f">:$alpha,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>,
                                         "1">:$step);
  let assemblyFormat = [{
    $source `begin` $begin `end` $end (`step` $step^)? `into` $dest
    (`alpha` $alpha^)? attr-dict `:` type($source) `into` type($dest)
  }];
  let hasVerifier = 1;
}

#endif // NNET3_DIALECT_NNET3_IR_ROWCOMMANDOPS_TD

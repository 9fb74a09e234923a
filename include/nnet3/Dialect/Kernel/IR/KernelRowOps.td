//===- KernelRowOps.td - Functions of whole rows -----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_KERNEL_IR_KERNELROWOPS_TD
#define NNET3_DIALECT_KERNEL_IR_KERNELROWOPS_TD

include "nnet3/Dialect/Kernel/IR/KernelAttributes.td"
include "nnet3/Dialect/Kernel/IR/KernelTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Kernel_RowRangesOp : Kernel_Op<"row_ranges", [Pure]> {
  let summary = "a view of ranges of rows at the offsets that a table lists";
  let description = [{
    Range r consists of `table[count + r]` rows. The first one is at offset
    `table[begin + r]` of the arena, and the type has the stride between rows.

    Example:

    ```mlir
    %ranges = kernel.row_ranges %arena, %table[%begin, %count] : memref<288xf32>, memref<7xi32> to !kernel.row_ranges<2x4, stride = 8>
    ```
  }];
  let arguments = (ins Kernel_Arena:$arena, Kernel_Table:$table, Index:$begin,
                       Index:$count);
  let results = (outs Kernel_RowRangesType:$result);
  let assemblyFormat = [{
    $arena `,` $table `[` $begin `,` $count `]` `:` type($arena) `,`
    type($table) `to` qualified(type($result)) attr-dict
  }];
  let hasVerifier = 1;
}

def Kernel_MapRowsOp : Kernel_Op<"map_rows", [
    IsolatedFromAbove, Kernel_Outlined, SingleBlock]> {
  let summary = "applies a function to each row";
  let description = [{
    The region computes row r of the output from row r of each input. It may
    combine columns in any way. A row consists of `parts` independent parts,
    each with the same number of columns of the output.

    The arguments of the region are the number of the part, one argument for
    each input, and the row of the output:

    * for a matrix, or indexes of each row: row r, a one-dimensional memref;
    * for a three-dimensional view, or ranges of rows (`!kernel.row_ranges`):
      the rows that belong to row r, a two-dimensional memref;
    * for a vector, or a list of indexes: all of it.

    The region holds constants, operations that compute scalars element by
    element, `scf.for`, `memref.load` and `memref.dim` of the arguments,
    `memref.store` to the row of the output in the loops over columns, and the
    operations that follow. It computes scalars; each target decides how many
    columns it computes at once, and whether threads share them.

    Example:

    ```mlir
    kernel.map_rows ins(%x : memref<36x32xf32, strided<[32, 1], offset: ?>>) outs(%y : memref<36x32xf32, strided<[32, 1], offset: ?>>) {
    ^bb0(%part: index, %from: memref<32xf32, strided<[1], offset: ?>>, %to: memref<32xf32, strided<[1], offset: ?>>):
      %sum = kernel.reduce_columns add 32 {
      ^bb0(%c: index):
        %v = memref.load %from[%c] : memref<32xf32, strided<[1], offset: ?>>
        kernel.yield %v : f32
      }
      kernel.for_columns [32] {
      ^bb0(%c: index):
        %v = memref.load %from[%c] : memref<32xf32, strided<[1], offset: ?>>
        %q = arith.divf %v, %sum : f32
        memref.store %q, %to[%c] : memref<32xf32, strided<[1], offset: ?>>
        kernel.yield
      }
      kernel.yield
    }
    ```
  }];
  let arguments = (ins
    Arg<Variadic<Kernel_RowOperand>, "", [MemRead]>:$inputs,
    Arg<Kernel_Matrix, "", [MemRead, MemWrite]>:$output,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$parts);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $output `:` type($output) `)` (`parts` $parts^)? $body attr-dict
  }];
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$inputs,
      "::mlir::Value":$output, "int64_t":$parts)>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The type of the region's argument for an operand of type `type`.
    static ::mlir::Type getArgumentType(::mlir::Type type);
    ::mlir::Value getPart() { return getBody().getArgument(0); }
    ::mlir::Value getInput(unsigned number) {
      return getBody().getArgument(1 + number);
    }
    ::mlir::Value getOutputRow() { return getBody().getArguments().back(); }
    /// Columns of a part.
    int64_t getPartColumns();
  }];
}

class Kernel_RowOp<string mnemonic, list<Trait> traits>
    : Kernel_Op<mnemonic, !listconcat([RecursiveMemoryEffects], traits)>;

def Kernel_ForColumnsOp : Kernel_RowOp<"for_columns", [
    HasParent<"MapRowsOp">, SingleBlock]> {
  let summary = "a loop over the columns of a row, in any order";
  let description = [{
    The region runs for the columns 0, ..., `sizes[0]` - 1. With two sizes, it
    runs for the columns 0, ..., `sizes[1]` - 1 of each of `sizes[0]` blocks of
    columns. An iteration must not depend on the stores of other iterations.

    Example:

    ```mlir
    kernel.for_columns [4, 8] {
    ^bb0(%block: index, %c: index):
      %v = memref.load %from[%c] : memref<32xf32, strided<[1], offset: ?>>
      memref.store %v, %to[%c] : memref<32xf32, strided<[1], offset: ?>>
      kernel.yield
    }
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$sizes);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sizes $body attr-dict";
  let hasVerifier = 1;
}

def Kernel_ReduceColumnsOp : Kernel_RowOp<"reduce_columns", [
    HasParent<"MapRowsOp">, SingleBlock]> {
  let summary = "the sum or the maximum over the columns of a row";
  let description = [{
    Combines the values that the region yields for the columns
    0, ..., `size` - 1, in any order. On CPUs sums are computed in f64.

    Example:

    ```mlir
    %largest = kernel.reduce_columns max 32 {
    ^bb0(%c: index):
      %v = memref.load %from[%c] : memref<32xf32, strided<[1], offset: ?>>
      kernel.yield %v : f32
    }
    ```
  }];
  let arguments = (ins Kernel_ReductionAttr:$kind,
                       ConfinedAttr<I64Attr, [IntPositive]>:$size);
  let results = (outs F32:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$kind $size $body attr-dict";
  let hasVerifier = 1;
}

def Kernel_DotColumnsOp : Kernel_RowOp<"dot_columns", [
    HasParent<"MapRowsOp">, SingleBlock]> {
  let summary = "inner products over the columns of a row";
  let description = [{
    Result i is the dot product of values 2i and 2i + 1 that the region yields
    for the columns 0, ..., `size` - 1, computed in f32 and in any order.

    Example:

    ```mlir
    %dot = kernel.dot_columns 32 {
    ^bb0(%c: index):
      %v = memref.load %from[%c] : memref<32xf32, strided<[1], offset: ?>>
      kernel.yield %v, %v : f32, f32
    } : f32
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntPositive]>:$size);
  let results = (outs Variadic<F32>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$size $body attr-dict `:` type($results)";
  let hasVerifier = 1;
}

def Kernel_SumRangeOp : Kernel_RowOp<"sum_range", [
    HasParent<"ForColumnsOp">, SingleBlock]> {
  let summary = "the sum over a range of columns, for one column of the output";
  let description = [{
    The sum, computed in f64, of the values that the region yields for the
    columns `begin`, ..., `end` - 1. The range has at least one column,
    typically `typical`. The last size of the surrounding `kernel.for_columns`
    must be 1.

    Example:

    ```mlir
    %sum = kernel.sum_range %begin to %end typical 3 {
    ^bb0(%c: index):
      %v = memref.load %from[%c] : memref<32xf32, strided<[1], offset: ?>>
      kernel.yield %v : f32
    }
    ```
  }];
  let arguments = (ins Index:$begin, Index:$end,
                       ConfinedAttr<I64Attr, [IntPositive]>:$typical);
  let results = (outs F32:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$begin `to` $end `typical` $typical $body attr-dict";
  let hasVerifier = 1;
}

def Kernel_SumRowsOp : Kernel_RowOp<"sum_rows", [
    ParentOneOf<["MapRowsOp", "ForColumnsOp"]>, SingleBlock]> {
  let summary = "sums over the rows that a row of the output depends on";
  let description = [{
    Result i is the sum of value i that the region yields for each row of
    `rows`, an argument of `kernel.map_rows`. Values in f32 are added in f32 for
    a few rows at a time; these partial sums are added in f64.

    Example:

    ```mlir
    %sum = kernel.sum_rows %rows {
    ^bb0(%row: memref<4xf32, strided<[1], offset: ?>>):
      %v = memref.load %row[%c] : memref<4xf32, strided<[1], offset: ?>>
      kernel.yield %v : f32
    } : memref<?x4xf32, strided<[8, 1], offset: ?>> -> f64
    ```
  }];
  let arguments = (ins MemRefRankOf<[F32], [2]>:$rows);
  let results = (outs Variadic<F64>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $rows $body attr-dict `:` type($rows) `->` type($results)
  }];
  let hasVerifier = 1;
}

def Kernel_ReduceRowsOp : Kernel_Op<"reduce_rows", [
    AttrSizedOperandSegments, IsolatedFromAbove, Kernel_Outlined,
    SingleBlock]> {
  let summary = "sums over the rows, for each column";
  let description = [{
    Element (s, c) of output i is the sum of value i that the region yields for
    the rows of slice s and for the columns c, c + w, ... of `blocks` blocks,
    where w is the number of columns of each output. The outputs have a row for
    each slice. All slices but the last ones have the same number of rows: the
    number of rows divided by that of slices, rounded up. With `accumulate`, the
    sums are added to the outputs. No output may be an input.

    The first argument of the region is the number of the column, counted over
    all blocks. One argument for each input follows, as in `kernel.map_rows`.
    The region may contain the operations that `kernel.map_rows` allows outside
    of its loops over columns.

    `scratch` is a buffer for partial sums (`kernel-split-reductions`).

    Example:

    ```mlir
    kernel.reduce_rows ins(%x : memref<36x32xf32, strided<[32, 1], offset: ?>>) outs(%y : memref<1x32xf32, strided<[32, 1], offset: ?>>) {
    ^bb0(%c: index, %row: memref<32xf32, strided<[1], offset: ?>>):
      %v = memref.load %row[%c] : memref<32xf32, strided<[1], offset: ?>>
      %s = arith.mulf %v, %v : f32
      kernel.yield %s : f32
    }
    ```
  }];
  let arguments = (ins
    Arg<Variadic<Kernel_RowOperand>, "", [MemRead]>:$inputs,
    Arg<Variadic<Kernel_Matrix>, "", [MemRead, MemWrite]>:$outputs,
    Arg<Optional<Kernel_Vector>, "", [MemRead, MemWrite]>:$scratch,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$blocks,
    UnitAttr:$accumulate);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $outputs `:` type($outputs) `)`
    (`scratch` `(` $scratch^ `:` type($scratch) `)`)?
    (`blocks` $blocks^)? (`accumulate` $accumulate^)? $body attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Number of rows of the inputs, and number of columns of each output.
    int64_t getNumRows();
    int64_t getNumColumns();
    /// Number of slices of rows.
    int64_t getNumSlices();
  }];
}

def Kernel_SoftmaxOp : Kernel_Op<"softmax", [Pure, HasParent<"MapRowsOp">]> {
  let summary = "the softmax of its operands";
  let description = [{
    Result i is exp(value i - max) / sum over j of exp(value j - max).

    Example:

    ```mlir
    %weights:2 = kernel.softmax %a, %b : f32, f32
    ```
  }];
  let arguments = (ins Variadic<F32>:$values);
  let results = (outs Variadic<F32>:$results);
  let assemblyFormat = "$values attr-dict `:` type($results)";
  let hasVerifier = 1;
}

#endif // NNET3_DIALECT_KERNEL_IR_KERNELROWOPS_TD

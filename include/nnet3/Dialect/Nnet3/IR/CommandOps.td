//===- CommandOps.td - Computations and their commands -----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_COMMANDOPS_TD
#define NNET3_DIALECT_NNET3_IR_COMMANDOPS_TD

include "nnet3/Dialect/Nnet3/IR/CommandBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

def Nnet3_ComputationOp : Nnet3_Op<"computation", [
    Nnet3_CommandPhase, Symbol, IsolatedFromAbove, NoTerminator, SingleBlock,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let opDocGroup = Nnet3_CommandDocs;
  let summary = "the matrix commands that compute a request";
  let description = [{
    Contains straight-line commands. A matrix is a `memref<RxCxf32>`, and a
    slice of its rows and columns is a `nnet3.sub_matrix` view. Commands before
    the `no_operation_marker` are the forward pass, commands after it the
    backward pass.

    Example:

    ```mlir
    nnet3.computation @chunk for @net {
      %m1 = nnet3.accept_input "input" : memref<10x4xf32>
      %m2 = nnet3.alloc_matrix_zeroed : memref<10x4xf32>
      nnet3.propagate @net::@relu ins(%m1 : memref<10x4xf32>) outs(%m2 : memref<10x4xf32>)
      nnet3.provide_output "output", %m2 : memref<10x4xf32>
      nnet3.dealloc_matrix %m1 : memref<10x4xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$network,
                       UnitAttr:$need_model_derivative);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `for` $network
    (`need_model_derivative` $need_model_derivative^)?
    attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

def Nnet3_AllocMatrixZeroedOp : Nnet3_CommandOp<"alloc_matrix_zeroed"> {
  let summary = "allocates a matrix and zero-fills it";
  let description = [{
    Kaldi: kAllocMatrix then kSetConst 0 (kAllocMatrixZeroed in older code).

    Example:

    ```mlir
    %m = nnet3.alloc_matrix_zeroed : memref<36x110xf32>
    ```
  }];
  let results = (outs Res<Nnet3_Matrix, "", [MemAlloc, MemWrite]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Nnet3_AllocMatrixUndefinedOp : Nnet3_CommandOp<"alloc_matrix_undefined"> {
  let summary = "allocates a matrix with undefined contents";
  let description = [{
    Kaldi: kAllocMatrix (kAllocMatrixUndefined in older code).

    Example:

    ```mlir
    %m = nnet3.alloc_matrix_undefined : memref<36x110xf32>
    ```
  }];
  let results = (outs Res<Nnet3_Matrix, "", [MemAlloc]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Nnet3_DeallocMatrixOp : Nnet3_CommandOp<"dealloc_matrix"> {
  let summary = "frees the storage of a matrix";
  let description = [{
    Kaldi: kDeallocMatrix. The operand is a whole matrix.

    Example:

    ```mlir
    nnet3.dealloc_matrix %m : memref<36x110xf32>
    ```
  }];
  let arguments = (ins Arg<Nnet3_Matrix, "", [MemFree]>:$matrix);
  let assemblyFormat = "$matrix attr-dict `:` type($matrix)";
  let hasVerifier = 1;
}

def Nnet3_SubMatrixOp : Nnet3_CommandOp<"sub_matrix", [
    Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "a view of some rows and columns of a matrix";
  let description = [{
    The view has rows [row_offset, row_offset + R) and columns [col_offset,
    col_offset + C) of the source, where R x C is the shape of the result.

    Example:

    ```mlir
    %v = nnet3.sub_matrix %m[0, 20] : memref<36x110xf32> to memref<36x20xf32, strided<[110, 1], offset: 20>>
    ```
  }];
  let arguments = (ins Nnet3_Matrix:$source, I64Prop:$row_offset,
                       I64Prop:$col_offset);
  let results = (outs Nnet3_Matrix:$result);
  let assemblyFormat = [{
    $source `[` $row_offset `,` $col_offset `]` attr-dict `:` type($source)
    `to` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$source,
      "int64_t":$rowOffset, "int64_t":$numRows, "int64_t":$colOffset,
      "int64_t":$numCols)>];
}

def Nnet3_MoveMatrixOp : Nnet3_CommandOp<"move_matrix", [
    SameOperandsAndResultType]> {
  let summary = "moves a matrix's storage to a new value";
  let description = [{
    Kaldi: kSwapMatrix, used as a move: the operand is dead afterwards and the
    result has its storage.

    Example:

    ```mlir
    %b = nnet3.move_matrix %a : memref<36x110xf32>
    ```
  }];
  let arguments = (ins Arg<Nnet3_Matrix, "", [MemFree]>:$source);
  let results = (outs Res<Nnet3_Matrix, "", [MemAlloc]>:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
  let hasVerifier = 1;
}

def Nnet3_SetConstOp : Nnet3_CommandOp<"set_const"> {
  let summary = "sets every element to a constant";
  let description = [{
    Kaldi: kSetConst.

    Example:

    ```mlir
    nnet3.set_const %m, 1.000000e+00 : memref<36x110xf32>
    ```
  }];
  let arguments = (ins Arg<Nnet3_Matrix, "", [MemWrite]>:$matrix,
                       F32Attr:$value);
  let assemblyFormat = "$matrix `,` $value attr-dict `:` type($matrix)";
}

def Nnet3_CompressMatrixOp : Nnet3_CommandOp<"compress_matrix"> {
  let summary = "replaces a matrix by a compressed copy";
  let description = [{
    Kaldi: kCompressMatrix. The element type of the result determines the number
    of bits and the signedness. `range` is the value that the largest integer
    represents; other values are rounded. With a range of 0, elements above 0
    are stored as 1, all others as 0. `truncate` states that some values may be
    out of range; they are clipped with and without it. The operand is dead
    afterwards.

    Example:

    ```mlir
    %c = nnet3.compress_matrix %m range 1.000000e+00 truncate : memref<36x110xf32> -> !nnet3.compressed<36x110xui8>
    ```
  }];
  let arguments = (ins Arg<Nnet3_Matrix, "", [MemRead, MemFree]>:$matrix,
                       F32Attr:$range, UnitAttr:$truncate);
  let results = (outs Nnet3_CompressedType:$result);
  let assemblyFormat = [{
    $matrix `range` $range (`truncate` $truncate^)? attr-dict `:`
    type($matrix) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Nnet3_DecompressMatrixOp : Nnet3_CommandOp<"decompress_matrix"> {
  let summary = "restores a matrix from its compressed copy";
  let description = [{
    Kaldi: kDecompressMatrix.

    Example:

    ```mlir
    %m = nnet3.decompress_matrix %c : !nnet3.compressed<36x110xui8> -> memref<36x110xf32>
    ```
  }];
  let arguments = (ins Nnet3_CompressedType:$compressed);
  let results = (outs Res<Nnet3_Matrix, "", [MemAlloc, MemWrite]>:$result);
  let assemblyFormat = [{
    $compressed attr-dict `:` qualified(type($compressed)) `->`
    type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

/// The number of a command among the commands of its kind that draw random
/// numbers (nnet3-number-draws). The generator reserves 30 bits for it.
def Nnet3_Draw : OptionalAttr<ConfinedAttr<I64Attr,
    [IntNonNegative, IntMaxValue<1073741823>]>>;

class Nnet3_ComponentCommandOp<string mnemonic, list<Trait> traits = []>
    : Nnet3_CommandOp<mnemonic, !listconcat(
        [DeclareOpInterfaceMethods<SymbolUserOpInterface>], traits)>;

def Nnet3_PropagateOp : Nnet3_ComponentCommandOp<"propagate", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the forward pass of a component";
  let description = [{
    Kaldi: kPropagate. Writes `output`, or adds to it if the component's
    properties have `propagate_adds`. The operands may be the same matrix if
    they have `propagate_in_place`. Components without inputs have no `ins`.
    The optional result is the memo for the backward pass. `precomputed` has the
    data that the component computed from the indexes of its rows. `draw`
    selects the random numbers of the component (`nnet3-number-draws`).

    Example:

    ```mlir
    nnet3.propagate @net::@affine1 ins(%m3 : memref<36x110xf32>) outs(%m4 : memref<36x32xf32>)
    ```
  }];
  let arguments = (ins SymbolRefAttr:$component,
                       Optional<Nnet3_Matrix>:$input, Nnet3_Matrix:$output,
                       OptionalAttr<DictionaryAttr>:$precomputed,
                       Nnet3_Draw:$draw);
  let results = (outs Optional<Nnet3_MemoType>:$memo);
  let assemblyFormat = [{
    $component (`ins` `(` $input^ `:` type($input) `)`)?
    `outs` `(` $output `:` type($output) `)`
    (`precomputed` $precomputed^)? (`draw` $draw^)? attr-dict
    (`->` qualified(type($memo))^)?
  }];
}

def Nnet3_StoreStatsOp : Nnet3_ComponentCommandOp<"store_stats", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "stores a component's activation statistics";
  let description = [{
    Kaldi: kStoreStats, or the flag of kPropagate in the newer reference.
    `input` is absent when the component ran in place.

    Example:

    ```mlir
    nnet3.store_stats @net::@relu1 ins(%m5 : memref<36x32xf32>) outs(%m6 : memref<36x32xf32>)
    ```
  }];
  let arguments = (ins SymbolRefAttr:$component,
                       Optional<Nnet3_Matrix>:$input, Nnet3_Matrix:$output,
                       Optional<Nnet3_MemoType>:$memo, Nnet3_Draw:$draw);
  let assemblyFormat = [{
    $component (`ins` `(` $input^ `:` type($input) `)`)?
    `outs` `(` $output `:` type($output) `)`
    (`memo` `(` $memo^ `:` qualified(type($memo)) `)`)? (`draw` $draw^)?
    attr-dict
  }];
}

def Nnet3_BackpropOp : Nnet3_ComponentCommandOp<"backprop", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the backward pass of a component";
  let description = [{
    Kaldi: kBackprop, or kBackpropNoModelUpdate without `update`. Input and
    output values are present if the component's properties require them. Writes
    `input_deriv`, or adds to it if the properties have `backprop_adds`;
    `input_deriv` is absent if only the derivative of the model is requested.

    In a loop, the times of the rows that are part of `precomputed` may depend
    on the iteration: `time_step` times `round` is added to its `first_time`.

    Example:

    ```mlir
    nnet3.backprop @net::@affine1 in_value(%m3 : memref<36x110xf32>) out_deriv(%m5 : memref<36x32xf32>) in_deriv(%m4 : memref<36x110xf32>) update
    ```
  }];
  let arguments = (ins SymbolRefAttr:$component,
                       Optional<Nnet3_Matrix>:$input_value,
                       Optional<Nnet3_Matrix>:$output_value,
                       Nnet3_Matrix:$output_deriv,
                       Optional<Nnet3_Matrix>:$input_deriv,
                       Optional<Nnet3_MemoType>:$memo,
                       Optional<Index>:$round,
                       OptionalAttr<DictionaryAttr>:$precomputed,
                       OptionalAttr<I64Attr>:$time_step, UnitAttr:$update,
                       Nnet3_Draw:$draw);
  let assemblyFormat = [{
    $component (`in_value` `(` $input_value^ `:` type($input_value) `)`)?
    (`out_value` `(` $output_value^ `:` type($output_value) `)`)?
    `out_deriv` `(` $output_deriv `:` type($output_deriv) `)`
    (`in_deriv` `(` $input_deriv^ `:` type($input_deriv) `)`)?
    (`memo` `(` $memo^ `:` qualified(type($memo)) `)`)?
    (`precomputed` $precomputed^)? (`time` `+` $time_step^ `*` $round)?
    (`update` $update^)? (`draw` $draw^)? attr-dict
  }];
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::SymbolRefAttr":$component,
      "::mlir::Value":$inputValue, "::mlir::Value":$outputValue,
      "::mlir::Value":$outputDeriv, "::mlir::Value":$inputDeriv,
      "::mlir::Value":$memo, "::mlir::DictionaryAttr":$precomputed,
      "bool":$update, "::mlir::IntegerAttr":$draw)>];
}

//===----------------------------------------------------------------------===//
// Input, output, markers, loops
//===----------------------------------------------------------------------===//

/// The resource that inputs and outputs access: commands that exchange data
/// with the caller are neither dead nor reordered.
def Nnet3_Caller : Resource<"::mlir::nnet3::CallerResource">;

def Nnet3_AcceptInputOp : Nnet3_CommandOp<"accept_input", [
    MemoryEffects<[MemRead<Nnet3_Caller>, MemWrite<Nnet3_Caller>]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "takes a matrix from the caller";
  let description = [{
    Kaldi: kAcceptInput. The matrix has the values of an input node, or the
    derivative of an output node. The computation owns it from then on.

    Example:

    ```mlir
    %m1 = nnet3.accept_input "input" : memref<10x4xf32>
    ```
  }];
  let arguments = (ins StrAttr:$node);
  let results = (outs Res<Nnet3_Matrix, "", [MemAlloc, MemWrite]>:$result);
  let assemblyFormat = "$node attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Nnet3_ProvideOutputOp : Nnet3_CommandOp<"provide_output", [
    MemoryEffects<[MemWrite<Nnet3_Caller>]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "makes a matrix available to the caller";
  let description = [{
    Kaldi: kProvideOutput. The matrix has the values of an output node, or the
    derivative of an input node. The operand is a whole matrix, not a view.

    Example:

    ```mlir
    nnet3.provide_output "output", %m2 : memref<10x4xf32>
    ```
  }];
  let arguments = (ins StrAttr:$node,
                       Arg<Nnet3_Matrix, "", [MemRead]>:$matrix);
  let assemblyFormat = "$node `,` $matrix attr-dict `:` type($matrix)";
  let hasVerifier = 1;
}

class Nnet3_NoOperationCommandOp<string mnemonic>
    : Nnet3_CommandOp<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let assemblyFormat = "attr-dict";
}

def Nnet3_NoOperationOp : Nnet3_NoOperationCommandOp<"no_operation"> {
  let summary = "does nothing; may be removed";
  let description = [{
    Kaldi: kNoOperation.

    Example:

    ```mlir
    nnet3.no_operation
    ```
  }];
  let hasCanonicalizeMethod = 1;
}

def Nnet3_NoOperationPermanentOp
    : Nnet3_NoOperationCommandOp<"no_operation_permanent"> {
  let summary = "does nothing; must not be removed";
  let description = [{
    Kaldi: kNoOperationPermanent. It follows the inputs of a segment, where a
    streaming computation can be cut into a loop.

    Example:

    ```mlir
    nnet3.no_operation_permanent
    ```
  }];
}

def Nnet3_NoOperationMarkerOp
    : Nnet3_NoOperationCommandOp<"no_operation_marker"> {
  let summary = "separates forward and backward pass, or segments";
  let description = [{
    Kaldi: kNoOperationMarker.

    Example:

    ```mlir
    nnet3.no_operation_marker
    ```
  }];
}

def Nnet3_ElidedRoundsOp : Nnet3_CommandOp<"elided_rounds", [
    AttrSizedOperandSegments]> {
  let summary = "stands for rounds of a recurrence without commands";
  let description = [{
    The compiler emits few rounds of a recurrence, at its beginning and its end,
    and this operation between them. The `count` rounds in between have the same
    commands, on rows that move by constant distances from round to round.
    `nnet3-roll-loops` makes a loop of all rounds. In the forward and in the
    backward pass, the operation names the rows, of matrices that other commands
    use too, that the rounds in between read or write. They add to rows that
    are both. With `reuse_storage`, matrices are to take over the storage of
    freed ones then.

    Example:

    ```mlir
    nnet3.elided_rounds 40 reads(%input : memref<40x20xf32>) writes(%rows : memref<40x20xf32>)
    ```
  }];
  let arguments = (ins
      ConfinedAttr<I64Attr, [IntPositive, IntMaxValue<2147483647>]>:$count,
      Arg<Variadic<Nnet3_Matrix>, "", [MemRead]>:$read,
      Arg<Variadic<Nnet3_Matrix>, "", [MemWrite]>:$written,
      UnitAttr:$reuse_storage);
  let assemblyFormat = [{
    $count (`reuse_storage` $reuse_storage^)? (`reads` `(` $read^ `:` type($read) `)`)?
    (`writes` `(` $written^ `:` type($written) `)`)? attr-dict
  }];
}

def Nnet3_KeepRowsOp : Nnet3_CommandOp<"keep_rows"> {
  let summary = "reads rows behind rounds of which some are elided";
  let description = [{
    Later commands read rows of the matrices, which the rounds of a recurrence
    have written, but not the rows of all rounds. To passes, this operation
    reads the rows of all rounds, so that they treat all rounds alike.
    `nnet3-roll-loops` removes it once no rounds are elided.

    Example:

    ```mlir
    nnet3.keep_rows %states : memref<40x20xf32>
    ```
  }];
  let arguments = (ins Arg<Variadic<Nnet3_Matrix>, "", [MemRead]>:$matrices);
  let assemblyFormat = [{
    $matrices `:` type($matrices) attr-dict
  }];
}

def Nnet3_LoopOp : Nnet3_CommandOp<"loop", [
    NoTerminator, SingleBlock, RecursiveMemoryEffects]> {
  let summary = "repeats commands for a number of iterations";
  let description = [{
    Represents the steps of a recurrence (`nnet3-roll-loops`). The argument of
    the body is the number of the iteration, from 0 on. An iteration passes data
    to the next one, or to commands after the loop, in matrices that are
    allocated outside of the loop; matrices that the body allocates are freed in
    the same iteration.

    Example:

    ```mlir
    nnet3.loop %round to 9 {
      %from = nnet3.moving_sub_matrix %m[0 + 1 * %round, 0] : memref<10x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
      %to = nnet3.moving_sub_matrix %m[1 + 1 * %round, 0] : memref<10x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
      nnet3.matrix_add %from into %to : memref<1x4xf32, strided<[4, 1], offset: ?>> into memref<1x4xf32, strided<[4, 1], offset: ?>>
    }
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr,
      [IntPositive, IntMaxValue<2147483647>]>:$count);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The argument of the body with the number of the iteration.
    ::mlir::BlockArgument getRound() { return getBody().getArgument(0); }
  }];
}

def Nnet3_MovingSubMatrixOp : Nnet3_CommandOp<"moving_sub_matrix", [
    Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "a view whose row offset depends on the iteration of a loop";
  let description = [{
    The view has rows [row_offset + row_step * round, ... + R) and columns
    [col_offset, col_offset + C) of the source, where R x C is the shape of the
    result. `round` is the argument of a surrounding loop. The view must be
    within the source in all iterations.

    Example:

    ```mlir
    %v = nnet3.moving_sub_matrix %m[2 + 3 * %round, 20] : memref<36x110xf32> to memref<3x20xf32, strided<[110, 1], offset: ?>>
    ```
  }];
  let arguments = (ins Nnet3_Matrix:$source, Index:$round, I64Prop:$row_offset,
                       I64Prop:$row_step, I64Prop:$col_offset);
  let results = (outs Nnet3_Matrix:$result);
  let assemblyFormat = [{
    $source `[` $row_offset `+` $row_step `*` $round `,` $col_offset `]`
    attr-dict `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$source,
      "::mlir::Value":$round, "int64_t":$rowOffset, "int64_t":$rowStep,
      "int64_t":$numRows, "int64_t":$colOffset, "int64_t":$numCols)>];
}

#endif // NNET3_DIALECT_NNET3_IR_COMMANDOPS_TD

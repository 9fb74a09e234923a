//===- KernelOps.td - Operations of the kernel dialect -----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_KERNEL_IR_KERNELOPS_TD
#define NNET3_DIALECT_KERNEL_IR_KERNELOPS_TD

include "nnet3/Dialect/Kernel/IR/KernelAttributes.td"
include "nnet3/Dialect/Kernel/IR/KernelDeviceOps.td"
include "nnet3/Dialect/Kernel/IR/KernelProgramOps.td"
include "nnet3/Dialect/Kernel/IR/KernelRowOps.td"
include "nnet3/Dialect/Kernel/IR/KernelTypes.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Kernel_IndexedRowsOp : Kernel_Op<"indexed_rows", [Pure]> {
  let summary = "a view of the rows at the offsets that a table lists";
  let description = [{
    Row r begins at offset `table[begin + r]` of the arena. A negative offset
    denotes an absent row, which reads as zeros and is not written.

    Example:

    ```mlir
    %rows = kernel.indexed_rows %arena, %table[%begin] : memref<288xf32>, memref<7xi32> to !kernel.rows<3x4>
    ```
  }];
  let arguments = (ins Kernel_Arena:$arena, Kernel_Table:$table, Index:$begin);
  let results = (outs Kernel_RowsType:$result);
  let assemblyFormat = [{
    $arena `,` $table `[` $begin `]` `:` type($arena) `,` type($table) `to`
    type($result) attr-dict
  }];
  let hasVerifier = 1;
}

def Kernel_NarrowOp : Kernel_Op<"narrow", [Pure]> {
  let summary = "a view of a matrix's memory as i8 or i16 elements";
  let description = [{
    Row i of the result begins at the address of row i of the matrix. Each f32
    of the matrix holds four i8 or two i16.

    Example:

    ```mlir
    %bytes = kernel.narrow %x : memref<9x4xf32, strided<[4, 1], offset: ?>> to memref<9x16xi8, strided<[16, 1], offset: ?>>
    ```
  }];
  let arguments = (ins Kernel_Matrix:$matrix);
  let results = (outs Kernel_NarrowMatrix:$result);
  let assemblyFormat = "$matrix `:` type($matrix) `to` type($result) attr-dict";
  let hasVerifier = 1;
}

def Kernel_YieldOp : Kernel_Op<"yield", [
    Pure, ReturnLike, Terminator,
    ParentOneOf<["DotColumnsOp", "ForColumnsOp", "GemmOp", "GemvOp", "LaunchOp",
                 "MapOp", "MapRowsOp", "ReduceColumnsOp", "ReduceRowsOp",
                 "SumRangeOp", "SumRowsOp"]>]> {
  let summary = "yields the results of a region";
  let description = [{
    Terminates a region of an operation of this dialect. For an elementwise
    operation, the values are one element of each output.

    Example:

    ```mlir
    kernel.yield %y : f32
    ```
  }];
  let arguments = (ins Variadic<AnyTypeOf<[F32, F64, I8, I16]>>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Kernel_MapOp : Kernel_Op<"map", [
    AttrSizedOperandSegments, IsolatedFromAbove, Kernel_Outlined,
    SingleBlock]> {
  let summary = "applies a scalar function to each element";
  let description = [{
    The region computes element (r, c) of each output from element (r, c) of
    each input. All outputs have the same shape. The inputs may have fewer rows
    or columns:

    * a vector has one value for each column; if its length is a divisor of the
      number of columns, it is repeated;
    * a matrix of one column has one value for each row;
    * a matrix whose number of rows is a divisor of that of the outputs is
      repeated;
    * a three-dimensional view has the rows of one group after the other.

    With `accumulate`, the result is added to the output, and an output row is
    not changed if a row of an input is absent. An output may be the same view
    as an input, but must not overlap with an input otherwise.

    `alignment`, a number of floats, divides the offset of each row of operands
    with more than one column, and the number of columns
    (`kernel-infer-alignment`). A map with a `form` runs only if the device's
    library adds the bias of the matmul before it (`fused`), or only if it does
    not (`apart`).

    The region holds constants and operations that compute vectors element by
    element. It computes scalars; each target decides how many of them it
    computes at once.

    Example:

    ```mlir
    kernel.map ins(%x, %scale : memref<36x32xf32, strided<[32, 1], offset: ?>>, memref<32xf32, strided<[1], offset: ?>>) outs(%y : memref<36x32xf32, strided<[32, 1], offset: ?>>) {
    ^bb0(%a: f32, %b: f32):
      %p = arith.mulf %a, %b : f32
      kernel.yield %p : f32
    }
    ```
  }];
  let arguments = (ins
    Arg<Variadic<Kernel_MapInput>, "", [MemRead]>:$inputs,
    Arg<Variadic<Kernel_MapOutput>, "", [MemRead, MemWrite]>:$outputs,
    UnitAttr:$accumulate,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$alignment,
    OptionalAttr<Kernel_FormAttr>:$form);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)` (`accumulate` $accumulate^)?
    (`alignment` $alignment^)? (`form` $form^)? $body attr-dict
  }];
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$inputs,
      "::mlir::ValueRange":$outputs, "bool":$accumulate,
      "::llvm::function_ref<::llvm::SmallVector<::mlir::Value>("
      "::mlir::OpBuilder &, ::mlir::Location, ::mlir::ValueRange)>":$body)>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Number of rows and columns of the outputs.
    int64_t getNumRows();
    int64_t getNumColumns();
  }];
}

def Kernel_GemvOp : Kernel_Op<"gemv", [
    AttrSizedOperandSegments, IsolatedFromAbove, Kernel_Outlined,
    SingleBlock]> {
  let summary = "matmuls of single rows with a scalar epilogue";
  let description = [{
    Computes s := sum_i x_i W_i^T, where row x_i is operand i of `rows` and W_i
    operand i of `weights`. The outputs have one row and the same number of
    columns, which divides s into blocks of as many columns. The region computes
    column c of each output from element c of each block of s, followed by
    element c of each input.

    No row x_i may overlap with an output. Any two other views must be equal or
    must not overlap. `alignment`, a number of floats, divides the offset and
    the number of columns of each x_i and of each row of a W_i
    (`kernel-infer-alignment`).

    Example:

    ```mlir
    kernel.gemv rows(%x : memref<1x20xf32, strided<[20, 1], offset: ?>>) weights(%w : memref<16x20xf32, strided<[20, 1], offset: ?>>) ins(%b : memref<8xf32, strided<[1], offset: ?>>) outs(%y : memref<1x8xf32, strided<[8, 1], offset: ?>>) {
    ^bb0(%s: f32, %t: f32, %bias: f32):
      %p = arith.mulf %s, %t : f32
      %q = arith.addf %p, %bias : f32
      kernel.yield %q : f32
    }
    ```
  }];
  let arguments = (ins
    Arg<Variadic<Kernel_Matrix>, "", [MemRead]>:$rows,
    Arg<Variadic<Kernel_Matrix>, "", [MemRead]>:$weights,
    Arg<Variadic<Kernel_MatrixOrVector>, "", [MemRead]>:$inputs,
    Arg<Variadic<Kernel_Matrix>, "", [MemRead, MemWrite]>:$outputs,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$alignment);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `rows` `(` $rows `:` type($rows) `)`
    `weights` `(` $weights `:` type($weights) `)`
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)`
    (`alignment` $alignment^)? $body attr-dict
  }];
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$rows,
      "::mlir::ValueRange":$weights, "::mlir::ValueRange":$inputs,
      "::mlir::ValueRange":$outputs,
      "::llvm::function_ref<::llvm::SmallVector<::mlir::Value>("
      "::mlir::OpBuilder &, ::mlir::Location, ::mlir::ValueRange)>":$body)>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Number of columns of the outputs, and number of blocks of the sums.
    int64_t getNumColumns();
    int64_t getNumBlocks();
  }];
}

def Kernel_GemmOp : Kernel_Op<"gemm", [
    AttrSizedOperandSegments, IsolatedFromAbove, Kernel_Outlined,
    SingleBlock]> {
  let summary = "a matmul on packed weights with a scalar epilogue";
  let description = [{
    Computes `output` := f(`init` + `bias` + sum_i X_i W_i^T), where X_i is
    input i and f is the region, which computes an element of the output from
    the accumulator and from the elements of `epilogue_inputs` at the same row
    and column.

    The weights are packed in panels of W consecutive columns of the output; the
    last panel may have fewer columns. A panel has one row of W values for each
    column of the inputs; the rows for input i begin at `panel_rows[i]`. The
    kernel computes tiles of `tile_rows` rows of the output and one panel. An
    `init` whose number of rows is a divisor of that of the output is repeated.
    An input of the epilogue is a matrix with the shape of the output, or a
    vector with one value for each column. With f32, an input may be the
    transpose of a matrix in memory.

    With a precision other than f32, each 32-bit word of the weights holds
    several values of consecutive columns. With bf16 and integers, the input
    rows are converted to the same format in the scratch buffer; fp16 weights
    are extended to f32 before they are multiplied. With integers, `scales` and
    `sums` have the scale and the integer sum of the weights of each column of
    the output.

    With `parallel`, threads share the work. If the target has several threads,
    they share the rows or the panels (`kernel-share-loops`). If it has one, the
    runtime divides the rows among the threads of an instance.

    Example:

    ```mlir
    kernel.gemm ins(%x : memref<36x20xf32, strided<[20, 1], offset: ?>>) panel_rows [0] weights(%w : memref<1x20x32xf32, strided<[640, 32, 1], offset: ?>>) bias(%b : memref<32xf32, strided<[1], offset: ?>>) outs(%y : memref<36x32xf32, strided<[32, 1], offset: ?>>) tile_rows 12 {
    ^bb0(%sum: f32):
      %r = math.absf %sum : f32
      kernel.yield %r : f32
    }
    ```
  }];
  let arguments = (ins
    Arg<Variadic<Kernel_GemmInput>, "", [MemRead]>:$inputs,
    DenseI64ArrayAttr:$panel_rows,
    Arg<Kernel_Panels, "", [MemRead]>:$weights,
    Arg<Optional<Kernel_Vector>, "", [MemRead]>:$bias,
    Arg<Optional<Kernel_Matrix>, "", [MemRead]>:$init,
    Arg<Variadic<Kernel_MatrixOrVector>, "", [MemRead]>:$epilogue_inputs,
    Arg<Optional<Kernel_Vector>, "", [MemRead, MemWrite]>:$scratch,
    Arg<Optional<Kernel_Vector>, "", [MemRead]>:$scales,
    Arg<Optional<Kernel_Vector>, "", [MemRead]>:$sums,
    Arg<Kernel_Matrix, "", [MemWrite]>:$output,
    ConfinedAttr<I64Attr, [IntPositive]>:$tile_rows,
    DefaultValuedAttr<Kernel_PrecisionAttr,
                      "::mlir::nnet3::kernel::Precision::F32">:$precision,
    UnitAttr:$parallel);
  let regions = (region SizedRegion<1>:$epilogue);
  let assemblyFormat = [{
    `ins` `(` $inputs `:` type($inputs) `)` `panel_rows` $panel_rows
    `weights` `(` $weights `:` type($weights) `)`
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`init` `(` $init^ `:` type($init) `)`)?
    (`epilogue` `(` $epilogue_inputs^ `:` type($epilogue_inputs) `)`)?
    (`scratch` `(` $scratch^ `:` type($scratch) `)`)?
    (`scales` `(` $scales^ `:` type($scales) `)`)?
    (`sums` `(` $sums^ `:` type($sums) `)`)?
    `outs` `(` $output `:` type($output) `)` `tile_rows` $tile_rows
    (`precision` $precision^)? (`parallel` $parallel^)? $epilogue attr-dict
  }];
  let hasVerifier = 1;
}

def Kernel_PackOp : Kernel_Op<"pack", [Kernel_Outlined]> {
  let summary = "packs a matrix into panels";
  let description = [{
    Copies a matrix into the panels that `kernel.gemm` reads: element (p, k, c)
    of `panels`, whose rows have W values, is element (k, p W + c) of `input`,
    or with `transposed` element (p W + c, k). The last panel is padded with
    zeros. `input` and `panels` must not overlap.

    Example:

    ```mlir
    kernel.pack transposed ins(%w : memref<20x16xf32, strided<[16, 1], offset: ?>>) outs(%p : memref<2x16x16xf32, strided<[256, 16, 1], offset: ?>>)
    ```
  }];
  let arguments = (ins UnitAttr:$transposed,
    Arg<Kernel_Matrix, "", [MemRead]>:$input,
    Arg<Kernel_Panels, "", [MemWrite]>:$panels);
  let assemblyFormat = [{
    (`transposed` $transposed^)? `ins` `(` $input `:` type($input) `)`
    `outs` `(` $panels `:` type($panels) `)` attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Number of rows of a panel, and number of columns of all panels.
    int64_t getDepth();
    int64_t getNumColumns();
  }];
}

def Kernel_RunComponentOp : Kernel_Op<"run_component", [Kernel_Outlined]> {
  let summary = "runs the runtime's kernel of a component";
  let description = [{
    The runtime computes the output, and reads the input if there is one.
    `call` is a position in the `calls` of `kernel.resources`, which names the
    component. `context` points to the runtime's data of this instance.

    Example:

    ```mlir
    kernel.run_component %call ins(%x : memref<3x4xf32, strided<[4, 1], offset: ?>>) outs(%y : memref<3x4xf32, strided<[4, 1], offset: ?>>) context(%context : !llvm.ptr)
    ```
  }];
  let arguments = (ins Index:$call,
    Arg<Optional<Kernel_Matrix>, "", [MemRead]>:$input,
    Arg<Kernel_Matrix, "", [MemWrite]>:$output,
    LLVM_AnyPointer:$runtime);
  let assemblyFormat = [{
    $call (`ins` `(` $input^ `:` type($input) `)`)?
    `outs` `(` $output `:` type($output) `)`
    `context` `(` $runtime `:` type($runtime) `)` attr-dict
  }];
}

#endif // NNET3_DIALECT_KERNEL_IR_KERNELOPS_TD

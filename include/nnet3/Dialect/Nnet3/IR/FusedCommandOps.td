//===- FusedCommandOps.td - Commands for code generation ---*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several commands in one, as generated code computes them. They come behind
// the optimisations, on the way to native code.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_DIALECT_NNET3_IR_FUSEDCOMMANDOPS_TD
#define NNET3_DIALECT_NNET3_IR_FUSEDCOMMANDOPS_TD

include "nnet3/Dialect/Nnet3/IR/CommandBase.td"
include "mlir/IR/SymbolInterfaces.td"

def Nnet3_FusedAffineOp : Nnet3_CommandOp<"fused_affine", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "an affine map, with what surrounds it";
  let description = [{
    `output` := f(`init` + bias + sum_i X_i W_i^T) + `residual_scale` *
    `residual`. Row r of X_i is the row of input i that entry r of its row table
    names, zeros where there is none; W_i is the columns of the component's
    weights from `columns[i]` on; the output has as many columns as the weights
    have rows. With `folded`, a component that scales columns
    and adds to them, weights and bias are those that compute it too. The bias is that of the component, if `bias`
    is there. f applies the components of `epilogue`, elementwise ones, one
    after another; those that have more columns do the same to each block of as
    many as the output has. The rows of an `init` with fewer rows, which divide
    those of the output, are added in turn: one row to every row. `init` and `residual` may be the same as `output`; inputs do
    not overlap it.

    Example:

    ```mlir
    nnet3.fused_affine @net::@tdnn1 ins(%a, %a : memref<38x4xf32>, memref<38x4xf32>) rows [#nnet3.row_table<0:35>, #nnet3.row_table<2:37>] columns [0, 4] bias epilogue [@net::@relu1] outs(%b : memref<36x4xf32>)
    ```
  }];
  let arguments = (ins SymbolRefAttr:$component,
                       Arg<Variadic<Nnet3_Matrix>, "", [MemRead]>:$inputs,
                       TypedArrayAttrBase<Nnet3_RowTableAttr,
                                          "row tables">:$rows,
                       DenseI64ArrayAttr:$columns, UnitAttr:$bias,
                       Arg<Optional<Nnet3_Matrix>, "", [MemRead]>:$init,
                       OptionalAttr<TypedArrayAttrBase<
                           SymbolRefAttr, "symbols">>:$epilogue,
                       Arg<Optional<Nnet3_Matrix>, "", [MemRead]>:$residual,
                       DefaultValuedAttr<F32Attr, "1.0f">:$residual_scale,
                       Arg<Nnet3_Matrix, "", [MemWrite]>:$output,
                       OptionalAttr<SymbolRefAttr>:$folded);
  let assemblyFormat = [{
    $component `ins` `(` $inputs `:` type($inputs) `)` `rows` $rows
    `columns` $columns (`bias` $bias^)? (`folded` $folded^)?
    (`init` `(` $init^ `:` type($init) `)`)?
    (`epilogue` $epilogue^)?
    (`residual` `(` $residual^ `:` type($residual) `)`)?
    (`scale` $residual_scale^)? `outs` `(` $output `:` type($output) `)`
    attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Names of the components of the epilogue.
    ::llvm::ArrayRef<::mlir::Attribute> getEpilogueSteps() {
      ::mlir::ArrayAttr steps = getEpilogueAttr();
      return steps ? steps.getValue() : ::llvm::ArrayRef<::mlir::Attribute>();
    }
  }];
}

#endif // NNET3_DIALECT_NNET3_IR_FUSEDCOMMANDOPS_TD

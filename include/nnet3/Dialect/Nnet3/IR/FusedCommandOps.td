//===- FusedCommandOps.td - Commands for code generation ---*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands that generated code computes in one pass over their output. Fusion
// creates them after the optimisations.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_DIALECT_NNET3_IR_FUSEDCOMMANDOPS_TD
#define NNET3_DIALECT_NNET3_IR_FUSEDCOMMANDOPS_TD

include "nnet3/Dialect/Nnet3/IR/CommandBase.td"
include "mlir/IR/SymbolInterfaces.td"

def Nnet3_FusedAffineOp : Nnet3_CommandOp<"fused_affine", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "an affine map with an epilogue and a residual";
  let description = [{
    Computes `output` := f(`init` + bias + sum_i X_i W_i^T) + `residual_scale` *
    `residual`. Row r of X_i is the row of input i that entry r of its row table
    names, or zeros if the entry names no row. W_i is a slice of columns of the
    component's weights, which begins at `columns[i]` and is as wide as input i.
    The output has one column for each row of the weights. With `bias`, the bias
    of the component is added. `folded` is a component that computes a scale and
    an offset for each column, which are folded into the weights and the bias.

    f applies the elementwise components of `epilogue` in their order. A
    component with more columns than the output must compute the same for each
    block of as many columns. An `init` whose number of rows is a divisor of
    that of the output is repeated. `init` and `residual` may be the same matrix
    as `output`; inputs must not overlap with it.

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

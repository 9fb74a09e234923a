//===- ConstantComponentOps.td - Trained constants ---------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_CONSTANTCOMPONENTOPS_TD
#define NNET3_DIALECT_NNET3_IR_CONSTANTCOMPONENTOPS_TD

include "nnet3/Dialect/Nnet3/IR/ComponentBase.td"

/// The constant, and whether it is trained.
defvar Nnet3_Constant = (ins
  OptionalAttr<Nnet3_Tensor>:$output,
  DefaultValuedAttr<BoolAttr, "true">:$is_updatable,
  DefaultValuedAttr<BoolAttr, "true">:$use_natural_gradient);

def Nnet3_ConstantOp : Nnet3_ComponentOp<"constant", "Constant",
    !con((ins Nnet3_PositiveI64:$output_dim), Nnet3_Constant, Nnet3_Updatable),
    ["initializeParameters", "getTensors", "getInputIndexes",
     "isComputable"]> {
  let summary = "a row that needs no input";
  let description = [{
    Kaldi: ConstantComponent. Every row of Y is `output`; no row of the input
    is read, so the input of its node may be anything of output_dim columns.

    Example:

    ```mlir
    nnet3.constant @constant {output_dim = 36}
    ```
  }];
}

def Nnet3_ConstantFunctionOp : Nnet3_ComponentOp<"constant_function",
    "ConstantFunction", !con((ins Nnet3_PositiveI64:$input_dim,
    Nnet3_PositiveI64:$output_dim), Nnet3_Constant, Nnet3_Updatable),
    ["initializeParameters", "getTensors"]> {
  let summary = "the same row, whatever the input";
  let description = [{
    Kaldi: ConstantFunctionComponent. Every row of Y is `output`; it is there
    for the rows that the input has.

    Example:

    ```mlir
    nnet3.constant_function @constant {input_dim = 48, output_dim = 36}
    ```
  }];
}

#endif // NNET3_DIALECT_NNET3_IR_CONSTANTCOMPONENTOPS_TD

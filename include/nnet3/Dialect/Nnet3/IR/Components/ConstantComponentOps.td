//===- ConstantComponentOps.td - Trained constants ---------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_COMPONENTS_CONSTANTCOMPONENTOPS_TD
#define NNET3_DIALECT_NNET3_IR_COMPONENTS_CONSTANTCOMPONENTOPS_TD

include "nnet3/Dialect/Nnet3/IR/Components/ComponentBase.td"

/// The constant row, and whether it is trained.
defvar Nnet3_Constant = (ins
  OptionalAttr<Nnet3_Tensor>:$output,
  DefaultValuedAttr<BoolAttr, "true">:$is_updatable,
  DefaultValuedAttr<BoolAttr, "true">:$use_natural_gradient);

def Nnet3_ConstantOp : Nnet3_UpdatableOp<"constant", "Constant",
    !con((ins Nnet3_PositiveI64:$output_dim), Nnet3_Constant),
    ["getInputIndexes", "isComputable"]> {
  let summary = "a constant row without an input";
  let description = [{
    Kaldi: ConstantComponent. Every row of Y is `output`. The component does not
    read its input, which may be any node with output_dim columns.

    Example:

    ```mlir
    nnet3.constant @constant {output_dim = 36}
    ```
  }];
  let inputDim = "output_dim";
  let properties = [{is_updatable ? Updatable : None}];
  let tensors = [
    Parameter<"output", ["output_dim"], "output_mean", "output_stddev">];
  let preconditioning = "use_natural_gradient ? Terms : None";
  let configKeys = (keys "output_dim", "is_updatable",
    "use_natural_gradient", InitKey<"output_mean", "Any", "0">,
    InitKey<"output_stddev", "NonNegative", "0">);
  let mayLackRate = 1;
  let fileTokens = (tokens "output", "is_updatable",
    "use_natural_gradient");
}

def Nnet3_ConstantFunctionOp : Nnet3_UpdatableOp<"constant_function",
    "ConstantFunction", !con((ins Nnet3_PositiveI64:$input_dim,
    Nnet3_PositiveI64:$output_dim), Nnet3_Constant)> {
  let summary = "a constant row for each row of the input";
  let description = [{
    Kaldi: ConstantFunctionComponent. Every row of Y is `output`. A row is
    computable if the row of the input is, although its values are not read.

    Example:

    ```mlir
    nnet3.constant_function @constant {input_dim = 48, output_dim = 36}
    ```
  }];
  let properties = [{Simple | BackpropAdds |
    (is_updatable ? Updatable : None) |
    (input_dim == output_dim ? PropagateInPlace : None)}];
  let tensors = [
    Parameter<"output", ["output_dim"], "output_mean", "output_stddev">];
  let preconditioning = "use_natural_gradient ? Terms : None";
  let configKeys = (keys "input_dim", "output_dim", "is_updatable",
    "use_natural_gradient", InitKey<"output_mean", "Any", "0">,
    InitKey<"output_stddev", "NonNegative", "0">);
  let mayLackRate = 1;
  let fileTokens = (tokens "input_dim", "output", "is_updatable",
    "use_natural_gradient");
}

#endif // NNET3_DIALECT_NNET3_IR_COMPONENTS_CONSTANTCOMPONENTOPS_TD

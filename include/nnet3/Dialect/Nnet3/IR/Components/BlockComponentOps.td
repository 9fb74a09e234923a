//===- BlockComponentOps.td - Affine maps of blocks --------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_COMPONENTS_BLOCKCOMPONENTOPS_TD
#define NNET3_DIALECT_NNET3_IR_COMPONENTS_BLOCKCOMPONENTOPS_TD

include "nnet3/Dialect/Nnet3/IR/Components/ComponentBase.td"

/// Attributes of all affine maps of blocks.
defvar Nnet3_BlockParams = (ins
  Nnet3_PositiveI64:$input_dim, Nnet3_PositiveI64:$output_dim,
  OptionalAttr<Nnet3_Tensor>:$linear_params,
  OptionalAttr<Nnet3_Tensor>:$bias_params);

def Nnet3_BlockAffineOp : Nnet3_UpdatableOp<"block_affine", "BlockAffine",
    !con(Nnet3_BlockParams, (ins Nnet3_PositiveI64:$num_blocks))> {
  let summary = "an affine map for each block of a row";
  let description = [{
    Kaldi: BlockAffineComponent. Block i of Y is b_i + X_i W_i^T, where W_i is
    row block i of W: output_dim x (input_dim / num_blocks) (`linear_params`)
    and b_i block i of b: output_dim (`bias_params`).

    Example:

    ```mlir
    nnet3.block_affine @blocks {input_dim = 48, num_blocks = 4, output_dim = 36}
    ```
  }];
  let properties = [{Simple | Updatable | BackpropNeedsInput | BackpropAdds}];
  let affineDim = "output_dim / num_blocks";
  let tensors = [
    Parameter<"linear_params", ["output_dim", "input_dim / num_blocks"], "0",
      "param_stddev">,
    Parameter<"bias_params", ["output_dim"], "bias_mean",
      "bias_stddev">];
  let limits = [Divides<"num_blocks", "input_dim">,
                 Divides<"num_blocks", "output_dim">];
  let configKeys = (keys "input_dim", "output_dim", "num_blocks",
    InitKey<"param_stddev", "NonNegative",
      "1 / std::sqrt(double(input_dim / num_blocks))">,
    Nnet3_BiasMean, Nnet3_BiasStddev);
  let fileTokens = (tokens "num_blocks", "linear_params", "bias_params",
    Token<"is_gradient", legacy = 1>);
}

def Nnet3_RepeatedAffineOp : Nnet3_UpdatableOp<"repeated_affine",
    "RepeatedAffine",
    !con(Nnet3_BlockParams, (ins Nnet3_PositiveI64:$num_repeats))> {
  let summary = "one affine map for all blocks of a row, plain gradient";
  let description = [{
    Kaldi: RepeatedAffineComponent. Block i of Y is b + X_i W^T, W:
    (output_dim / num_repeats) x (input_dim / num_repeats) (`linear_params`),
    b: output_dim / num_repeats (`bias_params`).

    Example:

    ```mlir
    nnet3.repeated_affine @repeated {input_dim = 48, num_repeats = 4, output_dim = 36}
    ```
  }];
  let properties = [{Simple | Updatable | BackpropNeedsInput | BackpropAdds |
    InputContiguous | OutputContiguous}];
  let affineDim = "output_dim / num_repeats";
  let tensors = [
    Parameter<"linear_params", ["output_dim / num_repeats", "input_dim / num_repeats"], "0",
      "param_stddev">,
    Parameter<"bias_params", ["output_dim / num_repeats"], "bias_mean",
      "bias_stddev">];
  let limits = [Divides<"num_repeats", "input_dim">,
                 Divides<"num_repeats", "output_dim">];
  let configKeys = (keys "input_dim", "output_dim", "num_repeats",
    InitKey<"param_stddev", "NonNegative",
      "1 / std::sqrt(double(input_dim / num_repeats))">,
    Nnet3_BiasMean, InitKey<"bias_stddev", "NonNegative", "0">);
  let fileTokens = (tokens "num_repeats", "linear_params", "bias_params",
    Token<"is_gradient", legacy = 1>);
}

def Nnet3_NaturalGradientRepeatedAffineOp : Nnet3_UpdatableOp<
    "natural_gradient_repeated_affine", "NaturalGradientRepeatedAffine",
    !con(Nnet3_BlockParams, (ins Nnet3_PositiveI64:$num_repeats))> {
  let summary = "one affine map for all blocks of a row, natural gradient";
  let description = [{
    Kaldi: NaturalGradientRepeatedAffineComponent, as
    `nnet3.repeated_affine`; the gradient of the parameters is preconditioned
    as a matrix with one row for each output column of a block.

    Example:

    ```mlir
    nnet3.natural_gradient_repeated_affine @repeated {input_dim = 48, num_repeats = 4, output_dim = 36}
    ```
  }];
  let properties = [{Simple | Updatable | BackpropNeedsInput | BackpropAdds |
    InputContiguous | OutputContiguous}];
  let affineDim = "output_dim / num_repeats";
  let tensors = [
    Parameter<"linear_params", ["output_dim / num_repeats", "input_dim / num_repeats"], "0",
      "param_stddev">,
    Parameter<"bias_params", ["output_dim / num_repeats"], "bias_mean",
      "bias_stddev">];
  let limits = [Divides<"num_repeats", "input_dim">,
                 Divides<"num_repeats", "output_dim">];
  let preconditioning = "Products";
  let configKeys = (keys "input_dim", "output_dim", "num_repeats",
    InitKey<"param_stddev", "NonNegative",
      "1 / std::sqrt(double(input_dim / num_repeats))">,
    Nnet3_BiasMean, InitKey<"bias_stddev", "NonNegative", "0">);
  let fileTokens = (tokens "num_repeats", "linear_params", "bias_params",
    Token<"is_gradient", legacy = 1>);
}

#endif // NNET3_DIALECT_NNET3_IR_COMPONENTS_BLOCKCOMPONENTOPS_TD

//===- AffineComponentOps.td - Affine components -----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_COMPONENTS_AFFINECOMPONENTOPS_TD
#define NNET3_DIALECT_NNET3_IR_COMPONENTS_AFFINECOMPONENTOPS_TD

include "nnet3/Dialect/Nnet3/IR/Components/ComponentBase.td"

def Nnet3_AffineOp : Nnet3_UpdatableOp<"affine", "Affine", (ins
    Nnet3_PositiveI64:$input_dim, Nnet3_PositiveI64:$output_dim,
    OptionalAttr<Nnet3_Tensor>:$linear_params,
    OptionalAttr<Nnet3_Tensor>:$bias_params,
    DefaultValuedAttr<F32Attr, "0.0f">:$orthonormal_constraint)> {
  let summary = "affine map, plain gradient";
  let description = [{
    Kaldi: AffineComponent. Y = 1 b^T + X W^T, W: output_dim x input_dim
    (`linear_params`), b: output_dim (`bias_params`).

    Example:

    ```mlir
    nnet3.affine @affine1 {input_dim = 48, output_dim = 36}
    ```
  }];
  let properties = "Simple | Updatable | BackpropNeedsInput | BackpropAdds";
  let affineDim = "output_dim";
  let tensors = [
    Parameter<"linear_params", ["output_dim", "input_dim"], "0", "param_stddev">,
    Parameter<"bias_params", ["output_dim"], "0", "bias_stddev">];
  let configKeys = (keys FileKey<"matrix", "Affine">, "input_dim", "output_dim",
    Nnet3_ParamStddev, Nnet3_BiasStddev, "orthonormal_constraint");
  let fileTokens = (tokens "linear_params", "bias_params",
    Token<"is_gradient", legacy = 1>,
    Token<"orthonormal_constraint", unless = "0">);
}

def Nnet3_NaturalGradientAffineOp : Nnet3_UpdatableOp<
    "natural_gradient_affine", "NaturalGradientAffine", (ins
    Nnet3_PositiveI64:$input_dim, Nnet3_PositiveI64:$output_dim,
    OptionalAttr<Nnet3_Tensor>:$linear_params,
    OptionalAttr<Nnet3_Tensor>:$bias_params,
    Nnet3_RankOr<20, "input_dim">:$rank_in,
    Nnet3_RankOr<80, "output_dim">:$rank_out,
    DefaultValuedAttr<F32Attr, "0.0f">:$orthonormal_constraint,
    DefaultValuedAttr<Nnet3_PositiveI64, "4">:$update_period,
    DefaultValuedAttr<F32Attr, "2000.0f">:$num_samples_history,
    DefaultValuedAttr<F32Attr, "4.0f">:$alpha)> {
  let summary = "affine map, natural gradient";
  let description = [{
    Kaldi: NaturalGradientAffineComponent, the standard affine layer.
    Y = 1 b^T + X W^T as `nnet3.affine`; its update is preconditioned on both
    sides. `rank_in` and `rank_out` default to min(20, (input_dim + 1) / 2) and
    min(80, (output_dim + 1) / 2).

    Example:

    ```mlir
    nnet3.natural_gradient_affine @affine1 {input_dim = 48, output_dim = 36}
    ```
  }];
  let properties = "Simple | Updatable | BackpropNeedsInput | BackpropAdds";
  let affineDim = "output_dim";
  let tensors = [
    Parameter<"linear_params", ["output_dim", "input_dim"], "0", "param_stddev">,
    Parameter<"bias_params", ["output_dim"], "bias_mean", "bias_stddev">];
  let preconditioning = "Rows";
  let configKeys = (keys FileKey<"matrix", "Affine">, "input_dim", "output_dim",
    Nnet3_ParamStddev, Nnet3_BiasStddev, Nnet3_BiasMean, "rank_in", "rank_out",
    "update_period", Nnet3_SamplesHistory, Nnet3_Alpha,
    "orthonormal_constraint");
  let fileTokens = (tokens "linear_params", "bias_params", "rank_in", "rank_out",
    Token<"orthonormal_constraint", unless = "0">, "update_period",
    "num_samples_history", "alpha", Legacy<"<MaxChangePerSample>", "Float">,
    Token<"is_gradient", legacy = 1>, Legacy<"<UpdateCount>", "Double">,
    Legacy<"<ActiveScalingCount>", "Double", 1>,
    Legacy<"<MaxChangeScaleStats>", "Double", 1>);
  let anyClosingToken = 1;
}

def Nnet3_LinearOp : Nnet3_UpdatableOp<"linear", "Linear", (ins
    Nnet3_PositiveI64:$input_dim, Nnet3_PositiveI64:$output_dim,
    OptionalAttr<Nnet3_Tensor>:$params,
    DefaultValuedAttr<F32Attr, "0.0f">:$orthonormal_constraint,
    DefaultValuedAttr<BoolAttr, "true">:$use_natural_gradient,
    Nnet3_RankOr<20, "input_dim">:$rank_in,
    Nnet3_RankOr<80, "output_dim">:$rank_out,
    DefaultValuedAttr<F32Attr, "4.0f">:$alpha,
    DefaultValuedAttr<F32Attr, "2000.0f">:$num_samples_history,
    DefaultValuedAttr<Nnet3_PositiveI64, "4">:$update_period)> {
  let summary = "linear map";
  let description = [{
    Kaldi: LinearComponent. Y += X W^T, W: output_dim x input_dim (`params`).
    As in Kaldi, training always uses natural gradient, also if
    `use_natural_gradient` is false.

    Example:

    ```mlir
    nnet3.linear @bottleneck {input_dim = 1536, orthonormal_constraint = -1.000000e+00 : f32, output_dim = 160}
    ```
  }];
  let properties = [{Simple | Updatable | BackpropNeedsInput | PropagateAdds |
    BackpropAdds}];
  let affineDim = "output_dim";
  let tensors = [
    Parameter<"params", ["output_dim", "input_dim"], "0", "param_stddev">];
  let preconditioning = "Rows";
  let configKeys = (keys FileKey<"matrix", "Linear">, "input_dim", "output_dim",
    Nnet3_ParamStddev, "rank_in", "rank_out", "update_period",
    Nnet3_SamplesHistory, Nnet3_Alpha, "use_natural_gradient",
    "orthonormal_constraint");
  let fileTokens = (tokens "params",
    Token<"orthonormal_constraint", unless = "0">, "use_natural_gradient",
    Nnet3_RankInOut, "alpha", "num_samples_history", "update_period");
}

def Nnet3_FixedAffineOp : Nnet3_ComponentOp<"fixed_affine", "FixedAffine", (ins
    Nnet3_PositiveI64:$input_dim, Nnet3_PositiveI64:$output_dim,
    OptionalAttr<Nnet3_Tensor>:$linear_params,
    OptionalAttr<Nnet3_Tensor>:$bias_params)> {
  let summary = "affine map that is never trained";
  let description = [{
    Kaldi: FixedAffineComponent. Y = 1 b^T + X W^T, for LDA or IDCT transforms.

    Example:

    ```mlir
    nnet3.fixed_affine @lda {init = {matrix = "lda.mat"}, input_dim = 60, output_dim = 60}
    ```
  }];
  let properties = "Simple | BackpropAdds";
  let affineDim = "output_dim";
  let tensors = [
    Parameter<"linear_params", ["output_dim", "input_dim"], "0", "1">,
    Parameter<"bias_params", ["output_dim"], "0", "1">];
  let configKeys = (keys FileKey<"matrix", "Affine">,
    Key<"input_dim", otherFlags = "NotWithFile">,
    Key<"output_dim", otherFlags = "NotWithFile">);
  let fileTokens = (tokens "linear_params", "bias_params");
}

def Nnet3_TdnnOp : Nnet3_UpdatableOp<"tdnn", "Tdnn", (ins
    Nnet3_PositiveI64:$input_dim, Nnet3_PositiveI64:$output_dim,
    DenseI64ArrayAttr:$time_offsets,
    OptionalAttr<Nnet3_Tensor>:$linear_params,
    OptionalAttr<Nnet3_Tensor>:$bias_params,
    DefaultValuedAttr<BoolAttr, "true">:$use_bias,
    DefaultValuedAttr<F32Attr, "0.0f">:$orthonormal_constraint,
    DefaultValuedAttr<BoolAttr, "true">:$use_natural_gradient,
    DefaultValuedAttr<F32Attr, "2000.0f">:$num_samples_history,
    DefaultValuedAttr<F32Attr, "4.0f">:$alpha_in,
    DefaultValuedAttr<F32Attr, "4.0f">:$alpha_out,
    Nnet3_RankOr<20, "time_offsets.size() * input_dim">:$rank_in,
    Nnet3_RankOr<80, "output_dim">:$rank_out),
    ["getInputIndexes", "isComputable", "reorderIndexes",
     "precomputeIndexes", "verifyConfiguration"]> {
  let summary = "affine map over several time offsets";
  let description = [{
    Kaldi: TdnnComponent. Y(t) = b + sum_i W_i X(t + time_offsets[i]); W:
    output_dim x (number of offsets * input_dim) (`linear_params`), column
    block i for offset i; without bias if `use_bias` is false.

    Example:

    ```mlir
    nnet3.tdnn @tdnn1 {input_dim = 40, output_dim = 64, time_offsets = array<i64: -1, 0, 1>}
    ```
  }];
  let properties = [{Updatable | ReordersIndexes | BackpropAdds |
    BackpropNeedsInput | (use_bias ? None : PropagateAdds)}];
  let affineDim = "output_dim";
  let precomputed = "verifyOffsets(time_offsets.size())";
  let tensors = [
    Parameter<"linear_params",
      ["output_dim", "time_offsets.size() * input_dim"], "0",
      "param_stddev < 0 ? 1 / std::sqrt(double(time_offsets.size() * input_dim)) : param_stddev">,
    Parameter<"bias_params", ["output_dim"], "bias_mean", "bias_stddev",
      "use_bias">];
  let preconditioning = "use_natural_gradient ? Rows : None";
  // A negative stddev selects the default.
  let configKeys = (keys "input_dim", "output_dim", "time_offsets",
    InitKey<"param_stddev", "Any", "-1">, Nnet3_BiasStddev, Nnet3_BiasMean,
    "use_bias", "orthonormal_constraint", "use_natural_gradient", "rank_in",
    "rank_out", Nnet3_AlphaIn, Nnet3_AlphaOut, Nnet3_SamplesHistory);
  let fileTokens = (tokens "time_offsets", "linear_params",
    Token<"bias_params", empty = "Unset">, "orthonormal_constraint",
    "use_natural_gradient", "num_samples_history",
    Token<"alpha_in", "<AlphaInOut>", "FloatPair", "alpha_out", mayBeAbsent = 1>,
    Token<"alpha_in", "<Alpha>", secondAttr = "alpha_out", instead = 1>,
    Nnet3_RankInOut);
  let completeFormat = "completeTdnn";
}

#endif // NNET3_DIALECT_NNET3_IR_COMPONENTS_AFFINECOMPONENTOPS_TD

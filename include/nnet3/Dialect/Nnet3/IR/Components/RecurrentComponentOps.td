//===- RecurrentComponentOps.td - Recurrent layers ---------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_COMPONENTS_RECURRENTCOMPONENTOPS_TD
#define NNET3_DIALECT_NNET3_IR_COMPONENTS_RECURRENTCOMPONENTOPS_TD

include "nnet3/Dialect/Nnet3/IR/Components/ComponentBase.td"

def Nnet3_LstmNonlinearityOp : Nnet3_UpdatableOp<"lstm_nonlinearity",
    "LstmNonlinearity", (ins Nnet3_PositiveI64:$cell_dim,
    DefaultValuedAttr<BoolAttr, "false">:$use_dropout,
    OptionalAttr<Nnet3_Tensor>:$params,
    OptionalAttr<Nnet3_Tensor>:$value_avg,
    OptionalAttr<Nnet3_Tensor>:$deriv_avg,
    OptionalAttr<Nnet3_Tensor>:$self_repair_config,
    OptionalAttr<Nnet3_Tensor>:$self_repair_prob,
    DefaultValuedAttr<F64Attr, "0.0">:$count)> {
  let summary = "the elementwise part of an LSTM cell";
  let description = [{
    Kaldi: LstmNonlinearityComponent, C = cell_dim. Input blocks i_part,
    f_part, c_part, o_part, c_prev of C columns, and with `use_dropout` three
    columns i_scale, f_scale, o_scale, which are 1 otherwise. The rows of
    `params` (3 x C) are w_ic, w_fc, w_oc:

    i = sigmoid(i_part + w_ic c_prev), f = sigmoid(f_part + w_fc c_prev),
    c = f f_scale c_prev + i i_scale tanh(c_part),
    o = sigmoid(o_part + w_oc c), m = o o_scale tanh(c). Output [c, m].

    `self_repair_config` holds five thresholds and five scales (for i, f,
    c_part, o, c).

    Example:

    ```mlir
    nnet3.lstm_nonlinearity @lstm {cell_dim = 512}
    ```
  }];
  let inputDim = "5 * cell_dim + (use_dropout ? 3 : 0)";
  let outputDim = "2 * cell_dim";
  let properties = "Simple | Updatable | BackpropNeedsInput";
  let tensors = [
    Parameter<"params", ["3", "cell_dim"], "0", "param_stddev">,
    ZeroStatistic<"value_avg", ["5", "cell_dim"]>,
    ZeroStatistic<"deriv_avg", ["5", "cell_dim"]>,
    Statistic<"self_repair_config", ["10"], [{sigmoid_self_repair_threshold,
        sigmoid_self_repair_threshold, tanh_self_repair_threshold,
        sigmoid_self_repair_threshold, tanh_self_repair_threshold,
        self_repair_scale, self_repair_scale, self_repair_scale,
        self_repair_scale, self_repair_scale}]>,
    ZeroStatistic<"self_repair_prob", ["5"]>];
  let preconditioning = "Sums";
  let configKeys = (keys "cell_dim", InitKey<"param_stddev", "NonNegative", "1">,
    InitKey<"tanh_self_repair_threshold", "UpToOne", "0.2">,
    InitKey<"sigmoid_self_repair_threshold", "UpToQuarter", "0.05">,
    InitKey<"self_repair_scale", "UpToTenth", "1e-5">, "use_dropout");
  let fileTokens = (tokens "params", Token<"value_avg", empty = "Zeros">,
    Token<"deriv_avg", empty = "Zeros">, "self_repair_config",
    Token<"self_repair_prob", empty = "Zeros">,
    Token<"use_dropout", unless = "0">, "count");
}

def Nnet3_BackpropTruncationOp : Nnet3_ComponentOp<"backprop_truncation",
    "BackpropTruncation", (ins Nnet3_PositiveI64:$dim,
    DefaultValuedAttr<F32Attr, "1.0f">:$scale,
    DefaultValuedAttr<F32Attr, "30.0f">:$clipping_threshold,
    DefaultValuedAttr<F32Attr, "15.0f">:$zeroing_threshold,
    DefaultValuedAttr<Nnet3_PositiveI64, "20">:$zeroing_interval,
    DefaultValuedAttr<Nnet3_PositiveI64, "1">:$recurrence_interval,
    DefaultValuedAttr<F64Attr, "0.0">:$num_elements_clipped,
    DefaultValuedAttr<F64Attr, "0.0">:$num_elements_zeroed,
    DefaultValuedAttr<F64Attr, "0.0">:$num_elements_processed,
    DefaultValuedAttr<F64Attr, "0.0">:$num_zeroing_boundaries),
    ["precomputeIndexes"]> {
  let summary = "a scale that clips and periodically zeroes its derivative";
  let description = [{
    Kaldi: BackpropTruncationComponent. Y = scale X. In the backward pass, the
    norm of each row of the derivative is clipped to `clipping_threshold`, and
    rows at boundaries of `zeroing_interval` frames are set to zero if their
    norm is above `zeroing_threshold`.

    Example:

    ```mlir
    nnet3.backprop_truncation @trunc {dim = 256}
    ```
  }];
  let properties = "PropagateInPlace | BackpropInPlace";
  let precomputed = "verifyTimes()";
  let limits = [InRange<"scale", "Positive">];
  let configKeys = (keys "dim", "scale", "clipping_threshold",
    "zeroing_threshold", "zeroing_interval", "recurrence_interval");
  let fileTokens = (tokens "dim", Token<"scale", absent = "1">,
    "clipping_threshold", "zeroing_threshold", "zeroing_interval",
    "recurrence_interval", "num_elements_clipped", "num_elements_zeroed",
    "num_elements_processed", "num_zeroing_boundaries");
}

def Nnet3_ClipGradientOp : Nnet3_ComponentOp<"clip_gradient", "ClipGradient",
    (ins Nnet3_PositiveI64:$dim,
    DefaultValuedAttr<F32Attr, "15.0f">:$clipping_threshold,
    DefaultValuedAttr<BoolAttr, "false">:$norm_based_clipping,
    DefaultValuedAttr<F32Attr, "0.01f">
      :$self_repair_clipped_proportion_threshold,
    DefaultValuedAttr<F32Attr, "0.0f">:$self_repair_target,
    DefaultValuedAttr<F32Attr, "1.0f">:$self_repair_scale,
    DefaultValuedAttr<I64Attr, "0">:$num_elements_clipped,
    DefaultValuedAttr<I64Attr, "0">:$num_elements_processed,
    DefaultValuedAttr<I64Attr, "0">:$num_self_repaired,
    DefaultValuedAttr<I64Attr, "0">:$num_backpropped)> {
  let summary = "an identity that clips its derivative";
  let description = [{
    Kaldi: ClipGradientComponent. Y = X. In the backward pass, the elements of
    the derivative are clipped to `clipping_threshold`, or with
    `norm_based_clipping` the norm of each row.

    Example:

    ```mlir
    nnet3.clip_gradient @clip {clipping_threshold = 3.000000e+01 : f32, dim = 256}
    ```
  }];
  let properties = [{Simple | PropagateInPlace | BackpropInPlace |
    BackpropNeedsInput}];
  let limits = [InRange<"clipping_threshold", "NonNegative">];
  let configKeys = (keys "dim", "clipping_threshold", "norm_based_clipping",
    "self_repair_clipped_proportion_threshold", "self_repair_target",
    "self_repair_scale");
  let fileTokens = (tokens "dim", "clipping_threshold", "norm_based_clipping",
    Token<"self_repair_clipped_proportion_threshold", absent = "1">,
    Token<"self_repair_target", absent = "0", nested = 1>,
    Token<"self_repair_scale", absent = "0", nested = 1>,
    "num_elements_clipped", "num_elements_processed",
    Token<"num_self_repaired", absent = "0">,
    Token<"num_backpropped", absent = "0", nested = 1>);
}

#endif // NNET3_DIALECT_NNET3_IR_COMPONENTS_RECURRENTCOMPONENTOPS_TD

//===- RecurrentComponentOps.td - Recurrent layers ---------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_RECURRENTCOMPONENTOPS_TD
#define NNET3_DIALECT_NNET3_IR_RECURRENTCOMPONENTOPS_TD

include "nnet3/Dialect/Nnet3/IR/ComponentBase.td"

def Nnet3_LstmNonlinearityOp : Nnet3_ComponentOp<"lstm_nonlinearity",
    "LstmNonlinearity", !con((ins Nnet3_PositiveI64:$cell_dim,
    DefaultValuedAttr<BoolAttr, "false">:$use_dropout,
    OptionalAttr<Nnet3_Tensor>:$params,
    OptionalAttr<Nnet3_Tensor>:$value_avg,
    OptionalAttr<Nnet3_Tensor>:$deriv_avg,
    OptionalAttr<Nnet3_Tensor>:$self_repair_config,
    OptionalAttr<Nnet3_Tensor>:$self_repair_prob,
    DefaultValuedAttr<F64Attr, "0.0">:$count), Nnet3_Updatable),
    ["initializeParameters", "getTensors"]> {
  let summary = "the elementwise part of an LSTM cell";
  let description = [{
    Kaldi: LstmNonlinearityComponent, C = cell_dim. Input blocks i_part,
    f_part, c_part, o_part, c_prev of C columns, and with `use_dropout` three
    columns i_scale, f_scale, o_scale (else 1); rows w_ic, w_fc, w_oc of
    `params` (3 x C):

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
    ["precomputeIndexes", "verifyConfiguration"]> {
  let summary = "scale whose derivative is clipped and zeroed at intervals";
  let description = [{
    Kaldi: BackpropTruncationComponent. Y = scale X; the derivative is clipped
    to a norm, and zeroed at boundaries of `zeroing_interval` frames if its
    norm is large.

    Example:

    ```mlir
    nnet3.backprop_truncation @trunc {dim = 256}
    ```
  }];
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
    DefaultValuedAttr<I64Attr, "0">:$num_backpropped),
    ["verifyConfiguration"]> {
  let summary = "the identity, whose derivative is clipped";
  let description = [{
    Kaldi: ClipGradientComponent. Y = X.

    Example:

    ```mlir
    nnet3.clip_gradient @clip {clipping_threshold = 3.000000e+01 : f32, dim = 256}
    ```
  }];
}

#endif // NNET3_DIALECT_NNET3_IR_RECURRENTCOMPONENTOPS_TD

//===- AffineComponentOps.td - Matrix-product components ---*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_AFFINECOMPONENTOPS_TD
#define NNET3_DIALECT_NNET3_IR_AFFINECOMPONENTOPS_TD

include "nnet3/Dialect/Nnet3/IR/ComponentBase.td"

def Nnet3_AffineOp : Nnet3_ComponentOp<"affine", "Affine", !con((ins
    Nnet3_PositiveI64:$input_dim, Nnet3_PositiveI64:$output_dim,
    OptionalAttr<Nnet3_Tensor>:$linear_params,
    OptionalAttr<Nnet3_Tensor>:$bias_params,
    DefaultValuedAttr<F32Attr, "0.0f">:$orthonormal_constraint),
    Nnet3_Updatable),
    ["initializeParameters", "getTensors"]> {
  let summary = "affine map, plain gradient";
  let description = [{
    Kaldi: AffineComponent. Y = 1 b^T + X W^T, W: output_dim x input_dim
    (`linear_params`), b: output_dim (`bias_params`).

    Example:

    ```mlir
    nnet3.affine @affine1 {input_dim = 48, output_dim = 36}
    ```
  }];
}

def Nnet3_NaturalGradientAffineOp : Nnet3_ComponentOp<
    "natural_gradient_affine", "NaturalGradientAffine", !con((ins
    Nnet3_PositiveI64:$input_dim, Nnet3_PositiveI64:$output_dim,
    OptionalAttr<Nnet3_Tensor>:$linear_params,
    OptionalAttr<Nnet3_Tensor>:$bias_params,
    OptionalAttr<Nnet3_PositiveI64>:$rank_in,
    OptionalAttr<Nnet3_PositiveI64>:$rank_out,
    DefaultValuedAttr<F32Attr, "0.0f">:$orthonormal_constraint,
    DefaultValuedAttr<Nnet3_PositiveI64, "4">:$update_period,
    DefaultValuedAttr<F32Attr, "2000.0f">:$num_samples_history,
    DefaultValuedAttr<F32Attr, "4.0f">:$alpha),
    Nnet3_Updatable),
    ["initializeParameters", "getTensors"]> {
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
}

def Nnet3_LinearOp : Nnet3_ComponentOp<"linear", "Linear", !con((ins
    Nnet3_PositiveI64:$input_dim, Nnet3_PositiveI64:$output_dim,
    OptionalAttr<Nnet3_Tensor>:$params,
    DefaultValuedAttr<F32Attr, "0.0f">:$orthonormal_constraint,
    DefaultValuedAttr<BoolAttr, "true">:$use_natural_gradient,
    OptionalAttr<Nnet3_PositiveI64>:$rank_in,
    OptionalAttr<Nnet3_PositiveI64>:$rank_out,
    DefaultValuedAttr<F32Attr, "4.0f">:$alpha,
    DefaultValuedAttr<F32Attr, "2000.0f">:$num_samples_history,
    DefaultValuedAttr<Nnet3_PositiveI64, "4">:$update_period),
    Nnet3_Updatable),
    ["initializeParameters", "getTensors"]> {
  let summary = "linear map";
  let description = [{
    Kaldi: LinearComponent. Y += X W^T, W: output_dim x input_dim (`params`).

    Example:

    ```mlir
    nnet3.linear @bottleneck {input_dim = 1536, orthonormal_constraint = -1.000000e+00 : f32, output_dim = 160}
    ```
  }];
}

def Nnet3_FixedAffineOp : Nnet3_ComponentOp<"fixed_affine", "FixedAffine", (ins
    Nnet3_PositiveI64:$input_dim, Nnet3_PositiveI64:$output_dim,
    OptionalAttr<Nnet3_Tensor>:$linear_params,
    OptionalAttr<Nnet3_Tensor>:$bias_params),
    ["initializeParameters", "getTensors"]> {
  let summary = "affine map that is never trained";
  let description = [{
    Kaldi: FixedAffineComponent. Y = 1 b^T + X W^T; LDA or IDCT transforms.

    Example:

    ```mlir
    nnet3.fixed_affine @lda {init = {matrix = "lda.mat"}, input_dim = 60, output_dim = 60}
    ```
  }];
}

def Nnet3_TdnnOp : Nnet3_ComponentOp<"tdnn", "Tdnn", !con((ins
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
    OptionalAttr<Nnet3_PositiveI64>:$rank_in,
    OptionalAttr<Nnet3_PositiveI64>:$rank_out),
    Nnet3_Updatable),
    ["getInputIndexes", "isComputable", "reorderIndexes",
                       "precomputeIndexes", "initializeParameters", "getTensors", "verifyConfiguration"]> {
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
}

#endif // NNET3_DIALECT_NNET3_IR_AFFINECOMPONENTOPS_TD

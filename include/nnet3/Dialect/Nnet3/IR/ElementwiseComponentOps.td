//===- ElementwiseComponentOps.td - Element-wise and summing ---*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_ELEMENTWISECOMPONENTOPS_TD
#define NNET3_DIALECT_NNET3_IR_ELEMENTWISECOMPONENTOPS_TD

include "nnet3/Dialect/Nnet3/IR/ComponentBase.td"

def Nnet3_NoOpOp : Nnet3_ComponentOp<"no_op", "NoOp", (ins
    Nnet3_PositiveI64:$dim,
    DefaultValuedAttr<F32Attr, "1.0f">:$backprop_scale)> {
  let summary = "the identity";
  let description = [{
    Kaldi: NoOpComponent. Y = X; derivatives are scaled by `backprop_scale`.

    Example:

    ```mlir
    nnet3.no_op @noop {dim = 36}
    ```
  }];
}

def Nnet3_ElementwiseProductOp : Nnet3_ComponentOp<"elementwise_product",
    "ElementwiseProduct", (ins Nnet3_PositiveI64:$input_dim,
                               Nnet3_PositiveI64:$output_dim),
    ["verifyConfiguration"]> {
  let summary = "product of the blocks of a row";
  let description = [{
    Kaldi: ElementwiseProductComponent. The product, element by element, of
    the input_dim / output_dim consecutive blocks of a row.

    Example:

    ```mlir
    nnet3.elementwise_product @product {input_dim = 72, output_dim = 36}
    ```
  }];
}

def Nnet3_PnormOp : Nnet3_ComponentOp<"pnorm", "Pnorm", (ins
    Nnet3_PositiveI64:$input_dim, Nnet3_PositiveI64:$output_dim),
    ["verifyConfiguration"]> {
  let summary = "2-norms of groups of columns";
  let description = [{
    Kaldi: PnormComponent. Output column g is the 2-norm of the next
    input_dim / output_dim input columns.

    Example:

    ```mlir
    nnet3.pnorm @pnorm {input_dim = 72, output_dim = 36}
    ```
  }];
}

def Nnet3_SumBlockOp : Nnet3_ComponentOp<"sum_block", "SumBlock", (ins
    Nnet3_PositiveI64:$input_dim, Nnet3_PositiveI64:$output_dim,
    DefaultValuedAttr<F32Attr, "1.0f">:$scale),
    ["verifyConfiguration"]> {
  let summary = "sum of the blocks of a row";
  let description = [{
    Kaldi: SumBlockComponent. Y += scale times the sum of the
    input_dim / output_dim consecutive blocks of a row.

    Example:

    ```mlir
    nnet3.sum_block @average {input_dim = 72, output_dim = 36, scale = 5.000000e-01 : f32}
    ```
  }];
}

def Nnet3_SumGroupOp : Nnet3_ComponentOp<"sum_group", "SumGroup", (ins
    DenseI64ArrayAttr:$sizes),
    ["verifyConfiguration"]> {
  let summary = "sums of groups of columns";
  let description = [{
    Kaldi: SumGroupComponent. Output column g is the sum of the next
    sizes[g] input columns.

    Example:

    ```mlir
    nnet3.sum_group @groups {sizes = array<i64: 2, 3, 1>}
    ```
  }];
}

def Nnet3_PermuteOp : Nnet3_ComponentOp<"permute", "Permute", (ins
    DenseI64ArrayAttr:$column_map),
    ["verifyConfiguration"]> {
  let summary = "permutation of the columns";
  let description = [{
    Kaldi: PermuteComponent. Output column i is input column column_map[i].

    Example:

    ```mlir
    nnet3.permute @permute {column_map = array<i64: 1, 0, 2>}
    ```
  }];
}

def Nnet3_FixedScaleOp : Nnet3_ComponentOp<"fixed_scale", "FixedScale", (ins
    Nnet3_PositiveI64:$dim, OptionalAttr<Nnet3_Tensor>:$scales),
    ["initializeParameters", "getTensors"]> {
  let summary = "scale of each column, never trained";
  let description = [{
    Kaldi: FixedScaleComponent. Y = X (.) scales.

    Example:

    ```mlir
    nnet3.fixed_scale @scale {dim = 36}
    ```
  }];
}

def Nnet3_FixedBiasOp : Nnet3_ComponentOp<"fixed_bias", "FixedBias", (ins
    Nnet3_PositiveI64:$dim, OptionalAttr<Nnet3_Tensor>:$bias),
    ["initializeParameters", "getTensors"]> {
  let summary = "bias of each column, never trained";
  let description = [{
    Kaldi: FixedBiasComponent. Y = X + bias.

    Example:

    ```mlir
    nnet3.fixed_bias @bias {dim = 36}
    ```
  }];
}

def Nnet3_PerElementScaleOp : Nnet3_ComponentOp<"per_element_scale",
    "PerElementScale", !con((ins Nnet3_PositiveI64:$dim,
    OptionalAttr<Nnet3_Tensor>:$scales), Nnet3_Updatable),
    ["initializeParameters", "getTensors"]> {
  let summary = "scale of each column, plain gradient";
  let description = [{
    Kaldi: PerElementScaleComponent. Y = X (.) scales.

    Example:

    ```mlir
    nnet3.per_element_scale @peephole {dim = 36}
    ```
  }];
}

def Nnet3_NaturalGradientPerElementScaleOp : Nnet3_ComponentOp<
    "natural_gradient_per_element_scale", "NaturalGradientPerElementScale",
    !con((ins Nnet3_PositiveI64:$dim, OptionalAttr<Nnet3_Tensor>:$scales,
    DefaultValuedAttr<Nnet3_PositiveI64, "8">:$rank,
    DefaultValuedAttr<Nnet3_PositiveI64, "10">:$update_period,
    DefaultValuedAttr<F32Attr, "2000.0f">:$num_samples_history,
    DefaultValuedAttr<F32Attr, "4.0f">:$alpha), Nnet3_Updatable),
    ["initializeParameters", "getTensors"]> {
  let summary = "scale of each column, natural gradient";
  let description = [{
    Kaldi: NaturalGradientPerElementScaleComponent. Y = X (.) scales.

    Example:

    ```mlir
    nnet3.natural_gradient_per_element_scale @w_ic {dim = 36}
    ```
  }];
}

def Nnet3_PerElementOffsetOp : Nnet3_ComponentOp<"per_element_offset",
    "PerElementOffset", !con((ins Nnet3_PositiveI64:$dim,
    OptionalAttr<Nnet3_PositiveI64>:$block_dim,
    OptionalAttr<Nnet3_Tensor>:$offsets,
    DefaultValuedAttr<BoolAttr, "true">:$use_natural_gradient),
    Nnet3_Updatable),
    ["initializeParameters", "getTensors", "verifyConfiguration"]> {
  let summary = "trained bias of each column";
  let description = [{
    Kaldi: PerElementOffsetComponent. Y = X + offsets, which repeat every
    block_dim columns (default: dim).

    Example:

    ```mlir
    nnet3.per_element_offset @offset {block_dim = 12, dim = 36}
    ```
  }];
}

def Nnet3_ScaleAndOffsetOp : Nnet3_ComponentOp<"scale_and_offset",
    "ScaleAndOffset", !con((ins Nnet3_PositiveI64:$dim,
    OptionalAttr<Nnet3_PositiveI64>:$block_dim,
    OptionalAttr<Nnet3_Tensor>:$scales, OptionalAttr<Nnet3_Tensor>:$offsets,
    DefaultValuedAttr<BoolAttr, "true">:$use_natural_gradient,
    DefaultValuedAttr<Nnet3_PositiveI64, "20">:$rank), Nnet3_Updatable),
    ["initializeParameters", "getTensors", "verifyConfiguration"]> {
  let summary = "trained scale and bias of each column";
  let description = [{
    Kaldi: ScaleAndOffsetComponent. Y = X (.) scales + offsets, which repeat
    every block_dim columns (default: dim); scales are taken to be at least
    1e-4 in magnitude.

    Example:

    ```mlir
    nnet3.scale_and_offset @so {dim = 36}
    ```
  }];
}

#endif // NNET3_DIALECT_NNET3_IR_ELEMENTWISECOMPONENTOPS_TD

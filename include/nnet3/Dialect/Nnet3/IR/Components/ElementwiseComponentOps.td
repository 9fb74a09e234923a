//===- ElementwiseComponentOps.td - Elementwise components -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_COMPONENTS_ELEMENTWISECOMPONENTOPS_TD
#define NNET3_DIALECT_NNET3_IR_COMPONENTS_ELEMENTWISECOMPONENTOPS_TD

include "nnet3/Dialect/Nnet3/IR/Components/ComponentBase.td"

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
  let properties = "Simple | PropagateInPlace | BackpropInPlace";
  let configKeys = (keys "dim", "backprop_scale");
  let fileTokens = (tokens "dim", Token<"backprop_scale", absent = "1">,
    Legacy<"<ValueAvg>", "Vector">, Legacy<"<DerivAvg>", "Vector", 1>,
    Legacy<"<Count>", "Double", 1>, Legacy<"<OderivRms>", "Vector">,
    Legacy<"<OderivCount>", "Double", 1>,
    Legacy<"<NumDimsSelfRepaired>", "Double">,
    Legacy<"<NumDimsProcessed>", "Double">);
}

def Nnet3_ElementwiseProductOp : Nnet3_ComponentOp<"elementwise_product",
    "ElementwiseProduct", (ins Nnet3_PositiveI64:$input_dim,
                               Nnet3_PositiveI64:$output_dim),
    ["verifyConfiguration"]> {
  let summary = "elementwise product of the blocks of a row";
  let description = [{
    Kaldi: ElementwiseProductComponent. A row of Y is the elementwise product of
    the input_dim / output_dim consecutive blocks of a row.

    Example:

    ```mlir
    nnet3.elementwise_product @product {input_dim = 72, output_dim = 36}
    ```
  }];
  let properties = "Simple | BackpropNeedsInput";
  let configKeys = (keys "input_dim", "output_dim");
  let fileTokens = (tokens "input_dim", "output_dim");
}

def Nnet3_PnormOp : Nnet3_ComponentOp<"pnorm", "Pnorm", (ins
    Nnet3_PositiveI64:$input_dim, Nnet3_PositiveI64:$output_dim)> {
  let summary = "2-norms of groups of columns";
  let description = [{
    Kaldi: PnormComponent. Output column g is the 2-norm of the next
    input_dim / output_dim input columns.

    Example:

    ```mlir
    nnet3.pnorm @pnorm {input_dim = 72, output_dim = 36}
    ```
  }];
  let properties = "Simple | BackpropNeedsInput | BackpropNeedsOutput";
  let limits = [Divides<"output_dim", "input_dim">];
  let configKeys = (keys "input_dim", "output_dim");
  let fileTokens = (tokens "input_dim", "output_dim");
}

def Nnet3_SumBlockOp : Nnet3_ComponentOp<"sum_block", "SumBlock", (ins
    Nnet3_PositiveI64:$input_dim, Nnet3_PositiveI64:$output_dim,
    DefaultValuedAttr<F32Attr, "1.0f">:$scale)> {
  let summary = "sum of the blocks of a row";
  let description = [{
    Kaldi: SumBlockComponent. Y += scale times the sum of the
    input_dim / output_dim consecutive blocks of a row.

    Example:

    ```mlir
    nnet3.sum_block @average {input_dim = 72, output_dim = 36, scale = 5.000000e-01 : f32}
    ```
  }];
  let properties = "Simple | PropagateAdds | BackpropAdds";
  let limits = [Divides<"output_dim", "input_dim">];
  let configKeys = (keys "input_dim", "output_dim", "scale");
  let fileTokens = (tokens "input_dim", "output_dim", "scale");
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
  let inputDim = "std::accumulate(sizes.begin(), sizes.end(), int64_t(0))";
  let outputDim = "sizes.size()";
  let properties = "Simple";
  let configKeys = (keys "sizes");
  let keyGroup = "EqualGroups";
  let fileTokens = (tokens "sizes");
  let anyClosingToken = 1;
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
  let inputDim = "column_map.size()";
  let outputDim = "column_map.size()";
  let properties = "Simple";
  let configKeys = (keys "column_map");
  let fileTokens = (tokens Token<"column_map", tokenKind = "ColumnMap">);
}

def Nnet3_FixedScaleOp : Nnet3_ComponentOp<"fixed_scale", "FixedScale", (ins
    Nnet3_PositiveI64:$dim, OptionalAttr<Nnet3_Tensor>:$scales)> {
  let summary = "scale of each column, never trained";
  let description = [{
    Kaldi: FixedScaleComponent. Y = X (.) scales.

    Example:

    ```mlir
    nnet3.fixed_scale @scale {dim = 36}
    ```
  }];
  let properties = "Simple | PropagateInPlace | BackpropInPlace";
  let tensors = [Parameter<"scales", ["dim"], "scale",
    "init && init->contains(\"scale\") ? 0 : 1">];
  let configKeys = (keys FileKey<"scales", "Vector">,
    Key<"dim", otherFlags = "NotWithFile">, InitKey<"scale", "Any", "0">);
  let fileTokens = (tokens "scales");
}

def Nnet3_FixedBiasOp : Nnet3_ComponentOp<"fixed_bias", "FixedBias", (ins
    Nnet3_PositiveI64:$dim, OptionalAttr<Nnet3_Tensor>:$bias)> {
  let summary = "bias of each column, never trained";
  let description = [{
    Kaldi: FixedBiasComponent. Y = X + bias.

    Example:

    ```mlir
    nnet3.fixed_bias @bias {dim = 36}
    ```
  }];
  let properties = "Simple | PropagateInPlace | BackpropInPlace";
  let tensors = [Parameter<"bias", ["dim"], "0", "1">];
  let configKeys = (keys FileKey<"bias", "Vector">,
    Key<"dim", otherFlags = "NotWithFile">);
  let fileTokens = (tokens "bias");
}

def Nnet3_PerElementScaleOp : Nnet3_UpdatableOp<"per_element_scale",
    "PerElementScale", (ins Nnet3_PositiveI64:$dim,
    OptionalAttr<Nnet3_Tensor>:$scales)> {
  let summary = "scale of each column, plain gradient";
  let description = [{
    Kaldi: PerElementScaleComponent. Y = X (.) scales.

    Example:

    ```mlir
    nnet3.per_element_scale @peephole {dim = 36}
    ```
  }];
  let properties = [{Simple | Updatable | BackpropNeedsInput |
    PropagateInPlace | BackpropInPlace}];
  let tensors = [Parameter<"scales", ["dim"], "param_mean", "param_stddev">];
  let configKeys = (keys FileKey<"vector", "Vector">, "dim",
    InitKey<"param_mean", "Any", "1">,
    InitKey<"param_stddev", "NonNegative", "0">);
  let fileTokens = (tokens Token<"scales", "<Params>">,
    Token<"is_gradient", legacy = 1>);
}

def Nnet3_NaturalGradientPerElementScaleOp : Nnet3_UpdatableOp<
    "natural_gradient_per_element_scale", "NaturalGradientPerElementScale",
    (ins Nnet3_PositiveI64:$dim, OptionalAttr<Nnet3_Tensor>:$scales,
    DefaultValuedAttr<Nnet3_PositiveI64, "8">:$rank,
    DefaultValuedAttr<Nnet3_PositiveI64, "10">:$update_period,
    DefaultValuedAttr<F32Attr, "2000.0f">:$num_samples_history,
    DefaultValuedAttr<F32Attr, "4.0f">:$alpha)> {
  let summary = "scale of each column, natural gradient";
  let description = [{
    Kaldi: NaturalGradientPerElementScaleComponent. Y = X (.) scales.

    Example:

    ```mlir
    nnet3.natural_gradient_per_element_scale @w_ic {dim = 36}
    ```
  }];
  let properties = [{Simple | Updatable | BackpropNeedsInput |
    PropagateInPlace | BackpropInPlace}];
  let tensors = [Parameter<"scales", ["dim"], "param_mean", "param_stddev">];
  let preconditioning = "Terms";
  let configKeys = (keys FileKey<"scales", "Vector">, "dim",
    InitKey<"param_mean", "Any", "1">,
    InitKey<"param_stddev", "NonNegative", "0">, "rank", "update_period",
    Nnet3_SamplesHistory, Nnet3_Alpha);
  let fileTokens = (tokens Token<"scales", "<Params>">, "is_gradient", "rank",
    "update_period", "num_samples_history", "alpha",
    Legacy<"<MaxChangePerMinibatch>", "Float">);
}

def Nnet3_PerElementOffsetOp : Nnet3_UpdatableOp<"per_element_offset",
    "PerElementOffset", (ins Nnet3_PositiveI64:$dim,
    Nnet3_DimOr<"dim">:$block_dim,
    OptionalAttr<Nnet3_Tensor>:$offsets,
    DefaultValuedAttr<BoolAttr, "true">:$use_natural_gradient)> {
  let summary = "trained bias of each column";
  let description = [{
    Kaldi: PerElementOffsetComponent. Y = X + offsets, which repeat every
    block_dim columns (default: dim).

    Example:

    ```mlir
    nnet3.per_element_offset @offset {block_dim = 12, dim = 36}
    ```
  }];
  let properties = [{Simple | Updatable | BackpropInPlace | PropagateInPlace |
    (block_dim < dim ? OutputContiguous : None)}];
  let tensors = [
    Parameter<"offsets", ["block_dim"], "param_mean", "param_stddev">];
  let limits = [Divides<"block_dim", "dim">];
  let preconditioning = "use_natural_gradient ? Terms : None";
  // A vector that is shorter than `dim` is a block.
  let configKeys = (keys FileKey<"vector", "BlockVector">, "dim",
    Key<"block_dim", otherFlags = "NotWithFile">,
    InitKey<"param_mean", "Any", "0">,
    InitKey<"param_stddev", "NonNegative", "0">, "use_natural_gradient");
  let fileTokens = (tokens "offsets", Token<"is_gradient", legacy = 1>,
    Token<"dim", mayBeAbsent = 1>,
    Token<"use_natural_gradient", absent = "1", nested = 1>);
}

def Nnet3_ScaleAndOffsetOp : Nnet3_UpdatableOp<"scale_and_offset",
    "ScaleAndOffset", (ins Nnet3_PositiveI64:$dim,
    Nnet3_DimOr<"dim">:$block_dim,
    OptionalAttr<Nnet3_Tensor>:$scales, OptionalAttr<Nnet3_Tensor>:$offsets,
    DefaultValuedAttr<BoolAttr, "true">:$use_natural_gradient,
    DefaultValuedAttr<Nnet3_PositiveI64, "20">:$rank)> {
  let summary = "trained scale and bias of each column";
  let description = [{
    Kaldi: ScaleAndOffsetComponent. Y = X (.) scales + offsets, which repeat
    every block_dim columns (default: dim). Scales below 1e-4 in magnitude are
    replaced by 1e-4 with the same sign.

    Example:

    ```mlir
    nnet3.scale_and_offset @so {dim = 36}
    ```
  }];
  let properties = [{Simple | Updatable | BackpropInPlace | PropagateInPlace |
    BackpropNeedsOutput |
    (block_dim != dim ? InputContiguous | OutputContiguous : None)}];
  let tensors = [Parameter<"scales", ["block_dim"], "1", "0">,
                 Parameter<"offsets", ["block_dim"], "0", "0">];
  let limits = [Divides<"block_dim", "dim">];
  let preconditioning = "use_natural_gradient ? Terms : None";
  let configKeys = (keys "dim", "block_dim", "use_natural_gradient", "rank");
  let fileTokens = (tokens "dim", "scales", "offsets", "use_natural_gradient",
    "rank");
}

#endif // NNET3_DIALECT_NNET3_IR_COMPONENTS_ELEMENTWISECOMPONENTOPS_TD

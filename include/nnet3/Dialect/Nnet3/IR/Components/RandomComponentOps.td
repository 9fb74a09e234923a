//===- RandomComponentOps.td - Dropout and SpecAugment -----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_COMPONENTS_RANDOMCOMPONENTOPS_TD
#define NNET3_DIALECT_NNET3_IR_COMPONENTS_RANDOMCOMPONENTOPS_TD

include "nnet3/Dialect/Nnet3/IR/Components/ComponentBase.td"

def Nnet3_DropoutOp : Nnet3_ComponentOp<"dropout", "Dropout", (ins
    Nnet3_PositiveI64:$dim, F32Attr:$dropout_proportion,
    DefaultValuedAttr<BoolAttr, "false">:$dropout_per_frame,
    DefaultValuedAttr<BoolAttr, "false">:$test_mode)> {
  let summary = "dropout";
  let description = [{
    Kaldi: DropoutComponent. Sets a proportion p of the elements (of the rows
    with `dropout_per_frame`) to zero, without rescaling; in test mode
    Y = (1 - p) X.

    Example:

    ```mlir
    nnet3.dropout @dropout {dim = 36, dropout_proportion = 5.000000e-01 : f32}
    ```
  }];
  let properties = [{Simple | BackpropInPlace | BackpropNeedsInput |
    BackpropNeedsOutput | Random}];
  let limits = [InRange<"dropout_proportion", "UpToOne">];
  let configKeys = (keys "dim", "dropout_proportion", "dropout_per_frame",
    "test_mode");
  let fileTokens = (tokens "dim", "dropout_proportion",
    Token<"dropout_per_frame", absent = "0">, Token<"test_mode", absent = "0">);
}

def Nnet3_GeneralDropoutOp : Nnet3_ComponentOp<"general_dropout",
    "GeneralDropout", (ins Nnet3_PositiveI64:$dim,
    Nnet3_DimOr<"dim">:$block_dim,
    DefaultValuedAttr<Nnet3_NonNegativeI64, "0">:$time_period,
    DefaultValuedAttr<F32Attr, "0.5f">:$dropout_proportion,
    DefaultValuedAttr<F32Attr, "0.0f">:$specaugment_max_proportion,
    DefaultValuedAttr<Nnet3_PositiveI64, "1">:$specaugment_max_regions,
    DefaultValuedAttr<BoolAttr, "false">:$continuous,
    DefaultValuedAttr<BoolAttr, "false">:$test_mode),
    ["precomputeIndexes", "verifyConfiguration"]> {
  let summary = "dropout whose mask is shared over time";
  let description = [{
    Kaldi: GeneralDropoutComponent. Draws one mask per sequence, or one for each
    `time_period` frames of a sequence. Also implements SpecAugment's frequency
    masking. The identity in test mode.

    Example:

    ```mlir
    nnet3.general_dropout @dropout {continuous = true, dim = 36}
    ```
  }];
  let properties = [{Random | PropagateInPlace | BackpropInPlace | UsesMemo |
    (block_dim < dim ? InputContiguous | OutputContiguous : None)}];
  let precomputed = "verifyMasks()";
  let limits = [InRange<"specaugment_max_proportion", "UpToOne">,
                InRange<"dropout_proportion", "UpToOne">,
                Divides<"block_dim", "dim">];
  let configKeys = (keys "dim", "block_dim", "time_period",
    "dropout_proportion", "specaugment_max_proportion",
    "specaugment_max_regions", "continuous", "test_mode");
  let fileTokens = (tokens "dim", "block_dim", "time_period",
    "dropout_proportion",
    Token<"specaugment_max_proportion", "<SpecAugmentMaxProportion>",
      unless = "0">,
    Token<"specaugment_max_regions", "<SpecAugmentMaxRegions>", unless = "1",
      nested = 1>,
    Token<"test_mode", tokenKind = "Flag", unless = "0">,
    Token<"continuous", tokenKind = "Flag", unless = "0">);
}

def Nnet3_SpecAugmentTimeMaskOp : Nnet3_ComponentOp<"spec_augment_time_mask",
    "SpecAugmentTimeMask", (ins Nnet3_PositiveI64:$dim,
    DefaultValuedAttr<F32Attr, "0.25f">:$zeroed_proportion,
    DefaultValuedAttr<ConfinedAttr<I64Attr,
      [IntMinValue<2>, Nnet3_MaxInt32]>, "10">:$time_mask_max_frames,
    DefaultValuedAttr<BoolAttr, "false">:$test_mode),
    ["precomputeIndexes"]> {
  let summary = "SpecAugment's time masking";
  let description = [{
    Kaldi: SpecAugmentTimeMaskComponent. Sets random ranges of frames to zero.
    The identity in test mode.

    Example:

    ```mlir
    nnet3.spec_augment_time_mask @time_mask {dim = 40}
    ```
  }];
  let properties = "Random | PropagateInPlace | BackpropInPlace | UsesMemo";
  let precomputed = "verifyLengths()";
  let limits = [InRange<"zeroed_proportion", "UpToOne">];
  let configKeys = (keys "dim", "zeroed_proportion", "time_mask_max_frames");
  let fileTokens = (tokens "dim", "zeroed_proportion", "time_mask_max_frames",
    Token<"test_mode", tokenKind = "Flag", unless = "0">);
}

def Nnet3_DropoutMaskOp : Nnet3_ComponentOp<"dropout_mask", "DropoutMask",
    (ins Nnet3_PositiveI64:$output_dim,
    DefaultValuedAttr<F32Attr, "0.5f">:$dropout_proportion,
    DefaultValuedAttr<BoolAttr, "false">:$continuous,
    DefaultValuedAttr<BoolAttr, "false">:$test_mode),
    ["getInputIndexes", "isComputable"]> {
  let summary = "a random mask without an input";
  let description = [{
    Kaldi: DropoutMaskComponent. Y is 0 with probability p =
    dropout_proportion and 1 otherwise, or uniform on [1 - 2p, 1 + 2p] if
    `continuous`; in test mode, Y is 1 - p, or 1 if `continuous`. With 2 or 3
    columns and p <= 1/2, the first two columns (the scales of an LSTM's i and f
    gates) are never both 0. The component does not read its input.

    Example:

    ```mlir
    nnet3.dropout_mask @mask {dropout_proportion = 2.000000e-01 : f32, output_dim = 3}
    ```
  }];
  let inputDim = "output_dim";
  let properties = "Random";
  let limits = [InRange<"dropout_proportion", "UpToOne">];
  let configKeys = (keys "output_dim", "dropout_proportion", "continuous",
    "test_mode");
  let fileTokens = (tokens "output_dim", "dropout_proportion",
    Token<"test_mode", absent = "0">,
    Token<"continuous", tokenKind = "Flag", unless = "0">);
}

#endif // NNET3_DIALECT_NNET3_IR_COMPONENTS_RANDOMCOMPONENTOPS_TD

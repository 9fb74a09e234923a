//===- RandomComponentOps.td - Dropout and its relatives ---*- tablegen -*-===//

#ifndef NNET3_DIALECT_NNET3_IR_RANDOMCOMPONENTOPS_TD
#define NNET3_DIALECT_NNET3_IR_RANDOMCOMPONENTOPS_TD

include "nnet3/Dialect/Nnet3/IR/ComponentBase.td"

def Nnet3_DropoutOp : Nnet3_ComponentOp<"dropout", "Dropout", (ins
    Nnet3_PositiveI64:$dim, F32Attr:$dropout_proportion,
    DefaultValuedAttr<BoolAttr, "false">:$dropout_per_frame,
    DefaultValuedAttr<BoolAttr, "false">:$test_mode),
    ["verifyConfiguration"]> {
  let summary = "dropout";
  let description = [{
    Kaldi: DropoutComponent. Zeroes a proportion p of the elements (rows, with
    `dropout_per_frame`), without rescaling; in test mode Y = (1 - p) X.

    Example:

    ```mlir
    nnet3.dropout @dropout {dim = 36, dropout_proportion = 5.000000e-01 : f32}
    ```
  }];
}

def Nnet3_GeneralDropoutOp : Nnet3_ComponentOp<"general_dropout",
    "GeneralDropout", (ins Nnet3_PositiveI64:$dim,
    OptionalAttr<Nnet3_PositiveI64>:$block_dim,
    DefaultValuedAttr<Nnet3_NonNegativeI64, "0">:$time_period,
    DefaultValuedAttr<F32Attr, "0.5f">:$dropout_proportion,
    DefaultValuedAttr<F32Attr, "0.0f">:$specaugment_max_proportion,
    DefaultValuedAttr<Nnet3_PositiveI64, "1">:$specaugment_max_regions,
    DefaultValuedAttr<BoolAttr, "false">:$continuous,
    DefaultValuedAttr<BoolAttr, "false">:$test_mode),
    ["precomputeIndexes", "verifyConfiguration"]> {
  let summary = "dropout whose mask is shared over time";
  let description = [{
    Kaldi: GeneralDropoutComponent. One mask per sequence, or per sequence and
    `time_period` frames; also SpecAugment's frequency masking. The identity in
    test mode.

    Example:

    ```mlir
    nnet3.general_dropout @dropout {continuous = true, dim = 36}
    ```
  }];
}

def Nnet3_SpecAugmentTimeMaskOp : Nnet3_ComponentOp<"spec_augment_time_mask",
    "SpecAugmentTimeMask", (ins Nnet3_PositiveI64:$dim,
    DefaultValuedAttr<F32Attr, "0.25f">:$zeroed_proportion,
    DefaultValuedAttr<ConfinedAttr<I64Attr,
      [IntMinValue<2>, Nnet3_MaxInt32]>, "10">:$time_mask_max_frames,
    DefaultValuedAttr<BoolAttr, "false">:$test_mode),
    ["precomputeIndexes", "verifyConfiguration"]> {
  let summary = "SpecAugment's masking of stretches of time";
  let description = [{
    Kaldi: SpecAugmentTimeMaskComponent. Zeroes random stretches of frames. The
    identity in test mode.

    Example:

    ```mlir
    nnet3.spec_augment_time_mask @time_mask {dim = 40}
    ```
  }];
}

#endif // NNET3_DIALECT_NNET3_IR_RANDOMCOMPONENTOPS_TD

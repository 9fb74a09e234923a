//===- ContextComponentOps.td - Components with context ----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Components whose output rows depend on input rows at other indexes.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_DIALECT_NNET3_IR_COMPONENTS_CONTEXTCOMPONENTOPS_TD
#define NNET3_DIALECT_NNET3_IR_COMPONENTS_CONTEXTCOMPONENTOPS_TD

include "nnet3/Dialect/Nnet3/IR/Components/ComponentBase.td"

def Nnet3_DistributeOp : Nnet3_ComponentOp<"distribute", "Distribute", (ins
    Nnet3_PositiveI64:$input_dim, Nnet3_PositiveI64:$output_dim),
    ["getInputIndexes", "isComputable", "precomputeIndexes"]> {
  let summary = "splits each row into a row for each block";
  let description = [{
    Kaldi: DistributeComponent. With k = input_dim / output_dim, the output row
    (n, t, x) is block x - k floor(x / k) of the input row
    (n, t, floor(x / k)).

    Example:

    ```mlir
    nnet3.distribute @split {input_dim = 60, output_dim = 20}
    ```
  }];
  let properties = "None";
  let precomputed = "verifyBlocks(input_dim / output_dim)";
  let limits = [Divides<"output_dim", "input_dim">];
  let configKeys = (keys "input_dim", "output_dim");
  let fileTokens = (tokens "input_dim", "output_dim");
}

def Nnet3_StatisticsExtractionOp : Nnet3_ComponentOp<"statistics_extraction",
    "StatisticsExtraction", (ins Nnet3_PositiveI64:$input_dim,
    DefaultValuedAttr<Nnet3_PositiveI64, "1">:$input_period,
    DefaultValuedAttr<Nnet3_PositiveI64, "1">:$output_period,
    DefaultValuedAttr<BoolAttr, "true">:$include_variance),
    ["getInputIndexes", "isComputable", "getOptionalTimes", "getTimeModulus",
     "reorderIndexes", "precomputeIndexes", "verifyConfiguration"]> {
  let summary = "count, sum and sum of squares of consecutive frames";
  let description = [{
    Kaldi: StatisticsExtractionComponent. The output at t has the count, the sum
    and, with `include_variance`, the sum of squares of the input rows at t0,
    t0 + input_period, ... < t0 + output_period, where t0 is t rounded down to a
    multiple of `output_period`. At least one of these rows must be computable;
    rows that are not are skipped.

    Example:

    ```mlir
    nnet3.statistics_extraction @extraction {input_dim = 60, output_period = 10}
    ```
  }];
  let outputDim = "1 + input_dim * (include_variance ? 2 : 1)";
  // Kaldi says that it adds to its output, but overwrites it (spec:
  // components.md Q5).
  let properties = [{ReordersIndexes |
    (include_variance ? BackpropNeedsInput : None)}];
  let precomputed = "verifyRanges()";
  let limits = [Divides<"input_period", "output_period">];
  let configKeys = (keys "input_dim", "input_period", "output_period",
    "include_variance");
  // Kaldi's files have this spelling of the last token.
  let fileTokens = (tokens "input_dim", "input_period", "output_period",
    Token<"include_variance", "<IncludeVarinance>">);
}

def Nnet3_StatisticsPoolingOp : Nnet3_ComponentOp<"statistics_pooling",
    "StatisticsPooling", (ins Nnet3_PositiveI64:$input_dim,
    DefaultValuedAttr<Nnet3_PositiveI64, "1">:$input_period,
    Nnet3_NonNegativeI64:$left_context, Nnet3_NonNegativeI64:$right_context,
    DefaultValuedAttr<Nnet3_NonNegativeI64, "0">:$num_log_count_features,
    DefaultValuedAttr<BoolAttr, "false">:$output_stddevs,
    DefaultValuedAttr<F32Attr, "1.0e-10f">:$variance_floor),
    ["getInputIndexes", "isComputable", "getOptionalTimes", "getTimeModulus",
     "reorderIndexes", "precomputeIndexes", "verifyConfiguration"]> {
  let summary = "mean and standard deviation over a window of statistics";
  let description = [{
    Kaldi: StatisticsPoolingComponent. Adds up the statistics of
    `nnet3.statistics_extraction` at t - left_context, ..., t + right_context
    in steps of `input_period`; at least one of these rows must be computable.
    t is a multiple of `input_period`. The output is log(count), repeated
    `num_log_count_features` times, and the sums divided by the count, which
    are the means of x and x^2. With `output_stddevs`, the means of x^2 are
    replaced by sqrt(max(variance_floor, E[x^2] - E[x]^2)).

    Example:

    ```mlir
    nnet3.statistics_pooling @pooling {input_dim = 121, left_context = 0, output_stddevs = true, right_context = 10000}
    ```
  }];
  let outputDim = "input_dim - 1 + num_log_count_features";
  // The count is read from the output, or summed again.
  let properties = [{ReordersIndexes | BackpropAdds |
    (output_stddevs || num_log_count_features > 0 ? BackpropNeedsOutput : None) |
    (num_log_count_features == 0 ? BackpropNeedsInput : None)}];
  let precomputed = "verifyRanges()";
  let configKeys = (keys "input_dim", "input_period", "left_context",
    "right_context", "num_log_count_features", "output_stddevs",
    "variance_floor");
  let fileTokens = (tokens "input_dim", "input_period", "left_context",
    "right_context", "num_log_count_features", "output_stddevs",
    "variance_floor");
}

def Nnet3_TimeHeightConvolutionOp : Nnet3_UpdatableOp<
    "time_height_convolution", "TimeHeightConvolution", (ins
    Nnet3_PositiveI64:$num_filters_in, Nnet3_PositiveI64:$num_filters_out,
    Nnet3_PositiveI64:$height_in, Nnet3_PositiveI64:$height_out,
    DefaultValuedAttr<Nnet3_PositiveI64, "1">:$height_subsample_out,
    DenseI64ArrayAttr:$offsets,
    Nnet3_Or<DenseI64ArrayAttr, "op.getRequiredTimes()">:$required_time_offsets,
    OptionalAttr<Nnet3_Tensor>:$linear_params,
    OptionalAttr<Nnet3_Tensor>:$bias_params,
    DefaultValuedAttr<F32Attr, "200.0f">:$max_memory_mb,
    DefaultValuedAttr<BoolAttr, "true">:$use_natural_gradient,
    DefaultValuedAttr<F32Attr, "4.0f">:$num_minibatches_history,
    DefaultValuedAttr<F32Attr, "4.0f">:$alpha_in,
    DefaultValuedAttr<F32Attr, "4.0f">:$alpha_out,
    Nnet3_RankOr<80, "offsets.size() / 2 * num_filters_in + 1">:$rank_in,
    Nnet3_RankOr<80, "num_filters_out">:$rank_out),
    ["getInputIndexes", "isComputable", "reorderIndexes",
     "precomputeIndexes", "initializeParameters", "verifyConfiguration"]> {
  let summary = "convolution over time and over the height within a row";
  let description = [{
    Kaldi: TimeHeightConvolutionComponent. A row has height_in *
    num_filters_in columns, in which the filter varies fastest. `offsets` is a
    flattened list of pairs (time, height) in ascending order:

    y[t, h, :] = b + sum_o W_o x[t + t_o, h * height_subsample_out + h_o, :];

    W (`linear_params`): num_filters_out x (number of offsets *
    num_filters_in), block o for offset o; b (`bias_params`):
    num_filters_out. Heights out of range and missing frames count as zero.
    Frames at the offsets `required_time_offsets` (default: all) must not be
    missing.

    Example:

    ```mlir
    nnet3.time_height_convolution @cnn {height_in = 40, height_out = 40, num_filters_in = 1, num_filters_out = 48, offsets = array<i64: -1, 0, 0, -1, 0, 0, 0, 1, 1, 0>, required_time_offsets = array<i64: 0>}
    ```
  }];
  let inputDim = "num_filters_in * height_in";
  let outputDim = "num_filters_out * height_out";
  let properties = [{Updatable | ReordersIndexes | BackpropAdds |
    BackpropNeedsInput | InputContiguous | OutputContiguous}];
  let affineDim = "num_filters_out";
  let precomputed = "verifyOffsets(getTimeOffsets().size())";
  let tensors = [
    Parameter<"linear_params",
      ["num_filters_out", "offsets.size() / 2 * num_filters_in"]>,
    Parameter<"bias_params", ["num_filters_out"]>];
  let preconditioning = "use_natural_gradient ? BothSides : None";
  let configKeys = (keys "num_filters_in", "num_filters_out", "height_in",
    "height_out", "height_subsample_out", Key<"offsets", keyKind = "PairList">,
    "required_time_offsets", Key<"max_memory_mb", "Positive">,
    InitKey<"param_stddev", "Any", "-1">,
    InitKey<"bias_stddev", "NonNegative", "0">,
    Key<"init_unit", "", "Init", "", "Bool">, "use_natural_gradient",
    "rank_in", "rank_out", Nnet3_AlphaIn, Nnet3_AlphaOut,
    "num_minibatches_history");
  let keyGroup = "Offsets";
  let mayLackRate = 1;
  let fileTokens = (tokens Token<"", "<Model>", "Flag">,
    Token<"", "<ConvolutionModel>", "Flag", mayBeAbsent = 1>, "num_filters_in",
    "num_filters_out", "height_in", "height_out", "height_subsample_out",
    Token<"offsets", tokenKind = "IntPairVector">, "required_time_offsets",
    Token<"", "</ConvolutionModel>", "Flag">, "linear_params", "bias_params",
    "max_memory_mb", "use_natural_gradient", "num_minibatches_history",
    Token<"alpha_in", "<AlphaInOut>", "FloatPair", "alpha_out">,
    Nnet3_RankInOut);
  let extraClassDeclaration = [{
    /// Number of (time, height) offsets.
    int64_t getNumOffsets() { return getOffsets().size() / 2; }
    /// The distinct time offsets, ascending.
    ::llvm::SmallVector<int64_t> getTimeOffsets();
    /// The time offsets without which no output can be computed, ascending.
    ::llvm::SmallVector<int64_t> getRequiredTimes();
  }];
}

def Nnet3_RestrictedAttentionOp : Nnet3_ComponentOp<"restricted_attention",
    "RestrictedAttention", (ins
    DefaultValuedAttr<Nnet3_PositiveI64, "1">:$num_heads,
    Nnet3_PositiveI64:$key_dim, Nnet3_PositiveI64:$value_dim,
    Nnet3_NonNegativeI64:$num_left_inputs,
    Nnet3_NonNegativeI64:$num_right_inputs,
    DefaultValuedAttr<Nnet3_PositiveI64, "1">:$time_stride,
    Nnet3_Or<Nnet3_NonNegativeI64, "num_left_inputs">
      :$num_left_inputs_required,
    Nnet3_Or<Nnet3_NonNegativeI64, "num_right_inputs">
      :$num_right_inputs_required,
    DefaultValuedAttr<BoolAttr, "true">:$output_context,
    Nnet3_Or<F32Attr, "1.0 / std::sqrt(double(key_dim))">:$key_scale,
    DefaultValuedAttr<F64Attr, "0.0">:$stats_count,
    OptionalAttr<DenseF64ArrayAttr>:$entropy_stats,
    OptionalAttr<DenseF64ArrayAttr>:$posterior_stats),
    ["getInputIndexes", "isComputable", "reorderIndexes",
     "precomputeIndexes", "countMultiplyAdds", "verifyConfiguration"]> {
  let summary = "attention over a window of frames";
  let description = [{
    Kaldi: RestrictedAttentionComponent. For each of `num_heads` heads a row
    holds a key (`key_dim`), a value (`value_dim`) and a query (key_dim + C,
    where C = num_left_inputs + 1 + num_right_inputs). With o from 0 to C - 1
    and t_o = t + (o - num_left_inputs) * time_stride:

    c = softmax_o(key_scale * query . key(t_o) + query[key_dim + o]),
    y = sum_o c_o value(t_o), followed with `output_context` by c.

    Missing frames count as zero rows. The nearest `num_left_inputs_required`
    frames to the left and `num_right_inputs_required` to the right (default:
    all) must not be missing. `key_scale` defaults to 1 / sqrt(key_dim).
    `entropy_stats` (num_heads) and `posterior_stats` (num_heads x C) are sums
    over `stats_count` rows.

    Example:

    ```mlir
    nnet3.restricted_attention @attention {key_dim = 16, num_heads = 4, num_left_inputs = 5, num_left_inputs_required = 1, num_right_inputs = 2, num_right_inputs_required = 0, time_stride = 3, value_dim = 32}
    ```
  }];
  let inputDim = "num_heads * (2 * key_dim + value_dim + num_left_inputs + 1 + num_right_inputs)";
  let outputDim = [{num_heads *
    (value_dim + (output_context ? num_left_inputs + 1 + num_right_inputs : 0))}];
  let properties = [{ReordersIndexes | BackpropNeedsInput | PropagateAdds |
    BackpropAdds | StoresStats | UsesMemo}];
  let precomputed = "verifyShift(num_left_inputs + num_right_inputs)";
  let configKeys = (keys "num_heads", "key_dim", "value_dim",
    "num_left_inputs", "num_right_inputs", "time_stride",
    "num_left_inputs_required", "num_right_inputs_required", "output_context",
    "key_scale");
  let fileTokens = (tokens "num_heads", "key_dim", "value_dim",
    "num_left_inputs", "num_right_inputs", "time_stride",
    "num_left_inputs_required", "num_right_inputs_required", "output_context",
    "key_scale", "stats_count", "entropy_stats",
    Token<"posterior_stats", tokenKind = "DoubleMatrix",
      secondAttr = "num_heads">);
  let extraClassDeclaration = [{
    /// C: number of frames that one output row attends to.
    int64_t getContextDim() {
      return getNumLeftInputs() + 1 + getNumRightInputs();
    }
    /// Number of input frames to the left and to the right that must not be
    /// missing.
    int64_t getRequiredLeft() {
      return getNumLeftInputsRequired().value_or(getNumLeftInputs());
    }
    int64_t getRequiredRight() {
      return getNumRightInputsRequired().value_or(getNumRightInputs());
    }
    /// The factor of the dot products of queries and keys.
    float getActualKeyScale();
  }];
}

#endif // NNET3_DIALECT_NNET3_IR_COMPONENTS_CONTEXTCOMPONENTOPS_TD

//===- ContextFormats.cpp - Tokens of components with context -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ComponentFormat.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace mlir::nnet3 {

using K = TokenKind;
using Token = TokenField;

//===----------------------------------------------------------------------===//
// TimeHeightConvolutionComponent
//===----------------------------------------------------------------------===//

/// Rank of a preconditioner of the gradient (spec: components.md 6.11.1).
static int64_t getConvolutionRank(Operation *op, StringRef attribute) {
  auto convolution = cast<TimeHeightConvolutionOp>(op);
  int64_t filters = convolution.getNumFiltersOut();
  int64_t cols =
      convolution.getNumOffsets() * int64_t(convolution.getNumFiltersIn());
  int64_t dim = attribute == "rank_out" ? filters : cols + 1;
  return std::min<int64_t>(80, (dim + 1) / 2);
}

static SmallVector<int64_t> getRequiredTimes(Operation *op) {
  return cast<TimeHeightConvolutionOp>(op).getRequiredTimes();
}

static ComponentFormat makeTimeHeightConvolution() {
  return makeFormat<TimeHeightConvolutionOp>(updatable(
      {
          Token("<Model>", K::Flag, ""),
          Token("<ConvolutionModel>", K::Flag, "").orUnset(),
          Token("<NumFiltersIn>", K::Int, "num_filters_in"),
          Token("<NumFiltersOut>", K::Int, "num_filters_out"),
          Token("<HeightIn>", K::Int, "height_in"),
          Token("<HeightOut>", K::Int, "height_out"),
          Token("<HeightSubsampleOut>", K::Int, "height_subsample_out"),
          Token("<Offsets>", K::IntPairVector, "offsets"),
          Token("<RequiredTimeOffsets>", K::IntVector, "required_time_offsets")
              .otherwiseList(getRequiredTimes),
          Token("</ConvolutionModel>", K::Flag, ""),
          Token("<LinearParams>", K::Matrix, "linear_params"),
          Token("<BiasParams>", K::Vector, "bias_params"),
          Token("<MaxMemoryMb>", K::Float, "max_memory_mb"),
          Token("<UseNaturalGradient>", K::Bool, "use_natural_gradient"),
          Token("<NumMinibatchesHistory>", K::Float, "num_minibatches_history"),
          Token("<AlphaInOut>", K::FloatPair, "alpha_in", "alpha_out"),
          Token("<RankInOut>", K::IntPair, "rank_in", "rank_out")
              .otherwise(getConvolutionRank),
      },
      /*mayLackRate=*/true));
}

//===----------------------------------------------------------------------===//
// RestrictedAttentionComponent
//===----------------------------------------------------------------------===//

static int64_t getRequiredInputs(Operation *op, StringRef attribute) {
  auto attention = cast<RestrictedAttentionOp>(op);
  return attribute == "num_left_inputs_required" ? attention.getRequiredLeft()
                                                 : attention.getRequiredRight();
}

static double getKeyScale(Operation *op) {
  return cast<RestrictedAttentionOp>(op).getActualKeyScale();
}

static ComponentFormat makeRestrictedAttention() {
  return makeFormat<RestrictedAttentionOp>({
      Token("<NumHeads>", K::Int, "num_heads"),
      Token("<KeyDim>", K::Int, "key_dim"),
      Token("<ValueDim>", K::Int, "value_dim"),
      Token("<NumLeftInputs>", K::Int, "num_left_inputs"),
      Token("<NumRightInputs>", K::Int, "num_right_inputs"),
      Token("<TimeStride>", K::Int, "time_stride"),
      Token("<NumLeftInputsRequired>", K::Int, "num_left_inputs_required")
          .otherwise(getRequiredInputs),
      Token("<NumRightInputsRequired>", K::Int, "num_right_inputs_required")
          .otherwise(getRequiredInputs),
      Token("<OutputContext>", K::Bool, "output_context"),
      Token("<KeyScale>", K::Float, "key_scale").otherwiseReal(getKeyScale),
      Token("<StatsCount>", K::Double, "stats_count"),
      Token("<EntropyStats>", K::DoubleVector, "entropy_stats"),
      Token("<PosteriorStats>", K::DoubleMatrix, "posterior_stats",
            "num_heads"),
  });
}

//===----------------------------------------------------------------------===//
// The others
//===----------------------------------------------------------------------===//

static ComponentFormat makeStatisticsPooling() {
  return makeFormat<StatisticsPoolingOp>({
      Token("<InputDim>", K::Int, "input_dim"),
      Token("<InputPeriod>", K::Int, "input_period"),
      Token("<LeftContext>", K::Int, "left_context"),
      Token("<RightContext>", K::Int, "right_context"),
      Token("<NumLogCountFeatures>", K::Int, "num_log_count_features"),
      Token("<OutputStddevs>", K::Bool, "output_stddevs"),
      Token("<VarianceFloor>", K::Float, "variance_floor"),
  });
}

ArrayRef<ComponentFormat> getContextFormats() {
  Token inputDim("<InputDim>", K::Int, "input_dim");
  static const ComponentFormat formats[] = {
      makeFormat<DistributeOp>(
          {inputDim, Token("<OutputDim>", K::Int, "output_dim")}),
      makeFormat<StatisticsExtractionOp>({
          inputDim,
          Token("<InputPeriod>", K::Int, "input_period"),
          Token("<OutputPeriod>", K::Int, "output_period"),
          // Spelled so in all files.
          Token("<IncludeVarinance>", K::Bool, "include_variance"),
      }),
      makeStatisticsPooling(),
      makeTimeHeightConvolution(),
      makeRestrictedAttention(),
      makeFormat<CompositeOp>(updatable(
          {
              Token("<MaxRowsProcess>", K::Int, "max_rows_process"),
              Token("<NumComponents>", K::Components, ""),
          },
          /*mayLackRate=*/true)),
  };
  return formats;
}

} // namespace mlir::nnet3

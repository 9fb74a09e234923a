//===- ComponentTable.cpp - Config keys of component types ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComponentTable.h"

#include "llvm/ADT/STLExtras.h"

namespace mlir::nnet3 {

using R = KeyRange;
using llvm::StringLiteral;

//===----------------------------------------------------------------------===//
// Kinds of keys
//===----------------------------------------------------------------------===//

// Attributes are named after the keys, with `_` for `-`.

static constexpr ConfigKey dimKey(StringLiteral key, StringLiteral attribute) {
  return {key, attribute, KeyKind::Int, Required, R::Positive};
}
static constexpr ConfigKey optionalDim(StringLiteral key,
                                       StringLiteral attribute) {
  return {key, attribute, KeyKind::Int, NegativeIsDefault, R::Positive};
}
static constexpr ConfigKey intKey(StringLiteral key, StringLiteral attribute,
                                  R range = R::Any) {
  return {key, attribute, KeyKind::Int, None, range};
}
static constexpr ConfigKey floatKey(StringLiteral key, StringLiteral attribute,
                                    R range = R::Any, unsigned flags = None) {
  return {key, attribute, KeyKind::Float, flags, range};
}
static constexpr ConfigKey boolKey(StringLiteral key, StringLiteral attribute) {
  return {key, attribute, KeyKind::Bool};
}
static constexpr ConfigKey listKey(StringLiteral key, StringLiteral attribute) {
  return {key, attribute, KeyKind::IntList, Required};
}
static constexpr ConfigKey contextKey(StringLiteral key,
                                      StringLiteral attribute) {
  return {key, attribute, KeyKind::Int, Required, R::NonNegative};
}
static constexpr ConfigKey initKey(StringLiteral key, StringLiteral attribute,
                                   R range = R::Any) {
  return {key, attribute, KeyKind::Float, Init | NotWithFile, range};
}
static constexpr ConfigKey fileKey(StringLiteral key) {
  return {key, key, KeyKind::File, Init};
}

static constexpr ConfigKey kInputDim = dimKey("input-dim", "input_dim");
static constexpr ConfigKey kOutputDim = dimKey("output-dim", "output_dim");
static constexpr ConfigKey kDim = dimKey("dim", "dim");
/// The dim of FixedAffine, FixedScale and FixedBias, where a file is the only
/// key (components.md 6.5, 6.33, 6.34).
static constexpr ConfigKey fixedDim(StringLiteral key,
                                    StringLiteral attribute) {
  return {key, attribute, KeyKind::Int, Required | NotWithFile, R::Positive};
}
static constexpr ConfigKey kFixedDim = fixedDim("dim", "dim");
static constexpr ConfigKey kCellDim = dimKey("cell-dim", "cell_dim");
static constexpr ConfigKey kBlockDim = optionalDim("block-dim", "block_dim");
static constexpr ConfigKey kRankIn = optionalDim("rank-in", "rank_in");
static constexpr ConfigKey kRankOut = optionalDim("rank-out", "rank_out");
static constexpr ConfigKey kTestMode = boolKey("test-mode", "test_mode");
static constexpr ConfigKey kParamMean = initKey("param-mean", "param_mean");
static constexpr ConfigKey kParamStddev =
    initKey("param-stddev", "param_stddev", R::NonNegative);
static constexpr ConfigKey kBiasMean = initKey("bias-mean", "bias_mean");
static constexpr ConfigKey kBiasStddev =
    initKey("bias-stddev", "bias_stddev", R::NonNegative);
static constexpr ConfigKey kOrthonormal =
    floatKey("orthonormal-constraint", "orthonormal_constraint");
static constexpr ConfigKey kUseNaturalGradient =
    boolKey("use-natural-gradient", "use_natural_gradient");
static constexpr ConfigKey kAlpha = floatKey("alpha", "alpha", R::NonNegative);
static constexpr ConfigKey kSamplesHistory =
    floatKey("num-samples-history", "num_samples_history", R::Positive);
static constexpr ConfigKey kUpdatePeriod =
    intKey("update-period", "update_period", R::Positive);
static constexpr ConfigKey kRank = intKey("rank", "rank", R::Positive);

// The keys of all updatable components.
#define NNET3_UPDATABLE                                                        \
  floatKey("learning-rate", "learning_rate", R::NonNegative),                  \
      floatKey("learning-rate-factor", "learning_rate_factor",                 \
               R::NonNegative),                                                \
      floatKey("max-change", "max_change", R::NonNegative),                    \
      floatKey("l2-regularize", "l2_regularize", R::NonNegative)

//===----------------------------------------------------------------------===//
// The tables
//===----------------------------------------------------------------------===//

static constexpr ConfigKey kAffine[] = {
    fileKey("matrix"), kInputDim,    kOutputDim,     kParamStddev,
    kBiasStddev,       kOrthonormal, NNET3_UPDATABLE};

static constexpr ConfigKey kNaturalGradientAffine[] = {
    fileKey("matrix"), kInputDim,       kOutputDim, kParamStddev,
    kBiasStddev,       kBiasMean,       kRankIn,    kRankOut,
    kUpdatePeriod,     kSamplesHistory, kAlpha,     kOrthonormal,
    NNET3_UPDATABLE};

static constexpr ConfigKey kLinear[] = {
    fileKey("matrix"),   kInputDim,       kOutputDim,
    kParamStddev,        kRankIn,         kRankOut,
    kUpdatePeriod,       kSamplesHistory, kAlpha,
    kUseNaturalGradient, kOrthonormal,    NNET3_UPDATABLE};

static constexpr ConfigKey kFixedAffine[] = {
    fileKey("matrix"), fixedDim("input-dim", "input_dim"),
    fixedDim("output-dim", "output_dim")};

static constexpr ConfigKey kAlphaIn =
    floatKey("alpha-in", "alpha_in", R::NonNegative);
static constexpr ConfigKey kAlphaOut =
    floatKey("alpha-out", "alpha_out", R::NonNegative);

// A negative stddev stands for the default.
static constexpr ConfigKey kTdnn[] = {kInputDim,
                                      kOutputDim,
                                      listKey("time-offsets", "time_offsets"),
                                      initKey("param-stddev", "param_stddev"),
                                      kBiasStddev,
                                      kBiasMean,
                                      boolKey("use-bias", "use_bias"),
                                      kOrthonormal,
                                      kUseNaturalGradient,
                                      kRankIn,
                                      kRankOut,
                                      kAlphaIn,
                                      kAlphaOut,
                                      kSamplesHistory,
                                      NNET3_UPDATABLE};

static constexpr ConfigKey kBlockAffine[] = {
    kInputDim,      kOutputDim, dimKey("num-blocks", "num_blocks"),
    kParamStddev,   kBiasMean,  kBiasStddev,
    NNET3_UPDATABLE};

static constexpr ConfigKey kRepeatedAffine[] = {
    kInputDim,      kOutputDim, dimKey("num-repeats", "num_repeats"),
    kParamStddev,   kBiasMean,  kBiasStddev,
    NNET3_UPDATABLE};

static constexpr ConfigKey kConvolution[] = {
    fileKey("matrix"),
    dimKey("input-x-dim", "input_x_dim"),
    dimKey("input-y-dim", "input_y_dim"),
    dimKey("input-z-dim", "input_z_dim"),
    dimKey("filt-x-dim", "filt_x_dim"),
    dimKey("filt-y-dim", "filt_y_dim"),
    dimKey("filt-x-step", "filt_x_step"),
    dimKey("filt-y-step", "filt_y_step"),
    {"input-vectorization-order", "input_vectorization_order", KeyKind::Word},
    dimKey("num-filters", "num_filters"),
    kParamStddev,
    kBiasStddev,
    NNET3_UPDATABLE};

static constexpr ConfigKey kMaxpooling[] = {
    dimKey("input-x-dim", "input_x_dim"), dimKey("input-y-dim", "input_y_dim"),
    dimKey("input-z-dim", "input_z_dim"), dimKey("pool-x-size", "pool_x_size"),
    dimKey("pool-y-size", "pool_y_size"), dimKey("pool-z-size", "pool_z_size"),
    dimKey("pool-x-step", "pool_x_step"), dimKey("pool-y-step", "pool_y_step"),
    dimKey("pool-z-step", "pool_z_step")};

#define NNET3_CONSTANT                                                         \
  boolKey("is-updatable", "is_updatable"), kUseNaturalGradient,                \
      initKey("output-mean", "output_mean"),                                   \
      initKey("output-stddev", "output_stddev", R::NonNegative),               \
      NNET3_UPDATABLE

static constexpr ConfigKey kConstant[] = {kOutputDim, NNET3_CONSTANT};

static constexpr ConfigKey kConstantFunction[] = {kInputDim, kOutputDim,
                                                  NNET3_CONSTANT};

#undef NNET3_CONSTANT

static constexpr ConfigKey kNonlinear[] = {
    kDim, kBlockDim,
    floatKey("self-repair-lower-threshold", "self_repair_lower_threshold"),
    floatKey("self-repair-upper-threshold", "self_repair_upper_threshold"),
    floatKey("self-repair-scale", "self_repair_scale")};

static constexpr ConfigKey kNormalize[] = {
    dimKey("dim", "input_dim"), kInputDim, kBlockDim,
    floatKey("target-rms", "target_rms", R::Positive),
    boolKey("add-log-stddev", "add_log_stddev")};

static constexpr ConfigKey kBatchNorm[] = {
    kDim, kBlockDim, floatKey("epsilon", "epsilon", R::Positive),
    floatKey("target-rms", "target_rms", R::Positive), kTestMode};

static constexpr ConfigKey kNoOp[] = {
    kDim, floatKey("backprop-scale", "backprop_scale")};

static constexpr ConfigKey kElementwiseProduct[] = {kInputDim, kOutputDim};

static constexpr ConfigKey kPnorm[] = {kInputDim, kOutputDim};

static constexpr ConfigKey kSumBlock[] = {kInputDim, kOutputDim,
                                          floatKey("scale", "scale")};

static constexpr ConfigKey kSumGroup[] = {listKey("sizes", "sizes")};

static constexpr ConfigKey kPermute[] = {listKey("column-map", "column_map")};

static constexpr ConfigKey kFixedScale[] = {fileKey("scales"), kFixedDim,
                                            initKey("scale", "scale")};

static constexpr ConfigKey kFixedBias[] = {fileKey("bias"), kFixedDim};

static constexpr ConfigKey kPerElementScale[] = {
    fileKey("vector"), kDim, kParamMean, kParamStddev, NNET3_UPDATABLE};

static constexpr ConfigKey kNaturalGradientPerElementScale[] = {
    fileKey("scales"), kDim,   kParamMean,
    kParamStddev,      kRank,  kUpdatePeriod,
    kSamplesHistory,   kAlpha, NNET3_UPDATABLE};

// The vector may be shorter than `dim`: it is a block then.
static constexpr ConfigKey kPerElementOffset[] = {
    fileKey("vector"),
    kDim,
    {"block-dim", "block_dim", KeyKind::Int, NegativeIsDefault | NotWithFile,
     R::Positive},
    kParamMean,
    kParamStddev,
    kUseNaturalGradient,
    NNET3_UPDATABLE};

static constexpr ConfigKey kScaleAndOffset[] = {
    kDim, kBlockDim, kUseNaturalGradient, kRank, NNET3_UPDATABLE};

static constexpr ConfigKey kLstmNonlinearity[] = {
    kCellDim,
    kParamStddev,
    initKey("tanh-self-repair-threshold", "tanh_self_repair_threshold",
            R::UpToOne),
    initKey("sigmoid-self-repair-threshold", "sigmoid_self_repair_threshold",
            R::UpToQuarter),
    initKey("self-repair-scale", "self_repair_scale", R::UpToTenth),
    boolKey("use-dropout", "use_dropout"),
    NNET3_UPDATABLE};

static constexpr ConfigKey kRepairThreshold =
    floatKey("self-repair-threshold", "self_repair_threshold");
static constexpr ConfigKey kRepairScale =
    floatKey("self-repair-scale", "self_repair_scale");

static constexpr ConfigKey kGruNonlinearity[] = {
    kCellDim,         optionalDim("recurrent-dim", "recurrent_dim"),
    kRepairThreshold, kRepairScale,
    kParamStddev,     kAlpha,
    kRankIn,          kRankOut,
    kUpdatePeriod,    NNET3_UPDATABLE};

static constexpr ConfigKey kOutputGruNonlinearity[] = {
    kCellDim,   kRepairThreshold, kRepairScale,
    kParamMean, kParamStddev,     kAlpha,
    kRank,      kUpdatePeriod,    NNET3_UPDATABLE};

static constexpr ConfigKey kBackpropTruncation[] = {
    kDim,
    floatKey("scale", "scale", R::Positive),
    floatKey("clipping-threshold", "clipping_threshold"),
    floatKey("zeroing-threshold", "zeroing_threshold"),
    intKey("zeroing-interval", "zeroing_interval", R::Positive),
    intKey("recurrence-interval", "recurrence_interval", R::Positive)};

static constexpr ConfigKey kClipGradient[] = {
    kDim,
    floatKey("clipping-threshold", "clipping_threshold", R::NonNegative),
    boolKey("norm-based-clipping", "norm_based_clipping"),
    floatKey("self-repair-clipped-proportion-threshold",
             "self_repair_clipped_proportion_threshold"),
    floatKey("self-repair-target", "self_repair_target"),
    floatKey("self-repair-scale", "self_repair_scale")};

static constexpr ConfigKey kDropout[] = {
    kDim,
    floatKey("dropout-proportion", "dropout_proportion", R::UpToOne, Required),
    boolKey("dropout-per-frame", "dropout_per_frame"), kTestMode};

static constexpr ConfigKey kGeneralDropout[] = {
    kDim,
    kBlockDim,
    intKey("time-period", "time_period", R::NonNegative),
    floatKey("dropout-proportion", "dropout_proportion", R::UpToOne),
    floatKey("specaugment-max-proportion", "specaugment_max_proportion",
             R::UpToOne),
    intKey("specaugment-max-regions", "specaugment_max_regions", R::Positive),
    boolKey("continuous", "continuous"),
    kTestMode};

static constexpr ConfigKey kSpecAugmentTimeMask[] = {
    kDim, floatKey("zeroed-proportion", "zeroed_proportion", R::UpToOne),
    intKey("time-mask-max-frames", "time_mask_max_frames")};

static constexpr ConfigKey kDropoutMask[] = {
    kOutputDim,
    floatKey("dropout-proportion", "dropout_proportion", R::UpToOne),
    boolKey("continuous", "continuous"), kTestMode};

static constexpr ConfigKey kDistribute[] = {kInputDim, kOutputDim};

static constexpr ConfigKey kInputPeriod =
    intKey("input-period", "input_period", R::Positive);

static constexpr ConfigKey kStatisticsExtraction[] = {
    kInputDim, kInputPeriod,
    intKey("output-period", "output_period", R::Positive),
    boolKey("include-variance", "include_variance")};

static constexpr ConfigKey kStatisticsPooling[] = {
    kInputDim,
    kInputPeriod,
    contextKey("left-context", "left_context"),
    contextKey("right-context", "right_context"),
    intKey("num-log-count-features", "num_log_count_features", R::NonNegative),
    boolKey("output-stddevs", "output_stddevs"),
    floatKey("variance-floor", "variance_floor")};

static constexpr ConfigKey kTimeHeightConvolution[] = {
    dimKey("num-filters-in", "num_filters_in"),
    dimKey("num-filters-out", "num_filters_out"),
    dimKey("height-in", "height_in"),
    dimKey("height-out", "height_out"),
    intKey("height-subsample-out", "height_subsample_out", R::Positive),
    {"offsets", "offsets", KeyKind::PairList, Required},
    {"required-time-offsets", "required_time_offsets", KeyKind::IntList},
    floatKey("max-memory-mb", "max_memory_mb", R::Positive),
    initKey("param-stddev", "param_stddev"),
    kBiasStddev,
    {"init-unit", "init_unit", KeyKind::Bool, Init},
    kUseNaturalGradient,
    kRankIn,
    kRankOut,
    kAlphaIn,
    kAlphaOut,
    floatKey("num-minibatches-history", "num_minibatches_history"),
    NNET3_UPDATABLE};

static constexpr ConfigKey kRestrictedAttention[] = {
    intKey("num-heads", "num_heads", R::Positive),
    dimKey("key-dim", "key_dim"),
    dimKey("value-dim", "value_dim"),
    contextKey("num-left-inputs", "num_left_inputs"),
    contextKey("num-right-inputs", "num_right_inputs"),
    intKey("time-stride", "time_stride", R::Positive),
    {"num-left-inputs-required", "num_left_inputs_required", KeyKind::Int,
     NegativeIsDefault},
    {"num-right-inputs-required", "num_right_inputs_required", KeyKind::Int,
     NegativeIsDefault},
    boolKey("output-context", "output_context"),
    floatKey("key-scale", "key_scale", R::Any, NegativeIsDefault)};

static constexpr ConfigKey kComposite[] = {
    intKey("max-rows-process", "max_rows_process"), NNET3_UPDATABLE};

#undef NNET3_UPDATABLE

static const ComponentConfig kComponents[] = {
    {"AffineComponent", "nnet3.affine", kAffine, FileDims::Affine},
    {"NaturalGradientAffineComponent", "nnet3.natural_gradient_affine",
     kNaturalGradientAffine, FileDims::Affine},
    {"LinearComponent", "nnet3.linear", kLinear, FileDims::Linear},
    {"FixedAffineComponent", "nnet3.fixed_affine", kFixedAffine,
     FileDims::Affine},
    {"TdnnComponent", "nnet3.tdnn", kTdnn},
    {"RectifiedLinearComponent", "nnet3.rectified_linear", kNonlinear},
    {"SigmoidComponent", "nnet3.sigmoid", kNonlinear},
    {"TanhComponent", "nnet3.tanh", kNonlinear},
    {"SoftmaxComponent", "nnet3.softmax", kNonlinear},
    {"LogSoftmaxComponent", "nnet3.log_softmax", kNonlinear},
    {"NormalizeComponent", "nnet3.normalize", kNormalize},
    {"BatchNormComponent", "nnet3.batch_norm", kBatchNorm},
    {"NoOpComponent", "nnet3.no_op", kNoOp},
    {"ElementwiseProductComponent", "nnet3.elementwise_product",
     kElementwiseProduct},
    {"PnormComponent", "nnet3.pnorm", kPnorm},
    {"SumBlockComponent", "nnet3.sum_block", kSumBlock},
    {"SumGroupComponent", "nnet3.sum_group", kSumGroup, FileDims::NoFile,
     KeyGroup::EqualGroups},
    {"PermuteComponent", "nnet3.permute", kPermute},
    {"FixedScaleComponent", "nnet3.fixed_scale", kFixedScale, FileDims::Vector},
    {"FixedBiasComponent", "nnet3.fixed_bias", kFixedBias, FileDims::Vector},
    {"PerElementScaleComponent", "nnet3.per_element_scale", kPerElementScale,
     FileDims::Vector},
    {"NaturalGradientPerElementScaleComponent",
     "nnet3.natural_gradient_per_element_scale",
     kNaturalGradientPerElementScale, FileDims::Vector},
    {"PerElementOffsetComponent", "nnet3.per_element_offset", kPerElementOffset,
     FileDims::BlockVector},
    {"ScaleAndOffsetComponent", "nnet3.scale_and_offset", kScaleAndOffset},
    {"LstmNonlinearityComponent", "nnet3.lstm_nonlinearity", kLstmNonlinearity},
    {"BackpropTruncationComponent", "nnet3.backprop_truncation",
     kBackpropTruncation},
    {"ClipGradientComponent", "nnet3.clip_gradient", kClipGradient},
    {"DropoutComponent", "nnet3.dropout", kDropout},
    {"GeneralDropoutComponent", "nnet3.general_dropout", kGeneralDropout},
    {"SpecAugmentTimeMaskComponent", "nnet3.spec_augment_time_mask",
     kSpecAugmentTimeMask},
    {"DropoutMaskComponent", "nnet3.dropout_mask", kDropoutMask},
    {"GruNonlinearityComponent", "nnet3.gru_nonlinearity", kGruNonlinearity},
    {"OutputGruNonlinearityComponent", "nnet3.output_gru_nonlinearity",
     kOutputGruNonlinearity},
    {"BlockAffineComponent", "nnet3.block_affine", kBlockAffine},
    {"RepeatedAffineComponent", "nnet3.repeated_affine", kRepeatedAffine},
    {"NaturalGradientRepeatedAffineComponent",
     "nnet3.natural_gradient_repeated_affine", kRepeatedAffine},
    {"ConvolutionComponent", "nnet3.convolution", kConvolution,
     FileDims::Filters},
    {"MaxpoolingComponent", "nnet3.maxpooling", kMaxpooling},
    {"ConstantComponent", "nnet3.constant", kConstant},
    {"ConstantFunctionComponent", "nnet3.constant_function", kConstantFunction},
    {"DistributeComponent", "nnet3.distribute", kDistribute},
    {"StatisticsExtractionComponent", "nnet3.statistics_extraction",
     kStatisticsExtraction},
    {"StatisticsPoolingComponent", "nnet3.statistics_pooling",
     kStatisticsPooling},
    {"TimeHeightConvolutionComponent", "nnet3.time_height_convolution",
     kTimeHeightConvolution, FileDims::NoFile, KeyGroup::Offsets},
    {"RestrictedAttentionComponent", "nnet3.restricted_attention",
     kRestrictedAttention},
    {"CompositeComponent", "nnet3.composite", kComposite, FileDims::NoFile,
     KeyGroup::Components},
};

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

const ConfigKey *ComponentConfig::getFileKey() const {
  const ConfigKey *key = llvm::find_if(
      keys, [](const ConfigKey &key) { return key.kind == KeyKind::File; });
  return key == keys.end() ? nullptr : key;
}

llvm::ArrayRef<ComponentConfig> getComponentConfigs() { return kComponents; }

const ComponentConfig *findComponentConfig(llvm::StringRef type) {
  for (const ComponentConfig &config : kComponents)
    if (config.type == type)
      return &config;
  return nullptr;
}

} // namespace mlir::nnet3

//===- ComponentSamples.cpp - A component of each type --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComponentSamples.h"
#include "core/Component.h"

namespace nnet3 {
namespace rt {
namespace test {

namespace {

using Ints = std::vector<int64_t>;
using Samples = std::vector<ComponentSample>;

const Attr kDim = {"dim", 6}, kBlockDim = {"block_dim", 2};
const Attr kInputDim = {"input_dim", 6}, kOutputDim = {"output_dim", 3};

TensorData vec(int32_t dim) {
  return vectorTensor(randomMatrix(1, dim, uint32_t(dim)).values);
}

/// Four rows from six columns to \p outCols.
ComponentSample narrowing(const char *type, int32_t outCols, Attrs attrs) {
  ComponentSample sample = {type, "", std::move(attrs), {}};
  sample.outCols = outCols;
  return sample;
}

Samples affineSamples() {
  const TensorData weights = tensor(randomMatrix(3, 6, 1));
  const Attrs affine = {kInputDim,
                        kOutputDim,
                        {"linear_params", weights},
                        {"bias_params", vec(3)}};
  Samples samples;
  for (const char *type : {"AffineComponent", "NaturalGradientAffineComponent",
                           "FixedAffineComponent"})
    samples.push_back(narrowing(type, 3, affine));
  samples.push_back(narrowing("LinearComponent", 3,
                              {kInputDim, kOutputDim, {"params", weights}}));
  ComponentSample tdnn =
      narrowing("TdnnComponent", 3,
                {kInputDim,
                 kOutputDim,
                 {"time_offsets", Ints{0, 1}},
                 {"linear_params", tensor(randomMatrix(3, 12, 2))}});
  tdnn.precomputed = {{"row_stride", 1}, {"row_offsets", Ints{0, 1}}};
  tdnn.inRows = 5;
  for (bool hasBias : {false, true}) {
    samples.push_back(tdnn);
    samples.back().variant = hasBias ? "" : "NoBias";
    if (hasBias)
      samples.back().attrs.emplace_back("bias_params", vec(3));
    else
      samples.back().attrs.emplace_back("use_bias", false);
  }
  return samples;
}

Samples nonlinearSamples() {
  // Averages that call for self-repair.
  const Attrs attrs = {kDim,
                       {"self_repair_scale", 0.05},
                       {"value_avg", vec(6)},
                       {"deriv_avg", vectorTensor({0, 0, 0.5, 0.5, 1, 1})},
                       {"count", 10.0},
                       {"oderiv_rms", vec(6)},
                       {"oderiv_count", 10.0}};
  Samples samples;
  for (const char *type :
       {"RectifiedLinearComponent", "SigmoidComponent", "TanhComponent",
        "SoftmaxComponent", "LogSoftmaxComponent"})
    samples.push_back({type, "", attrs, {}});
  samples.back().idleProperties = kStoresStats;
  samples.push_back({"RectifiedLinearComponent", "Blocks", attrs, {}});
  samples.back().attrs.push_back(kBlockDim);
  ComponentSample lstm = {
      "LstmNonlinearityComponent",
      "",
      {{"cell_dim", 2}, {"params", tensor(randomMatrix(3, 2, 3))}},
      {}};
  lstm.inCols = 10;
  lstm.outCols = 4;
  samples.push_back(lstm);
  lstm.variant = "Dropout";
  lstm.inCols = 13;
  lstm.attrs.emplace_back("use_dropout", true);
  samples.push_back(lstm);
  return samples;
}

Samples normalizingSamples() {
  const Attrs statistics = {kDim,
                            kBlockDim,
                            {"test_mode", true},
                            {"count", 3.0},
                            {"stats_mean", vec(2)},
                            {"stats_var", vectorTensor({0.5, 2})}};
  ComponentSample logStddev =
      narrowing("NormalizeComponent", 9,
                {kInputDim, kBlockDim, {"add_log_stddev", true}});
  logStddev.variant = "LogStddev";
  Samples samples = {
      {"BatchNormComponent", "TestMode", statistics, {}},
      {"BatchNormComponent", "NoStatistics", {kDim, {"test_mode", true}}, {}}};
  for (ComponentSample &testMode : samples)
    testMode.idleProperties = kBackpropNeedsOutput;
  samples.insert(
      samples.end(),
      {{"BatchNormComponent", "", {kDim}, {}},
       {"BatchNormComponent", "Blocks", {kDim, kBlockDim}, {}},
       {"NormalizeComponent", "", {kInputDim, {"target_rms", 0.5}}, {}},
       logStddev});
  return samples;
}

Samples randomSamples() {
  const Attrs masks = {{"num_mask_rows", 2}, {"indexes", Ints{0, 1, 0, 1}}};
  return {{"DropoutComponent", "", {kDim, {"dropout_proportion", 0.5}}, {}},
          {"DropoutComponent",
           "PerFrame",
           {kDim, {"dropout_proportion", 0.5}, {"dropout_per_frame", true}},
           {}},
          {"GeneralDropoutComponent", "", {kDim}, masks},
          {"GeneralDropoutComponent",
           "Continuous",
           {kDim, {"continuous", true}},
           masks},
          {"GeneralDropoutComponent",
           "SpecAugment",
           {kDim,
            kBlockDim,
            {"specaugment_max_proportion", 0.5},
            {"specaugment_max_regions", 3}},
           {{"num_mask_rows", 6}, {"indexes", Ints{0, 1, 0, 1}}}},
          {"SpecAugmentTimeMaskComponent",
           "",
           {kDim, {"zeroed_proportion", 0.25}, {"time_mask_max_frames", 10}},
           {{"rows", Ints{0, 2, 1, 3}}, {"lengths", Ints{2, 2}}}}};
}

Samples columnSamples() {
  return {
      narrowing("ElementwiseProductComponent", 3, {kInputDim, kOutputDim}),
      narrowing("SumBlockComponent", 3,
                {kInputDim, kOutputDim, {"scale", 2.0}}),
      narrowing("SumGroupComponent", 3, {{"sizes", Ints{1, 2, 3}}}),
      {"PermuteComponent", "", {{"column_map", Ints{1, 0, 2, 3, 5, 4}}}, {}},
      {"FixedScaleComponent", "", {kDim, {"scales", vec(6)}}, {}},
      {"FixedBiasComponent", "", {kDim, {"bias", vec(6)}}, {}},
      {"PerElementScaleComponent", "", {kDim, {"scales", vec(6)}}, {}},
      {"NaturalGradientPerElementScaleComponent",
       "",
       {kDim, {"scales", vec(6)}},
       {}},
      {"PerElementOffsetComponent",
       "",
       {kDim, kBlockDim, {"offsets", vec(2)}},
       {}},
      {"ScaleAndOffsetComponent",
       "",
       {kDim, kBlockDim, {"scales", vec(2)}, {"offsets", vec(2)}},
       {}}};
}

/// One row is made of several, or several of one.
ComponentSample withRows(const char *type, int32_t inRows, int32_t inCols,
                         int32_t outRows, int32_t outCols, Attrs attrs,
                         Attrs precomputed) {
  ComponentSample sample = {type, "", std::move(attrs), std::move(precomputed)};
  sample.inRows = inRows;
  sample.inCols = inCols;
  sample.outRows = outRows;
  sample.outCols = outCols;
  return sample;
}

Samples contextSamples() {
  const Attrs pooling = {
      {"input_dim", 7}, {"left_context", 1}, {"right_context", 1}};
  const Attrs windows = {{"begins", Ints{0, 0, 1, 2}},
                         {"ends", Ints{2, 3, 4, 4}}};
  Samples samples = {
      withRows("DistributeComponent", 2, 6, 4, 2,
               {kInputDim, {"output_dim", 2}},
               {{"rows", Ints{0, 0, 1, 1}}, {"blocks", Ints{0, 2, 1, 0}}}),
      withRows("StatisticsExtractionComponent", 4, 6, 2, 13, {kInputDim},
               {{"begins", Ints{0, 1}}, {"ends", Ints{1, 4}}}),
      withRows("StatisticsExtractionComponent", 4, 6, 2, 7,
               {kInputDim, {"include_variance", false}},
               {{"begins", Ints{0, 2}}, {"ends", Ints{2, 4}}}),
      withRows("StatisticsPoolingComponent", 4, 7, 4, 6, pooling, windows),
      withRows("StatisticsPoolingComponent", 4, 7, 4, 6, pooling, windows),
      withRows("TimeHeightConvolutionComponent", 5, 6, 4, 3,
               {{"num_filters_in", 2},
                {"num_filters_out", 1},
                {"height_in", 3},
                {"height_out", 3},
                {"offsets", Ints{0, -1, 0, 0, 1, 0}},
                {"linear_params", tensor(randomMatrix(1, 6, 2))},
                {"bias_params", vec(1)}},
               {{"row_stride", 1}, {"row_offsets", Ints{0, 1}}}),
      withRows("RestrictedAttentionComponent", 6, 6, 4, 4,
               {{"key_dim", 1},
                {"value_dim", 1},
                {"num_left_inputs", 1},
                {"num_right_inputs", 1}},
               {{"row_shift", 1}}),
      narrowing("CompositeComponent", 3,
                {{"num_components", 2},
                 {"max_rows_process", 3},
                 {"component1.type", std::string("AffineComponent")},
                 {"component1.input_dim", 6},
                 {"component1.output_dim", 3},
                 {"component1.linear_params", tensor(randomMatrix(3, 6, 4))},
                 {"component1.bias_params", vec(3)},
                 {"component2.type", std::string("TanhComponent")},
                 {"component2.dim", 3}})};
  samples[2].variant = "NoVariance";
  samples[4].variant = "Stddevs";
  samples[4].attrs.emplace_back("output_stddevs", true);
  return samples;
}

Samples gradientSamples() {
  return {{"NoOpComponent", "", {kDim, {"backprop_scale", 0.5}}, {}},
          {"BackpropTruncationComponent",
           "",
           {kDim, {"clipping_threshold", 1.0}},
           {{"first_time", -1}, {"times", Ints{1, 2, 3, 21}}}},
          {"ClipGradientComponent",
           "",
           {kDim,
            {"clipping_threshold", 1.0},
            {"norm_based_clipping", true},
            {"num_elements_clipped", 50},
            {"num_elements_processed", 100}},
           {}}};
}

Samples blockSamples() {
  Samples samples;
  for (const char *type : {"BlockAffineComponent", "RepeatedAffineComponent",
                           "NaturalGradientRepeatedAffineComponent"}) {
    const bool isRepeated = type[0] != 'B';
    const int32_t rows = isRepeated ? 1 : 3;
    samples.push_back(
        narrowing(type, 3,
                  {kInputDim,
                   kOutputDim,
                   {isRepeated ? "num_repeats" : "num_blocks", 3},
                   {"linear_params", tensor(randomMatrix(rows, 2, 4))},
                   {"bias_params", vec(rows)}}));
  }
  return samples;
}

Samples constantSamples() {
  const Attr values = {"output", vec(6)}, dim = {"output_dim", 6};
  ComponentSample fixed = {"ConstantFunctionComponent",
                           "Fixed",
                           {kInputDim, dim, values, {"is_updatable", false}},
                           {}};
  return {{"ConstantComponent", "", {dim, values}, {}},
          {"ConstantFunctionComponent", "", {kInputDim, dim, values}, {}},
          fixed,
          {"DropoutMaskComponent", "", {dim}, {}}};
}

Samples gruSamples() {
  // Averages that call for self-repair.
  const Attrs common = {{"cell_dim", 2},
                        {"self_repair_scale", 0.05},
                        {"value_avg", vec(2)},
                        {"deriv_avg", vectorTensor({0, 1})},
                        {"count", 100.0}};
  ComponentSample gru = {"GruNonlinearityComponent", "", common, {}};
  gru.inCols = 8;
  gru.outCols = 4;
  ComponentSample projected = gru, output = gru;
  gru.attrs.push_back({"w_h", tensor(randomMatrix(2, 2, 5))});
  projected.variant = "Projected";
  projected.attrs.push_back({"recurrent_dim", 1});
  projected.attrs.push_back({"w_h", tensor(randomMatrix(2, 1, 5))});
  output.type = "OutputGruNonlinearityComponent";
  output.inCols = 6;
  output.attrs.push_back({"w_h", vec(2)});
  return {gru, projected, output};
}

Samples imageSamples() {
  const Attrs image = {
      {"input_x_dim", 3}, {"input_y_dim", 1}, {"input_z_dim", 2}};
  Attrs filters = image, pools = image;
  filters.insert(filters.end(),
                 {{"filt_x_dim", 2},
                  {"filt_y_dim", 1},
                  {"filt_x_step", 1},
                  {"filt_y_step", 1},
                  {"num_filters", 2},
                  {"filter_params", tensor(randomMatrix(2, 4, 6))},
                  {"bias_params", vec(2)}});
  pools.insert(pools.end(), {{"pool_x_size", 2},
                             {"pool_y_size", 1},
                             {"pool_z_size", 2},
                             {"pool_x_step", 1},
                             {"pool_y_step", 1},
                             {"pool_z_step", 1}});
  ComponentSample yFastest = narrowing("ConvolutionComponent", 4, filters);
  yFastest.variant = "YFastest";
  yFastest.attrs.push_back({"input_vectorization_order", std::string("yzx")});
  return {narrowing("ConvolutionComponent", 4, filters), yFastest,
          narrowing("MaxpoolingComponent", 2, pools),
          narrowing("PnormComponent", 3, {kInputDim, kOutputDim})};
}

} // namespace

std::vector<ComponentSample> componentSamples() {
  Samples samples;
  for (const Samples &family :
       {affineSamples(), nonlinearSamples(), normalizingSamples(),
        randomSamples(), columnSamples(), gradientSamples(), blockSamples(),
        constantSamples(), gruSamples(), imageSamples(), contextSamples()})
    samples.insert(samples.end(), family.begin(), family.end());
  return samples;
}

} // namespace test
} // namespace rt
} // namespace nnet3

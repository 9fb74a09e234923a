//===- WeightInfo.cpp - Info text of weights ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InfoWriter.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Kaldi's default update period for these components; model files do not
/// contain it.
static constexpr int64_t kUpdatePeriod = 4;

static void describeAffine(InfoWriter &writer) {
  writer.updatable()
      .fieldUnless(0, "orthonormal-constraint")
      .norms("linear-params", "linear_params")
      .spread("bias", "bias_params");
}

static void describeNaturalGradientAffine(InfoWriter &writer) {
  describeAffine(writer);
  writer.fields(
      {"rank-in", "rank-out", "num-samples-history", "update-period", "alpha"});
}

static void describeLinear(InfoWriter &writer) {
  writer.updatable()
      .norms("params", "params")
      .fieldUnless(0, "orthonormal-constraint")
      .fields({"use-natural-gradient", "rank-in", "rank-out",
               "num-samples-history", "update-period", "alpha"});
}

static void describeTdnn(InfoWriter &writer) {
  writer.updatable()
      .fieldUnless(0, "orthonormal-constraint")
      .field("time-offsets")
      .norms("linear-params", "linear_params");
  if (writer.getBool("use_bias"))
    writer.spread("bias", "bias_params");
  else
    writer.getStream() << ", has-bias=false";
  if (!writer.getBool("use_natural_gradient")) {
    writer.field("use-natural-gradient");
    return;
  }
  writer.fields({"rank-in", "rank-out", "num-samples-history"})
      .number("update-period", kUpdatePeriod)
      .fields({"alpha-in", "alpha-out"});
}

static void describeRepeatedAffine(InfoWriter &writer) {
  writer.updatable()
      .field("num-repeats")
      .rms("linear-params", "linear_params")
      .spread("bias", "bias_params");
}

static void describeBlockAffine(InfoWriter &writer) {
  writer.updatable()
      .field("num-blocks")
      .rms("linear-params", "linear_params")
      .spread("bias", "bias_params");
}

static void describeFixedAffine(InfoWriter &writer) {
  writer.dims()
      .rms("linear-params", "linear_params")
      .spread("bias", "bias_params");
}

static void describeFixedScale(InfoWriter &writer) {
  writer.dims().spread("scales", "scales");
}

static void describeFixedBias(InfoWriter &writer) {
  writer.dims().spread("bias", "bias");
}

static void describePerElementScale(InfoWriter &writer) {
  writer.updatable().range("scales", "scales").spread("scales", "scales");
}

static void describeNaturalGradientPerElementScale(InfoWriter &writer) {
  describePerElementScale(writer);
  writer.fields({"rank", "update-period", "num-samples-history", "alpha"});
}

/// The attribute is unset if the block is the whole row.
static int64_t getBlockDim(InfoWriter &writer) {
  const int64_t dim = writer.getInt("block_dim");
  return dim != 0 ? dim : writer.getInt("dim");
}

static void describePerElementOffset(InfoWriter &writer) {
  writer.updatable()
      .range("offsets", "offsets")
      .number("block-dim", getBlockDim(writer), 12)
      .field("use-natural-gradient")
      .spread("offsets", "offsets");
}

static void describeScaleAndOffset(InfoWriter &writer) {
  writer.updatable().field("rank");
  if (getBlockDim(writer) != writer.getInt("dim"))
    writer.field("block-size", "block_dim");
  writer.spread("scales", "scales").spread("offsets", "offsets");
}

static void describeConstantFunction(InfoWriter &writer) {
  writer.updatable().getStream() << ", ";
  writer.type()
      .fields(
          {"input-dim", "output-dim", "is-updatable", "use-natural-gradient"})
      .spread("output", "output");
}

static void describeConstant(InfoWriter &writer) {
  writer.updatable().getStream() << ", ";
  writer.type()
      .fields({"output-dim", "is-updatable", "use-natural-gradient"})
      .spread("output", "output");
}

static void describeConvolution(InfoWriter &writer) {
  writer.updatable().fields({"input-x-dim", "input-y-dim", "input-z-dim",
                             "filt-x-dim", "filt-y-dim", "filt-x-step",
                             "filt-y-step"});
  writer
      .number("input-vectorization",
              writer.getText("input_vectorization_order") == "zyx")
      .field("num-filters")
      .rms("filter-params", "filter_params")
      .spread("bias-params", "bias_params");
}

/// Writes the (time, height) pairs.
static void writeOffsets(InfoWriter &writer) {
  raw_ostream &os = writer.getStream();
  ArrayRef<int64_t> offsets = writer.getList("offsets");
  os << ", {time,height}-offsets=[";
  for (size_t i = 0; i + 1 < offsets.size(); i += 2)
    os << (i > 0 ? " " : "") << offsets[i] << ',' << offsets[i + 1];
  os << "], required-time-offsets=[";
  llvm::interleave(writer.getList("required_time_offsets"), os, ",");
  os << ']';
}

static void describeTimeHeightConvolution(InfoWriter &writer) {
  raw_ostream &os = writer.updatable().getStream();
  const int64_t filtersIn = writer.getInt("num_filters_in");
  const int64_t filtersOut = writer.getInt("num_filters_out");
  const int64_t heightIn = writer.getInt("height_in");
  const int64_t heightOut = writer.getInt("height_out");
  os << " num-filters-in=" << filtersIn;
  writer.fields(
      {"num-filters-out", "height-in", "height-out", "height-subsample-out"});
  writeOffsets(writer);
  os << ", input-dim=" << filtersIn * heightIn
     << ", output-dim=" << filtersOut * heightOut;
  const int64_t numParams = writer.getTensor("linear_params").values.size() +
                            writer.getTensor("bias_params").values.size();
  writer.rms("filter-params", "linear_params")
      .spread("bias-params", "bias_params")
      .number("num-params", numParams, 12)
      .field("max-memory-mb")
      .number("use-natural-gradient", writer.getBool("use_natural_gradient"));
  if (writer.getBool("use_natural_gradient"))
    writer.fields({"num-minibatches-history", "rank-in", "rank-out"})
        .field("alpha", "alpha_in");
}

DescribeFn mlir::nnet3::findWeightInfo(StringRef type) {
  return llvm::StringSwitch<DescribeFn>(type)
      .Case("Affine", describeAffine)
      .Case("NaturalGradientAffine", describeNaturalGradientAffine)
      .Case("Linear", describeLinear)
      .Case("Tdnn", describeTdnn)
      .Case("RepeatedAffine", describeRepeatedAffine)
      .Case("NaturalGradientRepeatedAffine", describeRepeatedAffine)
      .Case("BlockAffine", describeBlockAffine)
      .Case("FixedAffine", describeFixedAffine)
      .Case("FixedScale", describeFixedScale)
      .Case("FixedBias", describeFixedBias)
      .Case("PerElementScale", describePerElementScale)
      .Case("NaturalGradientPerElementScale",
            describeNaturalGradientPerElementScale)
      .Case("PerElementOffset", describePerElementOffset)
      .Case("ScaleAndOffset", describeScaleAndOffset)
      .Case("ConstantFunction", describeConstantFunction)
      .Case("Constant", describeConstant)
      .Case("Convolution", describeConvolution)
      .Case("TimeHeightConvolution", describeTimeHeightConvolution)
      .Default(nullptr);
}

//===- PerElementComponents.cpp - A scale or offset per column ------------===//
//
// FixedScale, FixedBias, PerElementScale, NaturalGradientPerElementScale,
// PerElementOffset, ScaleAndOffset (spec: components.md 6.14, 6.20, 6.31-6.34).
// The vectors repeat over the blocks of a row.
//
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "Rows.h"
#include "VectorMath.h"

#include <cmath>
#include <vector>

namespace nnet3 {
namespace runtime {
namespace {

class ScaleComponent : public Component {
public:
  ScaleComponent(int32_t dim, const float *scales, uint32_t properties)
      : Component(dim, dim, properties), scales(scales) {}

  void propagate(const PropagatePlan *, ConstMatrixView in, MatrixView out,
                 const RunContext &) const override {
    forEachBlock(in, out, in.cols, in.cols, [&](const float *x, float *y) {
      vecMul(in.cols, x, scales, y);
    });
  }

private:
  const float *scales;
};

class OffsetComponent : public Component {
public:
  OffsetComponent(int32_t dim, int32_t blockDim, const float *offsets,
                  uint32_t properties)
      : Component(dim, dim, properties), blockDim(blockDim), offsets(offsets) {}

  void propagate(const PropagatePlan *, ConstMatrixView in, MatrixView out,
                 const RunContext &) const override {
    forEachBlock(in, out, blockDim, blockDim, [&](const float *x, float *y) {
      vecAdd(blockDim, x, offsets, y);
    });
  }

private:
  int32_t blockDim;
  const float *offsets;
};

/// Scales whose magnitude is below 1e-4 are raised to it, keeping the sign, so
/// that the backward pass can divide by them.
class ScaleAndOffsetComponent : public Component {
public:
  ScaleAndOffsetComponent(int32_t dim, int32_t blockDim, const float *rawScales,
                          const float *offsets)
      : Component(
            dim, dim,
            kSimpleComponent | kUpdatableComponent | kBackpropInPlace |
                kPropagateInPlace | kBackpropNeedsOutput |
                (blockDim != dim ? kInputContiguous | kOutputContiguous : 0u)),
        scales(rawScales, rawScales + blockDim), offsets(offsets) {
    const float kLeast = 1e-4f;
    for (float &scale : scales)
      if (std::fabs(scale) < kLeast)
        scale = scale < 0 ? -kLeast : kLeast;
  }

  void propagate(const PropagatePlan *, ConstMatrixView in, MatrixView out,
                 const RunContext &) const override {
    const int32_t width = static_cast<int32_t>(scales.size());
    forEachBlock(in, out, width, width, [&](const float *x, float *y) {
      vecScaleOffset(width, x, scales.data(), offsets, y);
    });
  }

private:
  std::vector<float> scales;
  const float *offsets;
};

constexpr uint32_t kInPlace =
    kSimpleComponent | kPropagateInPlace | kBackpropInPlace;

template <uint32_t Properties>
std::unique_ptr<Component> createScale(AttributeReader &attributes) {
  const int32_t dim = attributes.dim("dim");
  return std::make_unique<ScaleComponent>(
      dim, attributes.tensor("scales", {dim}), Properties);
}

std::unique_ptr<Component> createFixedBias(AttributeReader &attributes) {
  const int32_t dim = attributes.dim("dim");
  return std::make_unique<OffsetComponent>(
      dim, dim, attributes.tensor("bias", {dim}), kInPlace);
}

/// The width of the vectors, which divides \p dim.
int32_t readBlockDim(AttributeReader &attributes, int32_t dim) {
  const int32_t blockDim = attributes.dim("block_dim", dim);
  if (dim % blockDim != 0)
    attributes.fail("expects block_dim to divide dim, but got " +
                    std::to_string(blockDim) + " and " + std::to_string(dim));
  return blockDim;
}

std::unique_ptr<Component> createOffset(AttributeReader &attributes) {
  const int32_t dim = attributes.dim("dim");
  const int32_t blockDim = readBlockDim(attributes, dim);
  const float *offsets = attributes.tensor("offsets", {blockDim});
  return std::make_unique<OffsetComponent>(
      dim, blockDim, offsets,
      kInPlace | kUpdatableComponent |
          (blockDim < dim ? uint32_t(kOutputContiguous) : 0u));
}

std::unique_ptr<Component> createScaleAndOffset(AttributeReader &attributes) {
  const int32_t dim = attributes.dim("dim");
  const int32_t blockDim = readBlockDim(attributes, dim);
  const float *scales = attributes.tensor("scales", {blockDim});
  const float *offsets = attributes.tensor("offsets", {blockDim});
  if (!attributes.ok())
    return nullptr;
  return std::make_unique<ScaleAndOffsetComponent>(dim, blockDim, scales,
                                                   offsets);
}

constexpr uint32_t kTrainedScale =
    kInPlace | kUpdatableComponent | kBackpropNeedsInput;

constexpr ComponentFactory kFactories[] = {
    {"FixedScaleComponent", createScale<kInPlace>},
    {"FixedBiasComponent", createFixedBias},
    {"PerElementScaleComponent", createScale<kTrainedScale>},
    {"NaturalGradientPerElementScaleComponent", createScale<kTrainedScale>},
    {"PerElementOffsetComponent", createOffset},
    {"ScaleAndOffsetComponent", createScaleAndOffset}};

} // namespace

FactoryTable perElementFactories() { return makeTable(kFactories); }

} // namespace runtime
} // namespace nnet3

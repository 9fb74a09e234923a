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

#include <algorithm>
#include <cmath>

namespace nnet3 {
namespace runtime {
namespace {

/// The vector of a component: a parameter where it is trained, otherwise its
/// own.
class VectorComponent : public Component {
protected:
  VectorComponent(int32_t dim, const char *name, const float *values,
                  int32_t blockDim, uint32_t properties)
      : Component(dim, dim, properties), blockDim(blockDim), fixed(values) {
    if (properties & kUpdatableComponent)
      addVector(name, values, blockDim);
  }

  const float *vector(const RunContext &context) const {
    return parameters().empty() ? fixed : context.parameters[0].data;
  }

  int32_t blockDim;

private:
  const float *fixed;
};

class ScaleComponent : public VectorComponent {
public:
  ScaleComponent(int32_t dim, const float *scales, uint32_t properties)
      : VectorComponent(dim, "scales", scales, dim, properties) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override {
    const float *scales = vector(context);
    forEachBlock(in, out, blockDim, blockDim, [&](const float *x, float *y) {
      vecMul(blockDim, x, scales, y);
    });
  }
};

class OffsetComponent : public VectorComponent {
public:
  OffsetComponent(int32_t dim, int32_t blockDim, const float *offsets,
                  uint32_t properties)
      : VectorComponent(dim, "offsets", offsets, blockDim, properties) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override {
    const float *offsets = vector(context);
    forEachBlock(in, out, blockDim, blockDim, [&](const float *x, float *y) {
      vecAdd(blockDim, x, offsets, y);
    });
  }
};

/// Scales whose magnitude is below 1e-4 are raised to it, keeping the sign, so
/// that the backward pass can divide by them.
float clampScale(float scale) {
  const float kLeast = 1e-4f;
  if (std::fabs(scale) >= kLeast)
    return scale;
  return scale < 0 ? -kLeast : kLeast;
}

class ScaleAndOffsetComponent : public Component {
public:
  ScaleAndOffsetComponent(int32_t dim, int32_t blockDim, const float *scales,
                          const float *offsets)
      : Component(
            dim, dim,
            kSimpleComponent | kUpdatableComponent | kBackpropInPlace |
                kPropagateInPlace | kBackpropNeedsOutput |
                (blockDim != dim ? kInputContiguous | kOutputContiguous : 0u)),
        blockDim(blockDim) {
    addVector("scales", scales, blockDim);
    addVector("offsets", offsets, blockDim);
  }

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override {
    Component::plan(inRows, outRows, precomputed, errors);
    auto plan = std::make_unique<CommandPlan>();
    plan->scratchBytes = sizeof(float) * uint64_t(blockDim);
    return plan;
  }

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override {
    auto *scales = static_cast<float *>(context.scratch);
    std::transform(context.parameters[0].data,
                   context.parameters[0].data + blockDim, scales, clampScale);
    const float *offsets = context.parameters[1].data;
    forEachBlock(in, out, blockDim, blockDim, [&](const float *x, float *y) {
      vecScaleOffset(blockDim, x, scales, offsets, y);
    });
  }

private:
  int32_t blockDim;
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

//===- AffineComponents.cpp - Affine maps of rows -------------------------===//
//
// Affine, NaturalGradientAffine, FixedAffine, Linear (spec: components.md
// 6.2-6.5). Weights have one row per output unit.
//
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "VectorMath.h"
#include "core/Gemm.h"

#include <cstring>

namespace nnet3 {
namespace runtime {
namespace {

/// y = b + x W^T, or y += x W^T where there is no bias.
class AffineComponent : public Component {
public:
  AffineComponent(ConstMatrixView weights, const float *bias,
                  uint32_t properties)
      : Component(weights.cols, weights.rows, properties), weights(weights),
        bias(bias) {}

  void propagate(const PropagatePlan *, ConstMatrixView in, MatrixView out,
                 const RunContext &) const override {
    if (bias)
      for (int32_t r = 0; r < out.rows; ++r)
        std::memcpy(out.row(r), bias, sizeof(float) * out.cols);
    gemmNT(in, weights, 1.0f, out);
  }

private:
  ConstMatrixView weights;
  const float *bias;
};

std::unique_ptr<Component> create(AttributeReader &attributes,
                                  const char *weightsName, bool hasBias,
                                  uint32_t properties) {
  const int32_t in = attributes.dim("input_dim");
  const int32_t out = attributes.dim("output_dim");
  const float *weights = attributes.tensor(weightsName, {out, in});
  const float *bias =
      hasBias ? attributes.tensor("bias_params", {out}) : nullptr;
  return std::make_unique<AffineComponent>(
      ConstMatrixView(weights, out, in, in), bias, properties);
}

constexpr uint32_t kTrained = kSimpleComponent | kUpdatableComponent |
                              kBackpropNeedsInput | kBackpropAdds;

std::unique_ptr<Component> createAffine(AttributeReader &attributes) {
  return create(attributes, "linear_params", true, kTrained);
}

std::unique_ptr<Component> createFixedAffine(AttributeReader &attributes) {
  return create(attributes, "linear_params", true,
                kSimpleComponent | kBackpropAdds);
}

std::unique_ptr<Component> createLinear(AttributeReader &attributes) {
  return create(attributes, "params", false, kTrained | kPropagateAdds);
}

constexpr ComponentFactory kFactories[] = {
    {"AffineComponent", createAffine},
    {"NaturalGradientAffineComponent", createAffine},
    {"FixedAffineComponent", createFixedAffine},
    {"LinearComponent", createLinear}};

} // namespace

FactoryTable affineFactories() { return makeTable(kFactories); }

} // namespace runtime
} // namespace nnet3

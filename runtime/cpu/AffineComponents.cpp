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

/// out := bias + in weights^T, or out += in weights^T where there is no bias.
void affine(ConstMatrixView in, ConstMatrixView weights, const float *bias,
            MatrixView out) {
  if (bias)
    for (int32_t r = 0; r < out.rows; ++r)
      std::memcpy(out.row(r), bias, sizeof(float) * out.cols);
  gemmNT(in, weights, 1.0f, out);
}

/// Affine, NaturalGradientAffine and, without a bias, Linear.
class AffineComponent : public Component {
public:
  AffineComponent(const char *weightsName, ConstMatrixView weights,
                  const float *bias, uint32_t properties)
      : Component(weights.cols, weights.rows, properties),
        hasBias(bias != nullptr) {
    addMatrix(weightsName, weights);
    if (bias)
      addVector("bias_params", bias, weights.rows);
  }

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override {
    affine(in, context.parameters[0],
           hasBias ? context.parameters[1].data : nullptr, out);
  }

private:
  bool hasBias;
};

class FixedAffineComponent : public Component {
public:
  FixedAffineComponent(ConstMatrixView weights, const float *bias)
      : Component(weights.cols, weights.rows, kSimpleComponent | kBackpropAdds),
        weights(weights), bias(bias) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    affine(in, weights, bias, out);
  }

private:
  ConstMatrixView weights;
  const float *bias;
};

/// A matrix attribute with one row per output unit.
ConstMatrixView readWeights(AttributeReader &attributes, const char *name) {
  const int32_t in = attributes.dim("input_dim");
  const int32_t out = attributes.dim("output_dim");
  return ConstMatrixView(attributes.tensor(name, {out, in}), out, in, in);
}

constexpr uint32_t kTrained = kSimpleComponent | kUpdatableComponent |
                              kBackpropNeedsInput | kBackpropAdds;

std::unique_ptr<Component> createAffine(AttributeReader &attributes) {
  const ConstMatrixView weights = readWeights(attributes, "linear_params");
  const float *bias = attributes.tensor("bias_params", {weights.rows});
  return std::make_unique<AffineComponent>("linear_params", weights, bias,
                                           kTrained);
}

std::unique_ptr<Component> createFixedAffine(AttributeReader &attributes) {
  const ConstMatrixView weights = readWeights(attributes, "linear_params");
  return std::make_unique<FixedAffineComponent>(
      weights, attributes.tensor("bias_params", {weights.rows}));
}

std::unique_ptr<Component> createLinear(AttributeReader &attributes) {
  return std::make_unique<AffineComponent>("params",
                                           readWeights(attributes, "params"),
                                           nullptr, kTrained | kPropagateAdds);
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

//===- IdentityComponents.cpp - Components that act going backward --------===//
//
// NoOp, ClipGradient, BackpropTruncation (spec: components.md 6.9, 6.25, 6.16):
// forward they copy, the last with a scale.
//
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "Rows.h"
#include "VectorMath.h"

namespace nnet3 {
namespace runtime {
namespace {

class ScaledCopyComponent : public Component {
public:
  ScaledCopyComponent(int32_t dim, float scale, uint32_t properties)
      : Component(dim, dim, properties), scale(scale) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    if (scale == 1.0f && in.data == out.data)
      return;
    forEachElement(in, out, [&](int64_t n, const float *x, float *y) {
      vecScale(n, scale, x, y);
    });
  }

private:
  float scale;
};

std::unique_ptr<Component> createNoOp(AttributeReader &attributes) {
  return std::make_unique<ScaledCopyComponent>(
      attributes.dim("dim"), 1.0f,
      kSimpleComponent | kPropagateInPlace | kBackpropInPlace);
}

std::unique_ptr<Component> createClipGradient(AttributeReader &attributes) {
  return std::make_unique<ScaledCopyComponent>(
      attributes.dim("dim"), 1.0f,
      kSimpleComponent | kPropagateInPlace | kBackpropInPlace |
          kBackpropNeedsInput);
}

std::unique_ptr<Component> createTruncation(AttributeReader &attributes) {
  return std::make_unique<ScaledCopyComponent>(
      attributes.dim("dim"), static_cast<float>(attributes.real("scale", 1.0)),
      kPropagateInPlace | kBackpropInPlace);
}

constexpr ComponentFactory kFactories[] = {
    {"NoOpComponent", createNoOp},
    {"ClipGradientComponent", createClipGradient},
    {"BackpropTruncationComponent", createTruncation}};

} // namespace

FactoryTable identityFactories() { return makeTable(kFactories); }

} // namespace runtime
} // namespace nnet3

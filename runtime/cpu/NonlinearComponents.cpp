//===- NonlinearComponents.cpp - Elementwise nonlinearities ---------------===//
//
// RectifiedLinear, Sigmoid, Tanh (spec: components.md 6.6, 6.17, 6.18).
//
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "Rows.h"
#include "VectorMath.h"

namespace nnet3 {
namespace runtime {
namespace {

/// y = f(x) for each element, f given as a loop.
template <void (*Loop)(int64_t, const float *, float *)>
class ElementwiseComponent : public Component {
public:
  ElementwiseComponent(int32_t dim, uint32_t properties)
      : Component(dim, dim, properties) {}

  void propagate(const PropagatePlan *, ConstMatrixView in, MatrixView out,
                 const RunContext &) const override {
    forEachElement(in, out, Loop);
  }
};

constexpr uint32_t kNonlinear =
    kSimpleComponent | kBackpropNeedsOutput | kPropagateInPlace | kStoresStats;

template <void (*Loop)(int64_t, const float *, float *)>
std::unique_ptr<Component> create(AttributeReader &attributes) {
  return std::make_unique<ElementwiseComponent<Loop>>(attributes.dim("dim"),
                                                      kNonlinear);
}

/// block-dim matters to the self-repair of the backward pass alone, which views
/// its input in blocks.
std::unique_ptr<Component> createRelu(AttributeReader &attributes) {
  const int32_t dim = attributes.dim("dim");
  const bool blocked = attributes.dim("block_dim", dim) != dim;
  return std::make_unique<ElementwiseComponent<vecRelu>>(
      dim, kNonlinear | (blocked ? uint32_t(kInputContiguous) : 0u));
}

constexpr ComponentFactory kFactories[] = {
    {"RectifiedLinearComponent", createRelu},
    {"SigmoidComponent", create<vecSigmoid>},
    {"TanhComponent", create<vecTanh>}};

} // namespace

FactoryTable nonlinearFactories() { return makeTable(kFactories); }

} // namespace runtime
} // namespace nnet3

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

/// y = f(x) for each element, and dx = f'(x) dy, each given as a loop; the
/// second one finds f'(x) from y.
template <void (*Loop)(int64_t, const float *, float *),
          void (*DerivLoop)(int64_t, const float *, const float *, float *)>
class ElementwiseComponent : public Component {
public:
  ElementwiseComponent(int32_t dim, uint32_t properties)
      : Component(dim, dim, properties) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    forEachElement(in, out, Loop);
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &) const override {
    const MatrixView &inDeriv = operands.inDeriv;
    for (int32_t r = 0; inDeriv.data && r < inDeriv.rows; ++r)
      DerivLoop(inDeriv.cols, operands.outValue.row(r),
                operands.outDeriv.row(r), inDeriv.row(r));
  }
};

constexpr uint32_t kNonlinear =
    kSimpleComponent | kBackpropNeedsOutput | kPropagateInPlace | kStoresStats;

using Relu = ElementwiseComponent<vecRelu, vecReluDeriv>;
using Sigmoid = ElementwiseComponent<vecSigmoid, vecSigmoidDeriv>;
using Tanh = ElementwiseComponent<vecTanh, vecTanhDeriv>;

template <typename Type>
std::unique_ptr<Component> create(AttributeReader &attributes) {
  return std::make_unique<Type>(attributes.dim("dim"), kNonlinear);
}

/// block-dim matters to the self-repair of the backward pass alone, which views
/// its input in blocks.
std::unique_ptr<Component> createRelu(AttributeReader &attributes) {
  const int32_t dim = attributes.dim("dim");
  const bool blocked = attributes.dim("block_dim", dim) != dim;
  return std::make_unique<Relu>(
      dim, kNonlinear | (blocked ? uint32_t(kInputContiguous) : 0u));
}

constexpr ComponentFactory kFactories[] = {
    {"RectifiedLinearComponent", createRelu},
    {"SigmoidComponent", create<Sigmoid>},
    {"TanhComponent", create<Tanh>}};

} // namespace

FactoryTable nonlinearFactories() { return makeTable(kFactories); }

} // namespace runtime
} // namespace nnet3

//===- SoftmaxComponents.cpp - Softmax over rows --------------------------===//
//
// Softmax, LogSoftmax (spec: components.md 6.30, 6.10). The row's maximum is
// subtracted first, so no magnitude overflows.
//
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "VectorMath.h"

#include <cmath>

namespace nnet3 {
namespace runtime {
namespace {

constexpr float kSoftmaxFloor = 1e-20f;

class SoftmaxComponent : public Component {
public:
  explicit SoftmaxComponent(int32_t dim)
      : Component(dim, dim,
                  kSimpleComponent | kPropagateInPlace | kBackpropInPlace |
                      kBackpropNeedsOutput | kStoresStats) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    for (int32_t r = 0; r < in.rows; ++r) {
      const float *x = in.row(r);
      float *y = out.row(r);
      const double sum = vecExpSum(in.cols, x, vecMax(in.cols, x), y);
      vecScaleFloor(in.cols, static_cast<float>(1 / sum), kSoftmaxFloor, y);
    }
  }
};

class LogSoftmaxComponent : public Component {
public:
  explicit LogSoftmaxComponent(int32_t dim)
      : Component(dim, dim,
                  kSimpleComponent | kBackpropNeedsOutput | kStoresStats) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    for (int32_t r = 0; r < in.rows; ++r) {
      const float *x = in.row(r);
      const float largest = vecMax(in.cols, x);
      const double sum = vecSumExp(in.cols, x, largest);
      // Two steps: the maximum may be so large that adding the logarithm to it
      // would lose digits.
      vecShift(in.cols, x, -largest, out.row(r));
      vecShift(in.cols, out.row(r), static_cast<float>(-std::log(sum)),
               out.row(r));
    }
  }
};

template <typename Type>
std::unique_ptr<Component> create(AttributeReader &attributes) {
  return std::make_unique<Type>(attributes.dim("dim"));
}

constexpr ComponentFactory kFactories[] = {
    {"SoftmaxComponent", create<SoftmaxComponent>},
    {"LogSoftmaxComponent", create<LogSoftmaxComponent>}};

} // namespace

FactoryTable softmaxFactories() { return makeTable(kFactories); }

} // namespace runtime
} // namespace nnet3

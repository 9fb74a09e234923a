//===- NormalizeComponent.cpp - Scaling rows to a given r.m.s. ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.29. The floor 2^-66 keeps a row of zeros finite.
//
//===----------------------------------------------------------------------===//

#include "core/ComponentAttributes.h"
#include "cpu/math/Float.h"
#include "cpu/math/Rows.h"
#include "cpu/math/VectorMath.h"

#include <cmath>

namespace nnet3 {
namespace rt {
namespace {

constexpr double kSquaredNormFloor = 1.3552527156068805425e-20; // 2^-66

class NormalizeComponent : public Component {
public:
  explicit NormalizeComponent(const NormalizeAttributes &attributes)
      : Component(attributes), blockDim(attributes.blockDim()),
        targetRms(attributes.targetRms()),
        addLogStddev(attributes.addLogStddev()) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    const double norm = 1 / (blockDim * targetRms * targetRms);
    forEachBlock(
        in, out, blockDim, blockDim + (addLogStddev ? 1 : 0),
        [&](const float *x, float *y) {
          const double power =
              atLeast(kSquaredNormFloor, norm * vecSumSquares(blockDim, x));
          vecScale(blockDim, static_cast<float>(1 / std::sqrt(power)), x, y);
          if (addLogStddev)
            y[blockDim] =
                static_cast<float>(std::log(targetRms) + 0.5 * std::log(power));
        });
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &) const override {
    const MatrixView &inDeriv = operands.inDeriv;
    const int32_t outBlockDim = blockDim + (addLogStddev ? 1 : 0);
    const bool inPlace = inDeriv.data == operands.outDeriv.data;
    for (int32_t r = 0; inDeriv.data && r < inDeriv.rows; ++r)
      for (int32_t b = 0; b < inputDim() / blockDim; ++b) {
        const int64_t at = int64_t(b) * blockDim;
        addDerivative(operands.inValue.row(r) + at,
                      operands.outDeriv.row(r) + int64_t(b) * outBlockDim,
                      inPlace, inDeriv.row(r) + at);
      }
  }

private:
  /// Adds the derivative of one block: y = f x, where f depends on the power p
  /// of x unless p is at the floor, and of the log column, whose derivative
  /// ignores the floor.
  void addDerivative(const float *x, const float *dy, bool inPlace,
                     float *dx) const {
    const double norm = 1 / (blockDim * targetRms * targetRms);
    const double sumsq = vecSumSquares(blockDim, x);
    const double power = atLeast(kSquaredNormFloor, norm * sumsq);
    const double f = 1 / std::sqrt(power);
    double xScale = 0;
    if (power > kSquaredNormFloor)
      xScale -= f * f * f * norm * vecDot(blockDim, dy, x);
    if (addLogStddev)
      xScale += dy[blockDim] / atLeast(blockDim * kSquaredNormFloor, sumsq);
    if (inPlace)
      vecScale(blockDim, static_cast<float>(f), dy, dx);
    else
      vecAxpy(blockDim, static_cast<float>(f), dy, dx);
    vecAxpy(blockDim, static_cast<float>(xScale), x, dx);
  }

  int32_t blockDim;
  double targetRms;
  bool addLogStddev;
};

} // namespace

std::unique_ptr<Component> create(const NormalizeAttributes &attributes) {
  return std::make_unique<NormalizeComponent>(attributes);
}

} // namespace rt
} // namespace nnet3

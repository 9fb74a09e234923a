//===- BatchNormTestMode.cpp - Batch norm with fixed statistics -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.7.
//
//===----------------------------------------------------------------------===//

#include "BatchNorm.h"
#include "cpu/math/Rows.h"
#include "cpu/math/VectorMath.h"

#include <vector>

namespace nnet3 {
namespace rt {
namespace {

/// Test mode: a fixed scale and offset per column. Training does not change the
/// statistics.
class BatchNormTest : public Component {
public:
  BatchNormTest(const BatchNormOptions &options, const float *mean,
                const float *variance)
      : Component(options.dim, options.dim, options.properties),
        scale(options.blockDim), offset(options.blockDim) {
    for (int32_t i = 0; i < options.blockDim; ++i) {
      const double s = options.scale(variance[i]);
      scale[i] = static_cast<float>(s);
      offset[i] = static_cast<float>(-s * mean[i]);
    }
  }

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    const int32_t width = static_cast<int32_t>(scale.size());
    forEachBlock(in, out, width, width, [&](const float *x, float *y) {
      vecScaleOffset(width, x, scale.data(), offset.data(), y);
    });
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &) const override {
    const int32_t width = static_cast<int32_t>(scale.size());
    if (operands.inDeriv.data)
      forEachBlock(operands.outDeriv, operands.inDeriv, width, width,
                   [&](const float *dy, float *dx) {
                     vecMul(width, dy, scale.data(), dx);
                   });
  }

private:
  std::vector<float> scale;
  std::vector<float> offset;
};

/// Test mode without statistics: mean 0 and variance 1, so one scale for all.
class BatchNormUnitTest : public Component {
public:
  explicit BatchNormUnitTest(const BatchNormOptions &options)
      : Component(options.dim, options.dim, options.properties),
        scale(static_cast<float>(options.scale(1))) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    forEachElement(in, out, [&](int64_t n, const float *x, float *y) {
      vecScale(n, scale, x, y);
    });
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &) const override {
    if (operands.inDeriv.data)
      forEachElement(operands.outDeriv, operands.inDeriv,
                     [&](int64_t n, const float *dy, float *dx) {
                       vecScale(n, scale, dy, dx);
                     });
  }

private:
  float scale;
};

} // namespace

std::unique_ptr<Component>
createBatchNormTestMode(const BatchNormOptions &options, const float *mean,
                        const float *variance) {
  if (!mean)
    return std::make_unique<BatchNormUnitTest>(options);
  return std::make_unique<BatchNormTest>(options, mean, variance);
}

} // namespace rt
} // namespace nnet3

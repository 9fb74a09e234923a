//===- SoftmaxComponents.cpp - Softmax over rows --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax, LogSoftmax (spec: components.md 6.30, 6.10). The row's maximum is
// subtracted first, so no magnitude overflows.
//
//===----------------------------------------------------------------------===//

#include "NonlinearBase.h"
#include "core/ComponentAttributes.h"
#include "core/ComponentState.h"
#include "cpu/math/VectorBackward.h"
#include "cpu/math/VectorMath.h"

#include <cmath>

namespace nnet3 {
namespace rt {
namespace {

constexpr float kSoftmaxFloor = 1e-20f;

class SoftmaxComponent : public NonlinearBase {
public:
  explicit SoftmaxComponent(const SoftmaxAttributes &attributes)
      : NonlinearBase(attributes, NonlinearSums::Values) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    for (int32_t r = 0; r < in.rows; ++r) {
      const float *x = in.row(r);
      float *y = out.row(r);
      const double sum = vecExpSum(in.cols, x, vecMax(in.cols, x), y);
      vecScaleFloor(in.cols, static_cast<float>(1 / sum), kSoftmaxFloor, y);
    }
  }

  void storeStats(ConstMatrixView, ConstMatrixView out, const void *,
                  ComponentState &state, const RunContext &) const override {
    vecAddRows(out.cols, out.rows, out.stride, out.data,
               state.statistics[kValueSum].data());
    state.number(kCount) += out.rows;
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &context) const override {
    // First, because the derivative may be computed in place.
    storeBackpropStats(operands.outDeriv, operands.update, context);
    const MatrixView &inDeriv = operands.inDeriv;
    for (int32_t r = 0; inDeriv.data && r < inDeriv.rows; ++r) {
      const float *y = operands.outValue.row(r);
      const float *dy = operands.outDeriv.row(r);
      const double dot = vecDot(inDeriv.cols, y, dy);
      vecSoftmaxDeriv(inDeriv.cols, y, dy, static_cast<float>(dot),
                      inDeriv.row(r));
    }
  }
};

/// Has kStoresStats, but keeps statistics of the backward pass only.
class LogSoftmaxComponent : public NonlinearBase {
public:
  explicit LogSoftmaxComponent(const LogSoftmaxAttributes &attributes)
      : NonlinearBase(attributes, NonlinearSums::None) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    for (int32_t r = 0; r < in.rows; ++r) {
      const float *x = in.row(r);
      const float largest = vecMax(in.cols, x);
      const double sum = vecSumExp(in.cols, x, largest);
      // Two steps, because adding the logarithm to a large maximum would lose
      // digits.
      vecShift(in.cols, x, -largest, out.row(r));
      vecShift(in.cols, out.row(r), static_cast<float>(-std::log(sum)),
               out.row(r));
    }
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &context) const override {
    const MatrixView &inDeriv = operands.inDeriv;
    for (int32_t r = 0; inDeriv.data && r < inDeriv.rows; ++r) {
      const float *dy = operands.outDeriv.row(r);
      const double sum = vecSum(inDeriv.cols, dy);
      vecLogSoftmaxDeriv(inDeriv.cols, operands.outValue.row(r), dy,
                         static_cast<float>(sum), inDeriv.row(r));
    }
    storeBackpropStats(operands.outDeriv, operands.update, context);
  }
};

} // namespace

std::unique_ptr<Component> create(const SoftmaxAttributes &attributes) {
  return std::make_unique<SoftmaxComponent>(attributes);
}

std::unique_ptr<Component> create(const LogSoftmaxAttributes &attributes) {
  return std::make_unique<LogSoftmaxComponent>(attributes);
}

} // namespace rt
} // namespace nnet3

//===- MaxpoolingComponent.cpp - Maxima over boxes of images --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.44. x is the slowest direction of an image, z the
// fastest.
//
//===----------------------------------------------------------------------===//

#include "ImageAxis.h"
#include "core/ComponentAttributes.h"
#include "cpu/math/VectorImage.h"
#include "cpu/math/VectorMath.h"

namespace nnet3 {
namespace rt {
namespace {

/// Initial value of maxima.
constexpr float kLeast = -1e20f;

struct PoolAxes {
  ImageAxis x, y, z;
};

class MaxpoolingComponent : public Component {
public:
  MaxpoolingComponent(const PoolAxes &axes, int32_t inputDim, int32_t outputDim,
                      uint32_t properties)
      : Component(inputDim, outputDim, properties), axes(axes) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    for (int32_t r = 0; r < out.rows; ++r) {
      const float *x = in.row(r);
      float *y = out.row(r);
      vecFill(out.cols, kLeast, y);
      forEachColumn([&](int64_t from, int64_t to) {
        vecMax(axes.z.count(), axes.z.step, x + from, y + to);
      });
    }
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &) const override {
    const MatrixView &inDeriv = operands.inDeriv;
    for (int32_t r = 0; inDeriv.data && r < inDeriv.rows; ++r) {
      const float *x = operands.inValue.row(r), *y = operands.outValue.row(r),
                  *dy = operands.outDeriv.row(r);
      float *dx = inDeriv.row(r);
      forEachColumn([&](int64_t from, int64_t to) {
        vecAddWhereEqual(axes.z.count(), axes.z.step, x + from, y + to, dy + to,
                         dx + from);
      });
    }
  }

private:
  /// Calls f(from, to) for each pixel column of a pool: the values at column
  /// `from`, with a stride of the z step, belong to the contiguous outputs at
  /// `to`.
  template <typename Function> void forEachColumn(Function f) const {
    const int64_t nz = axes.z.count();
    int64_t to = 0;
    for (int64_t x = 0; x < axes.x.count(); ++x)
      for (int64_t y = 0; y < axes.y.count(); ++y, to += nz)
        for (int64_t px = 0; px < axes.x.size; ++px)
          for (int64_t py = 0; py < axes.y.size; ++py)
            for (int64_t pz = 0; pz < axes.z.size; ++pz)
              f(((x * axes.x.step + px) * axes.y.input + y * axes.y.step + py) *
                        axes.z.input +
                    pz,
                to);
  }

  PoolAxes axes;
};

} // namespace

std::unique_ptr<Component> create(const MaxpoolingAttributes &attributes) {
  const PoolAxes axes = {
      readImageAxis(attributes, "input_x_dim", "pool_x_size", "pool_x_step"),
      readImageAxis(attributes, "input_y_dim", "pool_y_size", "pool_y_step"),
      readImageAxis(attributes, "input_z_dim", "pool_z_size", "pool_z_step")};
  const int32_t in =
      imageSize(attributes, axes.x.input, axes.y.input, axes.z.input);
  const int32_t out =
      imageSize(attributes, axes.x.count(), axes.y.count(), axes.z.count());
  return std::make_unique<MaxpoolingComponent>(axes, in, out,
                                               attributes.properties());
}

} // namespace rt
} // namespace nnet3

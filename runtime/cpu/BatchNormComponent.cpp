//===- BatchNormComponent.cpp - Batch normalisation -----------------------===//
//
// Spec: components.md 6.7, in both modes. All of it is per column of the block
// view.
//
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "Rows.h"
#include "VectorMath.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace nnet3 {
namespace runtime {
namespace {

uint32_t batchNormProperties(int32_t dim, int32_t blockDim, bool testMode) {
  return kSimpleComponent | kBackpropNeedsOutput | kPropagateInPlace |
         kBackpropInPlace |
         (blockDim < dim ? kInputContiguous | kOutputContiguous : 0u) |
         (testMode ? 0u : kUsesMemo | kStoresStats);
}

/// Test mode: a fixed scale and offset per column.
class BatchNormTest : public Component {
public:
  BatchNormTest(int32_t dim, std::vector<float> scale,
                std::vector<float> offset)
      : Component(
            dim, dim,
            batchNormProperties(dim, static_cast<int32_t>(scale.size()), true)),
        scale(std::move(scale)), offset(std::move(offset)) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    const int32_t width = static_cast<int32_t>(scale.size());
    forEachBlock(in, out, width, width, [&](const float *x, float *y) {
      vecScaleOffset(width, x, scale.data(), offset.data(), y);
    });
  }

private:
  std::vector<float> scale;
  std::vector<float> offset;
};

/// Test mode without statistics: mean 0 and variance 1, so one scale for all.
class BatchNormUnitTest : public Component {
public:
  BatchNormUnitTest(int32_t dim, int32_t blockDim, float scale)
      : Component(dim, dim, batchNormProperties(dim, blockDim, true)),
        scale(scale) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    forEachElement(in, out, [&](int64_t n, const float *x, float *y) {
      vecScale(n, scale, x, y);
    });
  }

private:
  float scale;
};

/// Training mode: normalises with the statistics of the minibatch.
class BatchNormTraining : public Component {
public:
  BatchNormTraining(int32_t dim, int32_t blockDim, double epsilon,
                    double targetRms)
      : Component(dim, dim, batchNormProperties(dim, blockDim, false)),
        blockDim(blockDim), epsilon(epsilon), targetRms(targetRms) {}

  /// Scratch: sum and sum of squares in double, then mean and scale in float.
  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override {
    Component::plan(inRows, outRows, precomputed, errors);
    auto plan = std::make_unique<CommandPlan>();
    plan->scratchBytes =
        uint64_t(blockDim) * 2 * (sizeof(double) + sizeof(float));
    return plan;
  }

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override {
    auto *sum = static_cast<double *>(context.scratch);
    double *sumsq = sum + blockDim;
    auto *mean = reinterpret_cast<float *>(sumsq + blockDim);
    float *scale = mean + blockDim;
    std::fill(sum, sum + 2 * int64_t(blockDim), 0.0);
    forEachBlock(in, out, blockDim, blockDim, [&](const float *x, float *) {
      vecAccumulate(blockDim, x, sum, sumsq);
    });
    const double count = double(in.rows) * (in.cols / blockDim);
    for (int32_t i = 0; i < blockDim; ++i) {
      const double m = sum[i] / count;
      const double variance = std::max(0.0, sumsq[i] / count - m * m);
      mean[i] = static_cast<float>(m);
      scale[i] = static_cast<float>(targetRms / std::sqrt(variance + epsilon));
    }
    forEachBlock(in, out, blockDim, blockDim, [&](const float *x, float *y) {
      vecNormalize(blockDim, x, mean, scale, y);
    });
  }

private:
  int32_t blockDim;
  double epsilon;
  double targetRms;
};

std::unique_ptr<Component> createTest(AttributeReader &attributes, int32_t dim,
                                      int32_t blockDim, double epsilon,
                                      double targetRms) {
  if (attributes.real("count", 0) == 0)
    return std::make_unique<BatchNormUnitTest>(
        dim, blockDim, static_cast<float>(targetRms / std::sqrt(1 + epsilon)));
  const float *mean = attributes.tensor("stats_mean", {blockDim});
  const float *variance = attributes.tensor("stats_var", {blockDim});
  if (!attributes.ok())
    return nullptr;
  std::vector<float> scale(blockDim), offset(blockDim);
  for (int32_t i = 0; i < blockDim; ++i) {
    const double s =
        targetRms / std::sqrt(std::max(0.0, double(variance[i])) + epsilon);
    scale[i] = static_cast<float>(s);
    offset[i] = static_cast<float>(-s * mean[i]);
  }
  return std::make_unique<BatchNormTest>(dim, std::move(scale),
                                         std::move(offset));
}

std::unique_ptr<Component> createBatchNorm(AttributeReader &attributes) {
  const int32_t dim = attributes.dim("dim");
  const int32_t blockDim = attributes.dim("block_dim", dim);
  const double epsilon = attributes.real("epsilon", 1e-3);
  const double targetRms = attributes.real("target_rms", 1.0);
  if (dim % blockDim != 0 || !(epsilon > 0) || !(targetRms > 0))
    attributes.fail("expects block_dim to divide dim, and epsilon and "
                    "target_rms above 0");
  if (!attributes.ok())
    return nullptr;
  if (attributes.flag("test_mode", false))
    return createTest(attributes, dim, blockDim, epsilon, targetRms);
  return std::make_unique<BatchNormTraining>(dim, blockDim, epsilon, targetRms);
}

constexpr ComponentFactory kFactories[] = {
    {"BatchNormComponent", createBatchNorm}};

} // namespace

FactoryTable batchNormFactories() { return makeTable(kFactories); }

} // namespace runtime
} // namespace nnet3

//===- BatchNormComponent.cpp - Batch normalisation -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.7. Everything is per column of the block view.
//
//===----------------------------------------------------------------------===//

#include "BatchNorm.h"
#include "core/ComponentAttributes.h"
#include "core/ComponentState.h"
#include "cpu/math/Float.h"
#include "cpu/math/Rows.h"
#include "cpu/math/VectorBackward.h"
#include "cpu/math/VectorMath.h"
#include "nnet3/runtime/Exchange.h"
#include "nnet3/runtime/Model.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {

double BatchNormOptions::scale(double variance) const {
  return targetRms / std::sqrt(atLeast(0.0, variance) + epsilon);
}

namespace {

/// The memo of training mode: moments of a minibatch for each column of a
/// block, in bytes() bytes at the given address.
struct BatchMoments {
  BatchMoments(void *memory, int32_t width)
      : sum(static_cast<double *>(memory)), sumsq(sum + width),
        mean(reinterpret_cast<float *>(sumsq + width)), scale(mean + width) {}

  static uint64_t bytes(int32_t width) {
    return uint64_t(width) * 2 * (sizeof(double) + sizeof(float));
  }

  double *sum, *sumsq; ///< over the rows
  float *mean, *scale; ///< y = (x - mean) scale
};

/// Two sums for each column and the number of rows, summed over processes.
class WholeSums {
public:
  /// \p sums has the first sums of this process, followed by the second sums.
  WholeSums(const double *sums, int32_t width, double count,
            const RunContext &context)
      : sums(sums), width(width), rows(count) {
    if (!context.exchange || context.exchange->size() == 1)
      return;
    exchanged.assign(sums, sums + 2 * int64_t(width));
    exchanged.push_back(count);
    context.exchange->sum(exchanged.data(), int64_t(exchanged.size()));
    this->sums = exchanged.data();
    rows = exchanged.back();
  }

  double first(int32_t column) const { return sums[column]; }
  double second(int32_t column) const { return sums[width + column]; }
  double count() const { return rows; }

private:
  const double *sums;
  int32_t width;
  double rows;
  std::vector<double> exchanged;
};

/// Training mode: normalises with the moments of the minibatch.
class BatchNormTraining : public Component {
public:
  BatchNormTraining(const BatchNormOptions &options,
                    const BatchNormAttributes &attributes);

  /// Scratch buffers: for the forward pass, the moments if there is no memo;
  /// for the backward pass, the buffers of derivative().
  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override {
    Component::plan(inRows, outRows, precomputed, errors);
    auto plan = std::make_unique<CommandPlan>();
    plan->scratchBytes = BatchMoments::bytes(blockDim);
    plan->memoBytes = BatchMoments::bytes(blockDim);
    plan->backpropScratchBytes = BatchMoments::bytes(blockDim);
    return plan;
  }

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *memo, const RunContext &context) const override {
    const BatchMoments moments(memo ? memo : context.scratch, blockDim);
    std::fill_n(moments.sum, 2 * int64_t(blockDim), 0.0);
    forEachBlock(in, out, blockDim, blockDim, [&](const float *x, float *) {
      vecAccumulate(blockDim, x, moments.sum, moments.sumsq);
    });
    const WholeSums whole(moments.sum, blockDim, count(in), context);
    for (int32_t i = 0; i < blockDim; ++i) {
      const double mean = whole.first(i) / whole.count();
      const double variance = whole.second(i) / whole.count() - mean * mean;
      moments.mean[i] = static_cast<float>(mean);
      moments.scale[i] = static_cast<float>(options.scale(variance));
    }
    forEachBlock(in, out, blockDim, blockDim, [&](const float *x, float *y) {
      vecNormalize(blockDim, x, moments.mean, moments.scale, y);
    });
  }

  void storeStats(ConstMatrixView, ConstMatrixView out, const void *memo,
                  ComponentState &state, const RunContext &) const override {
    const BatchMoments moments(const_cast<void *>(memo), blockDim);
    for (int32_t i = 0; i < blockDim; ++i) {
      state.statistics[kSum][i] += moments.sum[i];
      state.statistics[kSumsq][i] += moments.sumsq[i];
    }
    state.number(kCount) += count(out);
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &context) const override;
  void exportStatistics(const ComponentState &state,
                        AttributeWriter &writer) const override;

private:
  enum Statistic : size_t { kSum, kSumsq, kCount };

  /// Number of rows of the block view.
  double count(ConstMatrixView matrix) const {
    return double(matrix.rows) * (matrix.cols / blockDim);
  }

  BatchNormOptions options;
  int32_t blockDim;
};

BatchNormTraining::BatchNormTraining(const BatchNormOptions &options,
                                     const BatchNormAttributes &attributes)
    : Component(attributes), options(options), blockDim(options.blockDim) {
  const double count = attributes.count();
  std::vector<double> sum, sumsq;
  if (count != 0) {
    const float *mean = attributes.statsMean();
    const float *variance = attributes.statsVar();
    if (!mean || !variance)
      attributes.fail("has a count, but no statistics");
    for (int32_t i = 0; mean && variance && i < blockDim; ++i) {
      sum.push_back(mean[i] * count);
      sumsq.push_back((variance[i] + double(mean[i]) * mean[i]) * count);
    }
  }
  addStatistic("stats_mean", blockDim, std::move(sum));
  addStatistic("stats_var", blockDim, std::move(sumsq));
  addStatistic("count", {count});
}

/// dx = s (dy - mean(dy)) - s/t^2 mean(dy y) y for the scale s and the target
/// r.m.s. t. The formula is exact with epsilon, too, because y includes it.
void BatchNormTraining::backprop(const CommandPlan *,
                                 const BackpropOperands &operands,
                                 const RunContext &context) const {
  const MatrixView &dx = operands.inDeriv;
  if (!dx.data)
    return;
  const BatchMoments forward(const_cast<void *>(operands.memo), blockDim);
  auto *sum = static_cast<double *>(context.scratch);
  double *dot = sum + blockDim;
  auto *offset = reinterpret_cast<float *>(dot + blockDim);
  float *yScale = offset + blockDim;
  std::fill_n(sum, 2 * int64_t(blockDim), 0.0);
  const int32_t blocks = dx.cols / blockDim;
  auto forEach = [&](auto f) {
    for (int32_t r = 0; r < dx.rows; ++r)
      for (int32_t b = 0; b < blocks; ++b) {
        const int64_t at = int64_t(b) * blockDim;
        f(operands.outValue.row(r) + at, operands.outDeriv.row(r) + at,
          dx.row(r) + at);
      }
  };
  forEach([&](const float *y, const float *dy, float *) {
    vecAccumulateDot(blockDim, dy, y, sum, dot);
  });
  const WholeSums whole(sum, blockDim, count(dx), context);
  for (int32_t i = 0; i < blockDim; ++i) {
    const double scale = forward.scale[i];
    offset[i] = static_cast<float>(-scale * whole.first(i) / whole.count());
    yScale[i] = static_cast<float>(
        -scale * whole.second(i) /
        (options.targetRms * options.targetRms * whole.count()));
  }
  forEach([&](const float *y, const float *dy, float *dxBlock) {
    vecScaleTwo(blockDim, dy, forward.scale, y, yScale, offset, dxBlock);
  });
}

void BatchNormTraining::exportStatistics(const ComponentState &state,
                                         AttributeWriter &writer) const {
  const double count = state.number(kCount);
  std::vector<double> mean(blockDim), variance(blockDim);
  for (int32_t i = 0; count != 0 && i < blockDim; ++i) {
    mean[i] = state.statistics[kSum][i] / count;
    variance[i] = state.statistics[kSumsq][i] / count - mean[i] * mean[i];
  }
  writer.vector("stats_mean", mean.data(), blockDim);
  writer.vector("stats_var", variance.data(), blockDim);
  writer.real("count", count);
}

std::unique_ptr<Component>
createTestMode(const BatchNormOptions &options,
               const BatchNormAttributes &attributes) {
  if (attributes.count() == 0)
    return createBatchNormTestMode(options, /*mean=*/nullptr,
                                   /*variance=*/nullptr);
  const float *mean = attributes.statsMean();
  const float *variance = attributes.statsVar();
  if (!mean || !variance) {
    attributes.fail(std::string("has no attribute '") +
                    (mean ? "stats_var'" : "stats_mean'"));
    return nullptr;
  }
  return createBatchNormTestMode(options, mean, variance);
}

} // namespace

std::unique_ptr<Component> create(const BatchNormAttributes &attributes) {
  const BatchNormOptions options = {attributes.dim(), attributes.properties(),
                                    attributes.blockDim(), attributes.epsilon(),
                                    attributes.targetRms()};
  if (!attributes.ok())
    return nullptr;
  if (attributes.testMode())
    return createTestMode(options, attributes);
  return std::make_unique<BatchNormTraining>(options, attributes);
}

} // namespace rt
} // namespace nnet3

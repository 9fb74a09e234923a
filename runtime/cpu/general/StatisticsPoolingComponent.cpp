//===- StatisticsPoolingComponent.cpp - Means and deviations --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.27. The first column of the input is a count, the
// others are sums over this number of frames.
//
//===----------------------------------------------------------------------===//

#include "StatisticsRanges.h"
#include "cpu/math/Float.h"
#include "cpu/math/VectorMath.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace nnet3 {
namespace rt {
namespace {

struct PoolingSettings {
  int32_t inputDim;
  int32_t numLogCounts; ///< columns of the logarithm of the count
  bool outputStddevs;
  double varianceFloor;

  int32_t numMeans() const { return inputDim - 1; }
  /// Number of sums over frames. With standard deviations, the same number of
  /// sums of squares follows.
  int32_t dim() const { return outputStddevs ? numMeans() / 2 : numMeans(); }
};

class StatisticsPoolingComponent : public Component {
public:
  StatisticsPoolingComponent(const StatisticsPoolingAttributes &attributes,
                             const PoolingSettings &settings)
      : Component(attributes), settings(settings) {}

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override {
    auto plan = planRanges(inRows, outRows, precomputed, errors);
    if (plan) {
      plan->scratchBytes = sizeof(double) * uint64_t(inputDim());
      plan->backpropScratchBytes = sizeof(float) * uint64_t(inputDim());
    }
    return plan;
  }

  void propagate(const CommandPlan *plan, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override {
    auto *sums = static_cast<double *>(context.scratch);
    rangesOf(plan).forEachRange([&](int32_t row, int64_t begin, int64_t end) {
      std::fill_n(sums, inputDim(), 0.0);
      vecAddRows(inputDim(), end - begin, in.stride, in.row(begin), sums);
      writeRow(sums, out.row(row));
    });
  }

  void backprop(const CommandPlan *plan, const BackpropOperands &operands,
                const RunContext &context) const override {
    if (!operands.inDeriv.data)
      return;
    auto *deriv = static_cast<float *>(context.scratch);
    rangesOf(plan).forEachRange([&](int32_t row, int64_t begin, int64_t end) {
      derivOfSums(operands, row, getCount(operands, row, begin, end), deriv);
      for (int64_t r = begin; r < end; ++r)
        vecAxpy(settings.numMeans(), 1.0f, deriv, operands.inDeriv.row(r) + 1);
    });
  }

private:
  static const RangesPlan &rangesOf(const CommandPlan *plan) {
    return static_cast<const RangesPlan &>(*plan);
  }

  void writeRow(const double *sums, float *out) const;
  double getCount(const BackpropOperands &operands, int32_t row, int64_t begin,
                  int64_t end) const;
  void derivOfSums(const BackpropOperands &operands, int32_t row, double count,
                   float *deriv) const;

  PoolingSettings settings;
};

/// Writes an output row; \p sums has the count and then the sums.
void StatisticsPoolingComponent::writeRow(const double *sums,
                                          float *out) const {
  const double count = *sums++;
  const auto logCount = static_cast<float>(std::log(count));
  out = std::fill_n(out, settings.numLogCounts, logCount);
  for (int32_t i = 0; i < settings.numMeans(); ++i)
    out[i] = static_cast<float>(sums[i] / count);
  if (!settings.outputStddevs)
    return;
  float *squares = out + settings.dim();
  for (int32_t i = 0; i < settings.dim(); ++i) {
    // Rounded to float like the square of a single frame, so that its variance
    // is 0.
    const float ofMean = out[i] * out[i];
    const double variance = double(squares[i]) - ofMean;
    squares[i] = static_cast<float>(
        std::sqrt(atLeast(settings.varianceFloor, variance)));
  }
}

/// Returns the count by which output row \p row was divided.
double StatisticsPoolingComponent::getCount(const BackpropOperands &operands,
                                            int32_t row, int64_t begin,
                                            int64_t end) const {
  if (settings.numLogCounts > 0)
    return std::exp(double(operands.outValue.row(row)[0]));
  double count = 0;
  for (int64_t r = begin; r < end; ++r)
    count += operands.inValue.row(r)[0];
  return count;
}

/// Computes the derivative of each sum; ignores the floor of the variance.
void StatisticsPoolingComponent::derivOfSums(const BackpropOperands &operands,
                                             int32_t row, double count,
                                             float *deriv) const {
  const auto scale = static_cast<float>(1 / count);
  vecScale(settings.numMeans(), scale,
           operands.outDeriv.row(row) + settings.numLogCounts, deriv);
  if (!settings.outputStddevs)
    return;
  const int32_t dim = settings.dim();
  const float *mean = operands.outValue.row(row) + settings.numLogCounts;
  const float *stddev = mean + dim;
  for (int32_t i = 0; i < dim; ++i) {
    const float variance = 0.5f * deriv[dim + i] / stddev[i];
    deriv[i] -= 2 * mean[i] * variance;
    deriv[dim + i] = variance;
  }
}

} // namespace

std::unique_ptr<Component>
create(const StatisticsPoolingAttributes &attributes) {
  const PoolingSettings settings = {
      attributes.inputDim(), attributes.numLogCountFeatures(),
      attributes.outputStddevs(), attributes.varianceFloor()};
  if (settings.inputDim < 2 ||
      (settings.outputStddevs && settings.inputDim % 2 == 0))
    attributes.fail("expects an input_dim above 1, odd with output_stddevs, "
                    "but got " +
                    std::to_string(settings.inputDim));
  if (!(settings.varianceFloor > 0))
    attributes.fail("expects a positive variance_floor");
  if (!attributes.ok())
    return nullptr;
  return std::make_unique<StatisticsPoolingComponent>(attributes, settings);
}

} // namespace rt
} // namespace nnet3

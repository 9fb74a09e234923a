//===- BackpropTruncationComponent.cpp - Limits of a recurrence -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.16: the derivative is clipped to a norm, and large ones
// are zeroed where the recurrence crosses a boundary between intervals.
//
//===----------------------------------------------------------------------===//

#include "core/ComponentAttributes.h"
#include "core/ComponentState.h"
#include "cpu/RowCommands.h"
#include "cpu/math/VectorMath.h"

#include <cmath>
#include <limits>
#include <string>

namespace nnet3 {
namespace rt {
namespace {

/// The time of each row. Empty without a backward pass.
struct TruncationPlan : CommandPlan {
  RowEntries times;
  int64_t firstTime = 0; ///< which `times` are relative to
  int64_t timeStep = 0;  ///< from one iteration of a loop to the next
};

int64_t floorDivide(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

class BackpropTruncationComponent : public Component {
public:
  explicit BackpropTruncationComponent(
      const BackpropTruncationAttributes &attributes);

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override;

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    copyMatrix(out, in, scale);
  }

  void backprop(const CommandPlan *plan, const BackpropOperands &operands,
                const RunContext &context) const override;

private:
  /// Whether the recurrence crosses a boundary between intervals at row \p row.
  bool atBoundary(const TruncationPlan &plan, int64_t round, int32_t row) const;

  /// Positions of the statistics, which count clipped, zeroed and all rows, and
  /// rows at boundaries.
  enum Statistic { kClipped, kZeroed, kRows, kBoundaries };
  static constexpr const char *kStatisticNames[] = {
      "num_elements_clipped", "num_elements_zeroed", "num_elements_processed",
      "num_zeroing_boundaries"};

  float scale;
  double clippingThreshold;
  double zeroingThreshold;
  int64_t zeroingInterval, recurrenceInterval;
};

/// Replaces "no threshold" by a norm that is never exceeded.
double orNone(double threshold) { return threshold > 0 ? threshold : 1e10; }

BackpropTruncationComponent::BackpropTruncationComponent(
    const BackpropTruncationAttributes &attributes)
    : Component(attributes), scale(attributes.scale()),
      clippingThreshold(orNone(attributes.clippingThreshold())),
      zeroingThreshold(orNone(attributes.zeroingThreshold())),
      zeroingInterval(attributes.zeroingInterval()),
      recurrenceInterval(attributes.recurrenceInterval()) {
  for (const char *name : kStatisticNames)
    addStatistic(name, {attributes.reader.real(name, 0.0)});
}

std::unique_ptr<CommandPlan>
BackpropTruncationComponent::plan(int32_t inRows, int32_t outRows,
                                  AttributeReader *precomputed,
                                  ErrorSink &errors) const {
  Component::plan(inRows, outRows, precomputed, errors);
  auto plan = std::make_unique<TruncationPlan>();
  if (!precomputed)
    return plan;
  plan->times = precomputed->entries("times", outRows);
  constexpr int32_t least = std::numeric_limits<int32_t>::min();
  plan->firstTime = precomputed->integer("first_time", least);
  plan->timeStep = precomputed->integer("time_step", least, 0);
  return plan;
}

bool BackpropTruncationComponent::atBoundary(const TruncationPlan &plan,
                                             int64_t round, int32_t row) const {
  if (plan.times.empty())
    return false;
  const int64_t time = plan.firstTime + plan.timeStep * round + plan.times[row];
  return floorDivide(time, zeroingInterval) !=
         floorDivide(time - recurrenceInterval, zeroingInterval);
}

void BackpropTruncationComponent::backprop(const CommandPlan *anyPlan,
                                           const BackpropOperands &operands,
                                           const RunContext &context) const {
  const auto &plan = static_cast<const TruncationPlan &>(*anyPlan);
  const MatrixView &inDeriv = operands.inDeriv;
  if (!inDeriv.data)
    return;
  int32_t numClipped = 0, numZeroed = 0, numBoundaries = 0;
  for (int32_t r = 0; r < inDeriv.rows; ++r) {
    const float *dy = operands.outDeriv.row(r);
    const double norm = scale * std::sqrt(vecSumSquares(inDeriv.cols, dy));
    const bool isBoundary = atBoundary(plan, context.round, r);
    const bool zeroed = isBoundary && norm > zeroingThreshold;
    if (zeroed)
      vecFill(inDeriv.cols, 0.0f, inDeriv.row(r));
    else
      // A NaN norm makes the whole row NaN.
      vecScale(inDeriv.cols,
               norm <= clippingThreshold
                   ? scale
                   : float(scale * clippingThreshold / norm),
               dy, inDeriv.row(r));
    numClipped += norm > clippingThreshold;
    numZeroed += zeroed;
    numBoundaries += isBoundary;
  }
  if (ComponentState *stats = operands.update) {
    stats->number(kClipped) += numClipped;
    stats->number(kZeroed) += numZeroed;
    stats->number(kRows) += inDeriv.rows;
    stats->number(kBoundaries) += numBoundaries;
  }
}

} // namespace

std::unique_ptr<Component>
create(const BackpropTruncationAttributes &attributes) {
  return std::make_unique<BackpropTruncationComponent>(attributes);
}

} // namespace rt
} // namespace nnet3

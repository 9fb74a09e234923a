//===- ClipGradientComponent.cpp - Identity with clipped derivatives ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 6.25.
//
//===----------------------------------------------------------------------===//

#include "SelfRepair.h"
#include "core/ComponentAttributes.h"
#include "core/ComponentState.h"
#include "cpu/RowCommands.h"
#include "cpu/math/Random.h"
#include "cpu/math/VectorMath.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace nnet3 {
namespace rt {
namespace {

class ClipGradientComponent : public Component {
public:
  explicit ClipGradientComponent(const ClipGradientAttributes &attributes);

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override {
    Component::plan(inRows, outRows, precomputed, errors);
    auto plan = std::make_unique<CommandPlan>();
    plan->backpropScratchBytes = sizeof(float) * uint64_t(inputDim());
    return plan;
  }

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    copyMatrix(out, in, 1.0f);
  }

  void backprop(const CommandPlan *plan, const BackpropOperands &operands,
                const RunContext &context) const override;

private:
  /// Positions of the statistics. The first two count rows, only when clipping
  /// by norm; the others count commands.
  enum Statistic { kClipped, kRows, kRepaired, kBackpropped };
  static constexpr const char *kStatisticNames[] = {
      "num_elements_clipped", "num_elements_processed", "num_self_repaired",
      "num_backpropped"};

  void clipRows(ConstMatrixView outDeriv, MatrixView inDeriv,
                ComponentState *stats) const;
  double repairProportion(const ComponentState *self,
                          const RunContext &context) const;
  void repair(ConstMatrixView in, double proportion, MatrixView inDeriv,
              float *scratch) const;
  double writeExcess(const float *x, float *excess) const;

  double threshold;
  bool byNorm;
  double repairThreshold;
  float repairTarget;
  double repairScale;
};

ClipGradientComponent::ClipGradientComponent(
    const ClipGradientAttributes &attributes)
    : Component(attributes), threshold(attributes.clippingThreshold()),
      byNorm(attributes.normBasedClipping()),
      repairThreshold(attributes.selfRepairClippedProportionThreshold()),
      repairTarget(attributes.selfRepairTarget()),
      repairScale(attributes.selfRepairScale()) {
  for (int32_t i : {kClipped, kRows, kRepaired, kBackpropped})
    addStatistic(kStatisticNames[i],
                 {attributes.reader.real(kStatisticNames[i], 0.0)},
                 /*isPerCommand=*/i == kRepaired || i == kBackpropped);
}

void ClipGradientComponent::backprop(const CommandPlan *,
                                     const BackpropOperands &operands,
                                     const RunContext &context) const {
  const MatrixView &inDeriv = operands.inDeriv;
  if (!inDeriv.data)
    return;
  if (threshold == 0)
    return setConst(inDeriv, 0.0f);
  if (byNorm)
    clipRows(operands.outDeriv, inDeriv, operands.update);
  else
    for (int32_t r = 0; r < inDeriv.rows; ++r)
      vecClamp(inDeriv.cols, static_cast<float>(threshold),
               operands.outDeriv.row(r), inDeriv.row(r));
  if (!operands.update)
    return;
  operands.update->number(kBackpropped) += 1;
  const double proportion = repairProportion(operands.self, context);
  if (proportion == 0)
    return;
  operands.update->number(kRepaired) += 1;
  repair(operands.inValue, proportion, inDeriv,
         static_cast<float *>(context.scratch));
}

void ClipGradientComponent::clipRows(ConstMatrixView outDeriv,
                                     MatrixView inDeriv,
                                     ComponentState *stats) const {
  int32_t numClipped = 0;
  for (int32_t r = 0; r < inDeriv.rows; ++r) {
    const float *dy = outDeriv.row(r);
    const double norm = std::sqrt(vecSumSquares(inDeriv.cols, dy));
    // A NaN norm makes the whole row NaN.
    vecScale(inDeriv.cols, norm <= threshold ? 1.0f : float(threshold / norm),
             dy, inDeriv.row(r));
    numClipped += norm > threshold;
  }
  if (stats) {
    stats->number(kClipped) += numClipped;
    stats->number(kRows) += inDeriv.rows;
  }
}

/// Returns the proportion of clipped rows if this command self-repairs,
/// otherwise 0.
double
ClipGradientComponent::repairProportion(const ComponentState *self,
                                        const RunContext &context) const {
  if (repairThreshold >= 1 || repairScale == 0 || !self ||
      self->number(kRows) == 0 ||
      RandomStream(context, RandomPurpose::Backprop).uniform(0) >
          kRepairProbability)
    return 0;
  const double proportion = self->number(kClipped) / self->number(kRows);
  return proportion > repairThreshold ? proportion : 0;
}

/// Writes the excess of each value of a row over the target, and returns its
/// norm.
double ClipGradientComponent::writeExcess(const float *x, float *excess) const {
  for (int32_t c = 0; c < inputDim(); ++c)
    excess[c] =
        std::copysign(std::max(std::fabs(x[c]) - repairTarget, 0.0f), x[c]);
  return std::sqrt(vecSumSquares(inputDim(), excess));
}

double sumOfNorms(ConstMatrixView matrix) {
  double sum = 0;
  for (int32_t r = 0; r < matrix.rows; ++r)
    sum += std::sqrt(vecSumSquares(matrix.cols, matrix.row(r)));
  return sum;
}

/// Moves the derivative against the excess of the input over the target.
/// Preserves the sum of the norms of its rows.
void ClipGradientComponent::repair(ConstMatrixView in, double proportion,
                                   MatrixView inDeriv, float *scratch) const {
  const double before = sumOfNorms(inDeriv);
  double excess = 0;
  for (int32_t r = 0; r < in.rows; ++r)
    excess += writeExcess(in.row(r), scratch);
  if (excess == 0)
    return;
  const double step =
      repairScale * proportion * before / excess / kRepairProbability;
  for (int32_t r = 0; r < in.rows; ++r) {
    writeExcess(in.row(r), scratch);
    vecAxpy(in.cols, static_cast<float>(-step), scratch, inDeriv.row(r));
  }
  if (const double after = sumOfNorms(inDeriv))
    copyMatrix(inDeriv, inDeriv, static_cast<float>(before / after));
}

} // namespace

std::unique_ptr<Component> create(const ClipGradientAttributes &attributes) {
  for (auto [name, value] :
       {std::pair("self_repair_target", attributes.selfRepairTarget()),
        {"self_repair_scale", attributes.selfRepairScale()}})
    if (value < 0)
      attributes.fail("expects " + std::string(name) +
                      " that is not negative, but got " +
                      std::to_string(value));
  return std::make_unique<ClipGradientComponent>(attributes);
}

} // namespace rt
} // namespace nnet3

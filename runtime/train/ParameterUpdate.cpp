//===- ParameterUpdate.cpp - The step from delta to the model -------------===//

#include "ParameterUpdate.h"
#include "core/ComponentState.h"

#include <cmath>

namespace nnet3 {
namespace runtime {

/// What addL2() multiplies the parameters of component \p index by, for a scale
/// of 1.
static double l2Factor(const Model &delta, int32_t index) {
  if (!delta.isUpdatable(index))
    return 0;
  return -2.0 * delta.state(index).learningRate *
         delta.component(index).updateOptions().l2Regularize;
}

bool usesL2(const Model &model) {
  for (int32_t i = 0; i < model.numComponents(); ++i)
    if (l2Factor(model, i) != 0)
      return true;
  return false;
}

void addL2(const Model &model, double scale, Model &delta) {
  for (int32_t i = 0; i < model.numComponents(); ++i)
    if (const double factor = scale * l2Factor(delta, i); factor != 0)
      delta.addComponent(i, static_cast<float>(factor), model);
}

namespace {

/// What each component's change is multiplied by because of its own limit.
struct ComponentLimits {
  std::vector<double> factors;
  double sumSquares = 0; ///< of the norms of the changes that remain
};

} // namespace

static ComponentLimits limitComponents(const Model &delta,
                                       double maxChangeScale, double scale) {
  ComponentLimits limits;
  limits.factors.assign(delta.numComponents(), 1.0);
  for (int32_t i = 0; i < delta.numComponents(); ++i) {
    if (!delta.isUpdatable(i))
      continue;
    const double change =
        std::sqrt(delta.dotProduct(i, delta)) * std::fabs(scale);
    const double limit =
        delta.component(i).updateOptions().maxChange * maxChangeScale;
    if (limit != 0 && change > limit)
      limits.factors[i] = limit / change;
    const double remaining = limits.factors[i] * change;
    limits.sumSquares += remaining * remaining;
  }
  return limits;
}

bool addWithMaxChange(const Model &delta, double maxParamChange,
                      double maxChangeScale, double scale, Model &model,
                      MaxChangeCounts &counts) {
  const ComponentLimits limits = limitComponents(delta, maxChangeScale, scale);
  const double change = std::sqrt(limits.sumSquares);
  // An infinite change that its component's limit makes 0 is a NaN here.
  if (!std::isfinite(change))
    return false;
  const double limit = maxParamChange * maxChangeScale;
  const bool limited = limit != 0 && change > limit;
  if (limited)
    scale *= limit / change;
  counts.components.resize(model.numComponents());
  for (int32_t i = 0; i < model.numComponents(); ++i) {
    model.addComponent(i, static_cast<float>(scale * limits.factors[i]), delta);
    counts.components[i] += limits.factors[i] != 1;
  }
  counts.global += limited;
  ++counts.updates;
  return true;
}

void scaleBatchNormStatistics(double scale, Model &model) {
  for (int32_t i = 0; i < model.numComponents(); ++i)
    if (model.componentType(i) == "BatchNormComponent")
      for (std::vector<double> &statistic : model.state(i).statistics)
        for (double &value : statistic)
          value *= scale;
}

} // namespace runtime
} // namespace nnet3

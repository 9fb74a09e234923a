//===- ParameterUpdate.cpp - The step from delta to the model -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ParameterUpdate.h"
#include "core/ComponentState.h"

#include <cmath>

namespace nnet3 {
namespace rt {

double l2Factor(const Model &delta, int32_t index) {
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

void addL2(const Model &model, double scale, Model &delta,
           ThreadPool *threads) {
  std::vector<double> factors;
  for (int32_t i = 0; i < model.numComponents(); ++i)
    factors.push_back(scale * l2Factor(delta, i));
  delta.addComponents(factors, model, threads);
}

namespace {

/// The factors of the components' changes by their own limits.
struct ComponentLimits {
  std::vector<double> factors;
  double sumSquares = 0; ///< of the limited changes
  MaxChangeFactors summary;
};

} // namespace

static void setLimit(int32_t component, double limit, double change,
                     ComponentLimits &limits) {
  const double factor = limit / change;
  limits.factors[component] = factor;
  ++limits.summary.numActive;
  if (factor >= limits.summary.smallest)
    return;
  limits.summary.smallest = factor;
  limits.summary.component = component;
  limits.summary.limit = limit;
}

static ComponentLimits limitComponents(const Model &delta,
                                       const std::vector<double> &sumSquares,
                                       double maxChangeScale, double scale) {
  ComponentLimits limits;
  limits.factors.assign(delta.numComponents(), 1.0);
  for (int32_t i = 0; i < delta.numComponents(); ++i) {
    if (!delta.isUpdatable(i))
      continue;
    const double change = std::sqrt(sumSquares[i]) * std::fabs(scale);
    const double limit =
        delta.component(i).updateOptions().maxChange * maxChangeScale;
    ++limits.summary.numUpdatable;
    if (limit != 0 && change > limit)
      setLimit(i, limit, change, limits);
    const double remaining = limits.factors[i] * change;
    limits.sumSquares += remaining * remaining;
  }
  return limits;
}

UpdateScales limitChange(const Model &delta,
                         const std::vector<double> &sumSquares,
                         double maxParamChange, double maxChangeScale,
                         double scale, MaxChangeCounts &counts) {
  ComponentLimits limits =
      limitComponents(delta, sumSquares, maxChangeScale, scale);
  const double change = std::sqrt(limits.sumSquares);
  // An infinite change whose factor is 0 is a NaN here.
  if (!std::isfinite(change))
    return {{}, false};
  const double limit = maxParamChange * maxChangeScale;
  const bool limited = limit != 0 && change > limit;
  if (limited)
    scale *= limits.summary.global = limit / change;
  counts.latest = limits.summary;
  UpdateScales scales;
  counts.components.resize(delta.numComponents());
  counts.latestChanges.resize(delta.numComponents());
  for (int32_t i = 0; i < delta.numComponents(); ++i) {
    scales.components.push_back(scale * limits.factors[i]);
    counts.latestChanges[i] =
        std::sqrt(sumSquares[i]) * std::fabs(scales.components.back());
    counts.components[i] += limits.factors[i] != 1;
  }
  counts.global += limited;
  ++counts.updates;
  return scales;
}

bool addWithMaxChange(const Model &delta, double maxParamChange,
                      double maxChangeScale, double scale, Model &model,
                      MaxChangeCounts &counts, ThreadPool *threads) {
  const UpdateScales scales =
      limitChange(delta, delta.sumSquares(threads), maxParamChange,
                  maxChangeScale, scale, counts);
  if (scales.areFinite)
    model.addComponents(scales.components, delta, threads);
  return scales.areFinite;
}

bool isBatchNorm(const Model &model, int32_t index) {
  return model.componentType(index) == "BatchNormComponent";
}

void scaleBatchNormStatistics(double scale, Model &model) {
  for (int32_t i = 0; i < model.numComponents(); ++i)
    if (isBatchNorm(model, i))
      for (std::vector<double> &statistic : model.state(i).statistics)
        for (double &value : statistic)
          value *= scale;
}

} // namespace rt
} // namespace nnet3

//===- NonlinearBase.cpp - Base of nonlinearities -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NonlinearBase.h"
#include "core/ComponentState.h"
#include "cpu/math/Random.h"
#include "cpu/math/VectorBackward.h"
#include "nnet3/runtime/Model.h"

#include <cmath>

namespace nnet3 {
namespace rt {

namespace {

/// Returns the tensor's elements mapped by \p f; empty if the attribute is
/// absent.
template <typename Function>
std::vector<double> readVector(AttributeReader &attributes, const char *name,
                               int32_t dim, Function f) {
  std::vector<double> values;
  if (!attributes.has(name))
    return values;
  const float *tensor = attributes.tensor(name, {dim});
  if (!tensor)
    return values;
  for (int32_t i = 0; i < dim; ++i)
    values.push_back(f(tensor[i]));
  return values;
}

} // namespace

// If an average is missing, its count and the other sums of that count start
// from zero.
void NonlinearBase::addStatistics(AttributeReader &attributes) {
  const int32_t dim = outputDim();
  hasValues = attributes.has("value_avg");
  hasDerivs = attributes.has("deriv_avg");
  hasOderivs = attributes.has("oderiv_rms");
  const bool complete =
      hasValues && (hasDerivs || kept != NonlinearSums::ValuesAndDerivs);
  const double count = complete ? attributes.real("count", 0) : 0;
  auto sum = [&](double average) { return average * count; };
  const double oderivCount =
      hasOderivs ? attributes.real("oderiv_count", 0) : 0;
  auto sumsq = [&](double rms) { return rms * rms * oderivCount; };
  addStatistic("value_avg", dim, readVector(attributes, "value_avg", dim, sum));
  addStatistic("deriv_avg", dim, readVector(attributes, "deriv_avg", dim, sum));
  addStatistic("count", {count});
  addStatistic("oderiv_rms", dim,
               readVector(attributes, "oderiv_rms", dim, sumsq));
  addStatistic("oderiv_count", {oderivCount});
  for (const char *name : {"num_dims_self_repaired", "num_dims_processed"})
    addStatistic(name, {attributes.real(name, 0)}, /*isPerCommand=*/true);
}

void NonlinearBase::storeBackpropStats(ConstMatrixView outDeriv,
                                       ComponentState *update,
                                       const RunContext &context) const {
  if (!update)
    return;
  RandomStream random(context, RandomPurpose::Backprop);
  if (update->number(kOderivCount) != 0 &&
      random.integer(kStatsDraw, 0, 3) == 0)
    return;
  double *sumsq = update->statistics[kOderivSumsq].data();
  for (int32_t r = 0; r < outDeriv.rows; ++r)
    vecAddSquares(outDeriv.cols, outDeriv.row(r), sumsq);
  update->number(kOderivCount) += outDeriv.rows;
}

void NonlinearBase::exportStatistics(const ComponentState &state,
                                     AttributeWriter &writer) const {
  std::vector<double> values;
  auto write = [&](Statistic which, bool isThere, double count, auto average) {
    values.clear();
    for (double sum : state.statistics[which])
      if (isThere)
        values.push_back(count == 0 ? 0 : average(sum / count));
    writer.vector(statistics()[which].name, values.data(),
                  static_cast<int32_t>(values.size()));
  };
  auto same = [](double mean) { return mean; };
  auto root = [](double mean) { return std::sqrt(std::max(mean, 0.0)); };
  const double count = state.number(kCount);
  const double oderivCount = state.number(kOderivCount);
  const bool keepsDerivs = kept == NonlinearSums::ValuesAndDerivs;
  write(kValueSum, hasValues || count != 0, count, same);
  write(kDerivSum, hasDerivs || (count != 0 && keepsDerivs), count, same);
  write(kOderivSumsq, hasOderivs || oderivCount != 0, oderivCount, root);
  for (Statistic which :
       {kCount, kOderivCount, kNumDimsSelfRepaired, kNumDimsProcessed})
    writer.real(statistics()[which].name, state.number(which));
}

} // namespace rt
} // namespace nnet3

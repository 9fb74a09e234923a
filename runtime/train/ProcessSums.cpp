//===- ProcessSums.cpp - Sums over processes ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProcessSums.h"
#include "core/ComponentState.h"

namespace nnet3 {
namespace rt {

/// Calls \p function with each number of all statistics, and whether commands
/// add to it once (StatisticInfo).
template <typename ModelType, typename Fn>
static void forEachStatistic(ModelType &model, Fn function) {
  for (int32_t i = 0; i < model.numComponents(); ++i) {
    auto &statistics = model.state(i).statistics;
    for (size_t k = 0; k < statistics.size(); ++k)
      for (auto &value : statistics[k])
        function(value, model.component(i).statistics()[k].isPerCommand);
  }
}

StatisticsExchange::StatisticsExchange(const Model &model) {
  forEachStatistic(model,
                   [&](const double &value, bool) { before.push_back(value); });
}

void StatisticsExchange::sumChanges(Exchange &exchange, Model &model) const {
  std::vector<double> sums;
  forEachStatistic(model, [&](double &value, bool) {
    sums.push_back(value - before[sums.size()]);
  });
  exchange.sum(sums.data(), static_cast<int64_t>(sums.size()));
  size_t next = 0;
  forEachStatistic(model, [&](double &value, bool isPerCommand) {
    value = before[next] + sums[next] / (isPerCommand ? exchange.size() : 1);
    ++next;
  });
}

void sumObjectives(Exchange &exchange,
                   std::vector<OutputObjective> &objectives) {
  std::vector<double> sums;
  for (const OutputObjective &output : objectives) {
    sums.push_back(output.objective.value);
    sums.push_back(output.objective.weight);
    sums.push_back(output.auxiliary);
  }
  exchange.sum(sums.data(), static_cast<int64_t>(sums.size()));
  auto next = sums.begin();
  for (OutputObjective &output : objectives) {
    output.objective.value = *next++;
    output.objective.weight = *next++;
    output.auxiliary = *next++;
  }
}

} // namespace rt
} // namespace nnet3

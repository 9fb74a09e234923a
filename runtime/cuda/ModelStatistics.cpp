//===- ModelStatistics.cpp - Statistics of models on a GPU ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/cuda/ModelStatistics.h"
#include "core/ComponentState.h"

#include <algorithm>

namespace nnet3 {
namespace rt {
namespace cuda {

Status checkStatistics(const std::vector<DeviceStatistics> &statistics,
                       const Model &model) {
  uint64_t next = statistics.empty() ? 0 : statistics.front().place;
  for (const DeviceStatistics &entry : statistics) {
    const int32_t index = model.findComponent(entry.component);
    if (index < 0 || entry.size != model.component(index).countStatistics() ||
        entry.place != next)
      return invalidProgram("the device has no statistics of component '" +
                            entry.component + "' as the model has them");
    next += 2 * entry.size;
  }
  return Status();
}

DeviceMatrix getMatrix(const std::vector<DeviceStatistics> &statistics) {
  if (statistics.empty())
    return {};
  const DeviceStatistics &last = statistics.back();
  const uint64_t place = statistics.front().place;
  return {place, 1, static_cast<int32_t>(last.place + 2 * last.size - place)};
}

std::vector<double>
packStatistics(const std::vector<DeviceStatistics> &statistics,
               const Model &model, const Model *gradient) {
  std::vector<double> numbers;
  for (const DeviceStatistics &entry : statistics) {
    const size_t begin = numbers.size();
    if (const Model *from = entry.ofGradient ? gradient : &model)
      for (const std::vector<double> &statistic :
           from->state(model.findComponent(entry.component)).statistics)
        numbers.insert(numbers.end(), statistic.begin(), statistic.end());
    numbers.resize(begin + entry.size);
  }
  return numbers;
}

void unpackStatistics(const std::vector<DeviceStatistics> &statistics,
                      const std::vector<double> &numbers, Model &model,
                      Model *gradient) {
  auto next = numbers.begin();
  for (const DeviceStatistics &entry : statistics) {
    auto from = next;
    next += entry.size;
    Model *to = entry.ofGradient ? gradient : &model;
    if (!to)
      continue;
    for (std::vector<double> &statistic :
         to->state(model.findComponent(entry.component)).statistics) {
      std::copy_n(from, statistic.size(), statistic.begin());
      from += statistic.size();
    }
  }
}

} // namespace cuda
} // namespace rt
} // namespace nnet3

//===- ProcessSums.h - Sums of what processes add -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TRAIN_PROCESSSUMS_H
#define NNET3_RUNTIME_TRAIN_PROCESSSUMS_H

#include "nnet3/runtime/Exchange.h"
#include "nnet3/runtime/Model.h"
#include "nnet3/runtime/OutputSupervisor.h"

#include <vector>

namespace nnet3 {
namespace rt {

/// The statistics of a model, before processes add to them. All have the same
/// ones.
class StatisticsExchange {
public:
  explicit StatisticsExchange(const Model &model);

  /// Adds to \p model, the same one, what the other processes have added.
  void sumChanges(Exchange &exchange, Model &model) const;

private:
  std::vector<double> before;
};

/// Sums objectives of the same outputs.
void sumObjectives(Exchange &exchange,
                   std::vector<OutputObjective> &objectives);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_PROCESSSUMS_H

//===- ProcessSums.h - Sums over processes ----------------------*- C++ -*-===//
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

/// A copy of a model's statistics, equal in all processes, before the processes
/// add to them.
class StatisticsExchange {
public:
  explicit StatisticsExchange(const Model &model);

  /// Adds the changes of the other processes to \p model, the model of the
  /// constructor. Statistics that commands add to once change by the mean.
  void sumChanges(Exchange &exchange, Model &model) const;

private:
  std::vector<double> before;
};

/// Sums objectives over processes, which must have the same outputs.
void sumObjectives(Exchange &exchange,
                   std::vector<OutputObjective> &objectives);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_PROCESSSUMS_H

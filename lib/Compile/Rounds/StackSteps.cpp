//===- StackSteps.cpp - Which steps have one stack ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/StackSteps.h"

using namespace mlir;
using namespace mlir::nnet3;

StackSteps::StackSteps(const StepList &list, ArrayRef<StepRounds> rounds,
                       bool ofDerivs) {
  if (rounds.empty())
    return;
  stacks.assign(list.steps.size(), -1);
  for (const StepRounds &its : rounds) {
    const auto &stacked = ofDerivs ? its.stackedDerivs : its.stackedValues;
    for (int32_t number = 0; number < its.period; ++number)
      for (int32_t round = 0; stacked[number] && round < its.count; ++round)
        stacks[its.getStep(round) + number] = its.begin + number;
  }
  for (int32_t step = 0; step < int32_t(list.steps.size()); ++step) {
    const int32_t source = list.steps[step].source;
    auto isPart = [&](const StepRounds &its) { return its.contains(step); };
    if (source >= 0 && stacks[source] >= 0 && llvm::none_of(rounds, isPart))
      stacks[step] =
          columns.try_emplace({stacks[source], list.steps[step].node}, step)
              .first->second;
  }
}

int32_t StackSteps::getColumns(int32_t stack, int32_t node) const {
  auto found = columns.find({stack, node});
  return found == columns.end() ? -1 : found->second;
}

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
  const int32_t numSteps = list.steps.size();
  stacks.assign(numSteps, -1);
  std::vector<bool> isPart(numSteps);
  for (const StepRounds &its : rounds)
    for (int32_t step = its.begin; step < its.end(); ++step) {
      const int32_t number = its.getNumber(step);
      isPart[step] = true;
      if (ofDerivs ? its.stackedDerivs[number] : its.stackedValues[number])
        stacks[step] = its.begin + number;
    }
  for (int32_t step = 0; step < numSteps; ++step) {
    const int32_t source = list.steps[step].source;
    if (!isPart[step] && source >= 0 && stacks[source] >= 0)
      stacks[step] =
          columns.try_emplace({stacks[source], list.steps[step].node}, step)
              .first->second;
  }
}

int32_t StackSteps::getColumns(int32_t stack, int32_t node) const {
  auto found = columns.find({stack, node});
  return found == columns.end() ? -1 : found->second;
}

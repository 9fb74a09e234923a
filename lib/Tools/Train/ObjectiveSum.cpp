//===- ObjectiveSum.cpp - Summing and printing objectives -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ObjectiveSum.h"
#include "nnet3/Tools/Common/Program.h"

using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

std::string mlir::nnet3::showAverage(const rt::OutputObjective &sum) {
  const auto &[value, weight] = sum.objective;
  std::string text = showNumber(value / weight);
  if (sum.auxiliary != 0)
    text += " + " + showNumber(sum.auxiliary / weight) + " = " +
            showNumber((value + sum.auxiliary) / weight);
  return text;
}

void mlir::nnet3::addTo(rt::OutputObjective &sum,
                        const rt::OutputObjective &output) {
  sum.objective.value += output.objective.value;
  sum.objective.weight += output.objective.weight;
  sum.auxiliary += output.auxiliary;
}

//===- ObjectiveSum.h - Summing and printing objectives ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_OBJECTIVESUM_H
#define LIB_TOOLS_TRAIN_OBJECTIVESUM_H

#include "nnet3/runtime/OutputSupervisor.h"

namespace mlir::nnet3 {

/// Returns the average objective as "X", or "X + Y = Z" with an auxiliary
/// objective Y.
std::string showAverage(const ::nnet3::rt::OutputObjective &sum);

/// Adds all fields except the name.
void addTo(::nnet3::rt::OutputObjective &sum,
           const ::nnet3::rt::OutputObjective &output);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_OBJECTIVESUM_H

//===- ObjectiveSum.h - Objectives, added and printed -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_OBJECTIVESUM_H
#define LIB_TOOLS_TRAIN_OBJECTIVESUM_H

#include "nnet3/runtime/OutputSupervisor.h"

namespace mlir::nnet3 {

/// The average of a sum of objectives: "X", or with what is maximised beside it
/// "X + Y = Z".
std::string showAverage(const ::nnet3::rt::OutputObjective &sum);

/// Adds all but the name.
void addTo(::nnet3::rt::OutputObjective &sum,
           const ::nnet3::rt::OutputObjective &output);

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_OBJECTIVESUM_H

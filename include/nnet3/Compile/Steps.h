//===- Steps.h - Matrices of a computation ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_STEPS_H
#define NNET3_COMPILE_STEPS_H

#include "nnet3/Compile/Phases.h"
#include "nnet3/Compile/RequestRows.h"

namespace mlir::nnet3 {

/// Rows of one node that make up one matrix (compile.md 6).
struct Step {
  int32_t node;
  IndexRows rows;
  /// The rows that the caller supplies of an input or component node.
  bool isInput = false;
  /// The step a dim-range step takes columns of; -1 for others.
  int32_t source = -1;
};

/// Where the value of a row is: entry `entry` of a step's rows.
struct RowLocation {
  int32_t step = -1;
  int32_t entry = -1;

  friend bool operator==(const RowLocation &a, const RowLocation &b) {
    return a.step == b.step && a.entry == b.entry;
  }
};

/// The steps of a request, in order, and the location of every kept row.
/// A component step that is not an input is preceded by the step of its
/// input, which may be empty.
struct StepList {
  std::vector<Step> steps;
  std::vector<RowLocation> locations;
};

/// Lays out the rows of the phases. Fails if a component cannot arrange its
/// rows.
FailureOr<StepList> computeSteps(const ComputationGraph &graph,
                                 const Phases &phases,
                                 const RequestRows &request);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_STEPS_H

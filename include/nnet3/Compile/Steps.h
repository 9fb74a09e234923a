//===- Steps.h - Matrices of a computation ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_STEPS_H
#define NNET3_COMPILE_STEPS_H

#include "nnet3/Compile/Phases.h"
#include "nnet3/Compile/RequestRows.h"

namespace mlir::nnet3 {

/// The rows of one node that form one matrix (compile.md 6).
struct Step {
  int32_t node = -1;
  IndexRows rows;
  /// Whether the caller supplies the rows, of an input or component node.
  bool isInput = false;
  /// For a dim-range step, the step whose columns it takes; otherwise -1.
  int32_t source = -1;
  int32_t firstId = 0; ///< The position of its rows in StepList::ids.
};

/// The location of a row: entry `entry` of the rows of step `step`.
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
  /// The numbers that the rows of all steps have in the graph; -1 if a row is
  /// blank or not kept.
  std::vector<int32_t> ids;

  /// Returns the numbers of the rows of a step, of one sequence.
  ArrayRef<int32_t> getIds(size_t step) const {
    return ArrayRef(ids).slice(steps[step].firstId,
                               steps[step].rows.rows.size());
  }
};

/// Divides the rows of the phases into steps. Fails if a component cannot
/// reorder its rows.
FailureOr<StepList> computeSteps(const ComputationGraph &graph,
                                 const Phases &phases,
                                 const RequestRows &request);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_STEPS_H

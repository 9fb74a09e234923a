//===- Phases.h - The order in which rows are computed ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_PHASES_H
#define NNET3_COMPILE_PHASES_H

#include "nnet3/Compile/ComputationGraph.h"

namespace mlir::nnet3 {

/// Rows of one node in one phase, which are computed together.
struct SubPhase {
  int32_t phase, node;
  /// The rows in the list of all phases.
  int32_t begin, end;
};

/// The rows of a pruned graph in phases, such that a row depends on rows of
/// earlier phases only (compile.md 5). Each phase is split by node; the input
/// rows are first.
struct Phases {
  std::vector<int32_t> ids;
  std::vector<SubPhase> subPhases;

  ArrayRef<int32_t> getIds(const SubPhase &subPhase) const {
    return ArrayRef(ids).slice(subPhase.begin, subPhase.end - subPhase.begin);
  }
};

/// Fails with an error at `loc` if a recurrence cannot be computed.
FailureOr<Phases> computePhases(const ComputationGraph &graph, Location loc);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_PHASES_H

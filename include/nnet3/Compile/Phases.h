//===- Phases.h - The order in which rows are computed ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_PHASES_H
#define NNET3_COMPILE_PHASES_H

#include "nnet3/Compile/ComputationGraph.h"

namespace mlir::nnet3 {

/// Rows of one node in one phase, which are computed together.
struct SubPhase {
  int32_t node;
  std::vector<int32_t> ids;
};

/// The rows of a pruned graph in phases, such that a row depends on rows of
/// earlier phases only (compile.md 5). Each phase is split by node; the input
/// rows are first.
using Phases = std::vector<std::vector<SubPhase>>;

/// Fails with an error at `loc` if a recurrence cannot be computed.
FailureOr<Phases> computePhases(const ComputationGraph &graph, Location loc);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_PHASES_H

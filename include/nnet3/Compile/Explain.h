//===- Explain.h - Why an output cannot be computed -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_EXPLAIN_H
#define NNET3_COMPILE_EXPLAIN_H

#include "nnet3/Compile/ComputationGraph.h"
#include "nnet3/Compile/RequestRows.h"

namespace mlir::nnet3 {

/// Emits an error at the output unless all its rows are computable. The error
/// names the rows that are not, and the chain of dependencies from the first of
/// them to the missing input row, or to itself for a cycle.
LogicalResult verifyComputable(const ComputationGraph &graph,
                               const RequestRows &request, const IoRows &io);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_EXPLAIN_H

//===- RequestGraph.h - The graph of a request's rows -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_COMPILE_REQUESTGRAPH_H
#define NNET3_LIB_COMPILE_REQUESTGRAPH_H

#include "nnet3/Compile/ComputationGraph.h"
#include "nnet3/Compile/RequestRows.h"

namespace mlir::nnet3 {

/// Fills the empty `graph` with the rows needed to compute `rows` of `request`,
/// and prunes it. Emits an error if an output is not computable.
LogicalResult buildGraph(ComputationGraph &graph, const RequestRows &rows,
                         RequestOp request);

} // namespace mlir::nnet3

#endif // NNET3_LIB_COMPILE_REQUESTGRAPH_H

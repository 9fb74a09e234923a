//===- RequestGraph.cpp - The graph of a request's rows -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RequestGraph.h"
#include "nnet3/Compile/Explain.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Adds the input or output rows of a request to the graph.
static LogicalResult addRows(ComputationGraph &graph, const IoRows &io,
                             bool isInput) {
  for (const Index &index : io.rows.rows) {
    Cindex cindex{io.node, index};
    if (isInput ? graph.addInput(cindex) : graph.addOutput(cindex))
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << index;
    return io.op->emitError("row ")
           << text << " of '" << graph.getNodes()[io.node].name
           << "' is listed twice";
  }
  return success();
}

LogicalResult mlir::nnet3::buildGraph(ComputationGraph &graph,
                                      const RequestRows &rows,
                                      RequestOp request) {
  for (const IoRows &io : rows.inputs)
    if (failed(addRows(graph, io, /*isInput=*/true)))
      return failure();
  for (const IoRows &io : rows.outputs)
    if (failed(addRows(graph, io, /*isInput=*/false)))
      return failure();
  if (graph.computeFeedForward())
    return success();
  switch (graph.compute()) {
  case ComputationGraph::Result::Done:
    break;
  case ComputationGraph::Result::TooDeep:
    return request.emitError("the outputs depend on rows more than 10000 "
                             "steps away; the recurrence does not end");
  case ComputationGraph::Result::TooLarge:
    return request.emitError("the request needs more than 2^24 rows of nodes");
  }
  for (const IoRows &io : rows.outputs)
    if (failed(verifyComputable(graph, rows, io)))
      return failure();
  graph.prune();
  return success();
}

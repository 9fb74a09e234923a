//===- Compile.cpp - From a network and a request to commands -------------===//

#include "nnet3/Compile/Compile.h"
#include "nnet3/Compile/CommandEmitter.h"
#include "nnet3/Compile/Explain.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Puts the rows of the request into the graph.
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

static LogicalResult buildGraph(ComputationGraph &graph,
                                const RequestRows &rows, RequestOp request) {
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

FailureOr<ComputationOp>
mlir::nnet3::compileRequest(OpBuilder &builder, NetworkOp network,
                            const NodeTable &nodes, RequestOp request,
                            const CompileOptions &options) {
  FailureOr<RequestRows> rows =
      readRequest(request, nodes, options.foldSequences);
  if (failed(rows))
    return failure();
  ComputationGraph graph(nodes);
  if (failed(buildGraph(graph, *rows, request)))
    return failure();
  FailureOr<Phases> phases = computePhases(graph, request.getLoc());
  if (failed(phases))
    return failure();
  FailureOr<StepList> steps = computeSteps(graph, *phases, *rows);
  if (failed(steps))
    return failure();

  auto computation = ComputationOp::create(
      builder, request.getLoc(), (request.getSymName() + "_computation").str(),
      network.getSymName());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&computation.getBody().emplaceBlock());
  EmitOptions emitOptions{options.debugInfo, options.expandable,
                          request.getStoreComponentStats(),
                          getDerivativeRequest(request, *rows)};
  computation.setNeedModelDerivative(emitOptions.derivatives.modelDerivative);
  emitCommands(builder, network, graph, *steps, emitOptions);
  return computation;
}

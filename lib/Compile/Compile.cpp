//===- Compile.cpp - From a network and a request to commands -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Compile/Compile.h"
#include "RequestGraph.h"
#include "nnet3/Compile/CommandEmitter.h"

using namespace mlir;
using namespace mlir::nnet3;

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
  EmitOptions emitOptions;
  emitOptions.debugInfo = options.debugInfo;
  emitOptions.expandable = options.expandable;
  emitOptions.storeStats = request.getStoreComponentStats();
  emitOptions.derivatives = getDerivativeRequest(request, *rows);
  emitOptions.needed =
      computeNeededDerivatives(graph, *steps, emitOptions.derivatives);
  if (options.elideRounds && !options.debugInfo && !options.expandable &&
      !graph.isFeedForward())
    emitOptions.rounds = findStepRounds(graph, *steps, emitOptions.derivatives,
                                        emitOptions.needed);
  computation.setNeedModelDerivative(emitOptions.derivatives.modelDerivative);
  emitCommands(builder, network, graph, *steps, emitOptions);
  return computation;
}

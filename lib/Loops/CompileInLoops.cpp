//===- CompileInLoops.cpp - Compile recurrences as loops ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Loops/CompileInLoops.h"
#include "Extrapolate.h"
#include "FewerFrames.h"
#include "nnet3/Loops/RollLoops.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
class LoopCompiler {
public:
  LoopCompiler(OpBuilder &builder, NetworkOp network, const NodeTable &nodes,
               const CompileOptions &options,
               function_ref<LogicalResult(ComputationOp)> passes)
      : builder(builder), network(network), nodes(nodes), options(options),
        passes(passes), elidesRounds(options.elideRounds) {}

  /// Compiles the request without loops, unless rounds are elided.
  FailureOr<ComputationOp> compile(RequestOp request);
  /// Expands the computations of two shorter requests to that of the request;
  /// null, with `reason` set, if that is not possible.
  ComputationOp expand(RequestOp request, std::string &reason);

private:
  FailureOr<ComputationOp> compile(RequestOp request, bool elideRounds);
  ComputationOp expand(ComputationOp first, ComputationOp second, int64_t steps,
                       std::string &reason);

  OpBuilder &builder;
  NetworkOp network;
  const NodeTable &nodes;
  const CompileOptions &options;
  function_ref<LogicalResult(ComputationOp)> passes;
  /// Whether rounds are elided; not once that has been in vain.
  bool elidesRounds;
};
} // namespace

FailureOr<ComputationOp> LoopCompiler::compile(RequestOp request,
                                               bool elideRounds) {
  CompileOptions itsOptions = options;
  itsOptions.elideRounds = elideRounds;
  FailureOr<ComputationOp> computation =
      compileRequest(builder, network, nodes, request, itsOptions);
  if (failed(computation))
    return failure();
  if (failed(passes(*computation))) {
    computation->erase();
    return failure();
  }
  return computation;
}

static bool hasLoops(ComputationOp computation) {
  return !computation.getBody().getOps<LoopOp>().empty();
}

static bool hasElidedRounds(ComputationOp computation) {
  return !computation.getBody().getOps<ElidedRoundsOp>().empty();
}

FailureOr<ComputationOp> LoopCompiler::compile(RequestOp request) {
  FailureOr<ComputationOp> computation = compile(request, elidesRounds);
  if (failed(computation) || !hasElidedRounds(*computation))
    return computation;
  rollLoops(*computation);
  if (!hasElidedRounds(*computation))
    return computation;
  // Optimisation left the rounds before and behind the elided ones different.
  computation->erase();
  elidesRounds = false;
  return compile(request, elidesRounds);
}

ComputationOp LoopCompiler::expand(ComputationOp first, ComputationOp second,
                                   int64_t steps, std::string &reason) {
  reason.clear();
  if (!hasLoops(first)) {
    reason = "shorter requests have no loops";
    return nullptr;
  }
  OwningOpRef<ComputationOp> expanded =
      extrapolate(first, second, steps, reason);
  if (!expanded)
    return nullptr;
  builder.insert(*expanded);
  if (failed(verify(*expanded))) {
    reason = "the result is not valid";
    return nullptr;
  }
  return expanded.release();
}

/// Returns the number of periods that outputs must keep so that the loops of a
/// request and of a longer one are alike. The rows of elided rounds are stacked
/// from the start, so steps with and without outputs are the same steps.
/// Otherwise more periods are needed. In a backward pass, each recurrent layer
/// adds a few irregular steps; seven periods are enough for three layers.
static int64_t getMinOutputPeriods(RequestOp request,
                                   const CompileOptions &options) {
  if (options.elideRounds)
    return 2;
  return request.isForward() ? 4 : 7;
}

ComputationOp LoopCompiler::expand(RequestOp request, std::string &reason) {
  std::optional<FewerFrames> fewer =
      FewerFrames::get(request, nodes, getMinOutputPeriods(request, options));
  // Matrices with debug information differ in more than numbers.
  if (!fewer || options.debugInfo) {
    reason = "it has no recurrence over many frames at equal distances";
    return nullptr;
  }
  // Errors of the request are reported when it is compiled without loops.
  ScopedDiagnosticHandler silence(request.getContext(),
                                  [](Diagnostic &) { return success(); });
  SmallVector<ComputationOp> computations;
  ComputationOp expanded;
  for (int64_t left = fewer->count; !expanded && fewer->isWorth(left); --left) {
    OwningOpRef<RequestOp> shorter = createShorter(request, *fewer, left);
    FailureOr<ComputationOp> computation = compile(*shorter);
    if (failed(computation)) {
      reason = "a shorter request cannot be compiled";
      break;
    }
    if (!hasLoops(*computation))
      rollLoops(*computation);
    computations.push_back(*computation);
    if (computations.size() > 1)
      expanded =
          expand(computations.end()[-2], computations.back(), left + 1, reason);
  }
  for (ComputationOp computation : computations)
    computation.erase();
  return expanded;
}

FailureOr<ComputationOp> mlir::nnet3::compileInLoops(
    OpBuilder &builder, NetworkOp network, const NodeTable &nodes,
    RequestOp request, const CompileOptions &options,
    function_ref<LogicalResult(ComputationOp)> passes, std::string &reason) {
  LoopCompiler compiler(builder, network, nodes, options, passes);
  if (ComputationOp expanded = compiler.expand(request, reason)) {
    reason.clear();
    return expanded;
  }
  return compiler.compile(request);
}

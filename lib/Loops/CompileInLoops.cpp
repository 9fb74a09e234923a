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
  using Compiler = function_ref<FailureOr<ComputationOp>(RequestOp)>;

  FailureOr<ComputationOp> emit(RequestOp request);
  LogicalResult optimize(ComputationOp computation);
  bool rollElided(ComputationOp computation);

  ComputationOp expandElided(RequestOp request, std::string &reason);
  ComputationOp expandLoops(RequestOp request, std::string &reason);
  ComputationOp expand(RequestOp request, int64_t minOutputPeriods,
                       Compiler compileShorter, std::string &reason);
  LogicalResult expand(ComputationOp first, ComputationOp second, int64_t steps,
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

static bool hasLoops(ComputationOp computation) {
  return !computation.getBody().getOps<LoopOp>().empty();
}

static bool hasElidedRounds(ComputationOp computation) {
  return !computation.getBody().getOps<ElidedRoundsOp>().empty();
}

//===----------------------------------------------------------------------===//
// One request
//===----------------------------------------------------------------------===//

/// Compiles the request without optimising it.
FailureOr<ComputationOp> LoopCompiler::emit(RequestOp request) {
  CompileOptions itsOptions = options;
  itsOptions.elideRounds = elidesRounds;
  return compileRequest(builder, network, nodes, request, itsOptions);
}

/// Erases the computation if it cannot be optimised.
LogicalResult LoopCompiler::optimize(ComputationOp computation) {
  if (succeeded(passes(computation)))
    return success();
  computation.erase();
  return failure();
}

/// Rolls elided rounds and those around them into loops. If that is not
/// possible, because optimisation has left the rounds before and behind the
/// elided ones different, erases the computation and elides no more rounds.
bool LoopCompiler::rollElided(ComputationOp computation) {
  rollLoops(computation);
  if (!hasElidedRounds(computation))
    return true;
  computation.erase();
  elidesRounds = false;
  return false;
}

FailureOr<ComputationOp> LoopCompiler::compile(RequestOp request) {
  FailureOr<ComputationOp> computation = emit(request);
  if (failed(computation) || failed(optimize(*computation)))
    return failure();
  if (!hasElidedRounds(*computation) || rollElided(*computation))
    return computation;
  return compile(request);
}

//===----------------------------------------------------------------------===//
// Expansion of shorter requests
//===----------------------------------------------------------------------===//

/// Expands the first of two computations.
LogicalResult LoopCompiler::expand(ComputationOp first, ComputationOp second,
                                   int64_t steps, std::string &reason) {
  reason.clear();
  if (failed(extrapolate(first, second, steps, reason)))
    return failure();
  if (succeeded(verify(first)))
    return success();
  reason = "the result is not valid";
  return failure();
}

/// Expands computations of `compileShorter`, which fails if a shorter request
/// has nothing that stands for most of its rounds.
ComputationOp LoopCompiler::expand(RequestOp request, int64_t minOutputPeriods,
                                   Compiler compileShorter,
                                   std::string &reason) {
  std::optional<FewerFrames> fewer =
      FewerFrames::get(request, nodes, minOutputPeriods);
  // Matrices with debug information differ in more than numbers.
  if (!fewer || options.debugInfo) {
    reason = "it has no recurrence over many frames at equal distances";
    return nullptr;
  }
  OwningOpRef<ComputationOp> before;
  for (int64_t left = fewer->count; fewer->isWorth(left); --left) {
    OwningOpRef<RequestOp> shorter = createShorter(request, *fewer, left);
    FailureOr<ComputationOp> computation = compileShorter(*shorter);
    if (failed(computation)) {
      reason = "a shorter request has no loops";
      return nullptr;
    }
    OwningOpRef<ComputationOp> longer(*computation);
    if (before && succeeded(expand(*before, *longer, left + 1, reason)))
      return before.release();
    before = std::move(longer);
  }
  return nullptr;
}

/// Expands elided rounds. Then optimises and rolls what they have become, so
/// that this is done once.
ComputationOp LoopCompiler::expandElided(RequestOp request,
                                         std::string &reason) {
  auto compileShorter = [&](RequestOp shorter) -> FailureOr<ComputationOp> {
    FailureOr<ComputationOp> computation = emit(shorter);
    if (failed(computation) || hasElidedRounds(*computation))
      return computation;
    computation->erase();
    return failure();
  };
  // The rows of elided rounds are stacked from the start, so steps with and
  // without outputs are the same steps.
  ComputationOp expanded =
      expand(request, /*minOutputPeriods=*/3, compileShorter, reason);
  if (expanded && succeeded(optimize(expanded)) && rollElided(expanded))
    return expanded;
  return nullptr;
}

/// Expands loops of optimised computations.
ComputationOp LoopCompiler::expandLoops(RequestOp request,
                                        std::string &reason) {
  auto compileShorter = [&](RequestOp shorter) -> FailureOr<ComputationOp> {
    FailureOr<ComputationOp> computation = compile(shorter);
    if (failed(computation))
      return failure();
    if (!hasLoops(*computation))
      rollLoops(*computation);
    if (hasLoops(*computation))
      return computation;
    computation->erase();
    return failure();
  };
  // Loops of a request and of a longer one are alike only if enough steps have
  // outputs. In a backward pass, each recurrent layer adds a few irregular
  // steps; seven periods are enough for three layers.
  return expand(request, request.isForward() ? 4 : 7, compileShorter, reason);
}

ComputationOp LoopCompiler::expand(RequestOp request, std::string &reason) {
  // Errors of the request are reported when it is compiled without loops.
  ScopedDiagnosticHandler silence(request.getContext(),
                                  [](Diagnostic &) { return success(); });
  if (elidesRounds)
    if (ComputationOp expanded = expandElided(request, reason))
      return expanded;
  return expandLoops(request, reason);
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

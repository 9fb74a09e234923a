//===- ShortcutComparison.cpp - The shortcut against the compiler ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ShortcutComparison.h"
#include "Execution/Execution.h"

#include "nnet3/Shortcut/ExpandComputation.h"
#include "nnet3/Shortcut/MiniRequest.h"
#include "nnet3/Shortcut/RequestStride.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;

/// Returns the first different lines of two texts, or "".
static std::string findDifference(llvm::StringRef actual,
                                  llvm::StringRef expected) {
  while (!actual.empty() || !expected.empty()) {
    auto [actualLine, actualRest] = actual.split('\n');
    auto [expectedLine, expectedRest] = expected.split('\n');
    if (actualLine != expectedLine)
      return ("the shortcut has\n" + actualLine + "\nand not\n" + expectedLine +
              "\n")
          .str();
    actual = actualRest;
    expected = expectedRest;
  }
  return "";
}

/// Expands the computation of `mini` from two to `count` sequences.
static ComputationOp expand(ComputationOp mini, int64_t count,
                            ShortcutOutcome &outcome) {
  mlir::OpBuilder builder(mini);
  std::string reason;
  ComputationOp expanded = expandComputation(builder, mini, count, reason);
  if (!expanded) {
    outcome = {ShortcutOutcome::NotExpanded, reason};
    return nullptr;
  }
  expanded.setSymName("expanded");
  if (std::string error = runPasses(expanded, {"nnet3-renumber"});
      !error.empty())
    outcome = {ShortcutOutcome::Different, error};
  return expanded;
}

ShortcutOutcome mlir::nnet3::property::compareShortcut(const Case &test,
                                                       const Sample &sample) {
  RequestOp request = test.getRequestOp();
  CompileOptions options;
  options.debugInfo = sample.debugInfo;
  options.foldSequences = sample.foldSequences;
  Obstacle obstacle;
  std::optional<int64_t> count = getNumSequences(request, obstacle);
  if (!count)
    return {ShortcutOutcome::NotEligible, obstacle.reason};
  ComputationOp full = compile(test, request, options).op;
  if (!full)
    return {};
  options.expandable = true;
  mlir::OwningOpRef<RequestOp> miniRequest = createMiniRequest(request);
  Compiled mini = compile(test, *miniRequest, options);
  if (!mini.op)
    return {ShortcutOutcome::Different, mini.diagnostics};
  mini.op.setSymName("mini");
  PassList passes = sample.passes;
  passes.push_back("nnet3-renumber");
  for (ComputationOp computation : {full, mini.op})
    if (std::string error = runPasses(computation, passes); !error.empty())
      return {ShortcutOutcome::Different, error};
  ShortcutOutcome outcome{ShortcutOutcome::Equal, ""};
  ComputationOp expanded = expand(mini.op, *count, outcome);
  if (outcome.kind != ShortcutOutcome::Equal)
    return outcome;
  expanded.setSymName(full.getSymName());
  std::string difference =
      findDifference(printExpanded(expanded), printExpanded(full));
  if (!difference.empty())
    return {ShortcutOutcome::Different, difference};
  return outcome;
}

//===- ShortcutComparison.cpp - The shortcut against the compiler ---------===//

#include "ShortcutComparison.h"
#include "BackwardProgram.h"

#include "nnet3/Shortcut/ExpandComputation.h"
#include "nnet3/Shortcut/MiniRequest.h"
#include "nnet3/Shortcut/RequestStride.h"

using namespace nnet3::property;
using namespace mlir::nnet3;

/// The first lines in which two texts differ, or "".
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

namespace {
/// The two computations of a case.
struct Pair {
  ComputationOp full, expanded;
  ShortcutOutcome outcome;
};
} // namespace

/// The computation of `mini` for `count` sequences in place of two.
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

/// Compiles a case both ways, with `passes`.
static Pair compileBoth(const Case &test, const Sample &sample,
                        PassList passes) {
  Pair pair;
  RequestOp request = test.getRequestOp();
  CompileOptions options;
  options.debugInfo = sample.debugInfo;
  options.foldSequences = sample.foldSequences;
  Obstacle obstacle;
  std::optional<int64_t> count = getNumSequences(request, obstacle);
  if (!count) {
    pair.outcome = {ShortcutOutcome::NotEligible, obstacle.reason};
    return pair;
  }
  pair.full = compile(test, request, options).op;
  if (!pair.full)
    return pair;
  options.expandable = true;
  mlir::OwningOpRef<RequestOp> miniRequest = createMiniRequest(request);
  Compiled mini = compile(test, *miniRequest, options);
  if (!mini.op) {
    pair.outcome = {ShortcutOutcome::Different, mini.diagnostics};
    return pair;
  }
  mini.op.setSymName("mini");
  passes.push_back("nnet3-renumber");
  for (ComputationOp computation : {pair.full, mini.op})
    if (std::string error = runPasses(computation, passes); !error.empty()) {
      pair.outcome = {ShortcutOutcome::Different, error};
      return pair;
    }
  pair.outcome.kind = ShortcutOutcome::Equal;
  pair.expanded = expand(mini.op, *count, pair.outcome);
  mini.op.erase();
  if (pair.outcome.kind != ShortcutOutcome::Equal)
    return pair;
  pair.expanded.setSymName(pair.full.getSymName());
  std::string difference =
      findDifference(printExpanded(pair.expanded), printExpanded(pair.full));
  if (!difference.empty())
    pair.outcome = {ShortcutOutcome::Different, difference};
  return pair;
}

/// Whether all numbers of both are the same.
static bool haveSameResults(const Case &test, const Pair &pair) {
  std::vector<Derivatives> results;
  for (ComputationOp computation : {pair.full, pair.expanded}) {
    auto program = BackwardProgram::create(test, computation, /*poison=*/true);
    if (!program.ok())
      return false;
    auto result = (*program)->run(test.getRequest());
    if (!result.ok())
      return false;
    results.push_back(std::move(*result));
  }
  return results.front() == results.back();
}

ShortcutOutcome nnet3::property::compareShortcut(const Case &test,
                                                 const Sample &sample) {
  static const std::string split = "nnet3-split-row-ops";
  Pair pair = compileBoth(test, sample, sample.passes);
  if (pair.outcome.kind != ShortcutOutcome::Different || !pair.expanded ||
      !llvm::is_contained(sample.passes, split))
    return pair.outcome;
  PassList others = sample.passes;
  llvm::erase(others, split);
  if (compileBoth(test, sample, others).outcome.kind ==
          ShortcutOutcome::Equal &&
      haveSameResults(test, pair))
    pair.outcome.kind = ShortcutOutcome::SplitElsewhere;
  return pair.outcome;
}

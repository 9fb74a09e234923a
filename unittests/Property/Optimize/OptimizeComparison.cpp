//===- OptimizeComparison.cpp - Optimised and original computations -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OptimizeComparison.h"

#include "mlir/IR/Verifier.h"

#include <cmath>

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;

OptimizeComparison::OptimizeComparison(const Case &test, bool debugInfo)
    : test(test),
      original(compile(test, /*foldSequences=*/true, debugInfo).op) {
  if (!original)
    return;
  compared.insert(print(original));
  expected = run(original);
}

static std::map<std::string, int> countUpdates(ComputationOp computation) {
  std::map<std::string, int> counts;
  computation.getBody().walk([&](BackpropOp op) {
    if (!op.getUpdate())
      return;
    auto loop = op->getParentOfType<LoopOp>();
    counts[op.getComponent().getLeafReference().str()] +=
        loop ? loop.getCount() : 1;
  });
  return counts;
}

RunResults OptimizeComparison::run(ComputationOp computation) {
  ++numRuns;
  RunResults results;
  auto program = BackwardProgram::create(test, computation, /*poison=*/true);
  if (!program.ok()) {
    results.error = program.status().message();
    return results;
  }
  auto derivatives = (*program)->run(test.getRequest());
  if (!derivatives.ok()) {
    results.error = derivatives.status().message();
    return results;
  }
  results.derivatives = std::move(*derivatives);
  results.state = (*program)->getState();
  results.numUpdates = countUpdates(computation);
  return results;
}

//===----------------------------------------------------------------------===//
// Comparing numbers
//===----------------------------------------------------------------------===//

std::string
OptimizeComparison::compareGradients(const RunResults &actual) const {
  const auto &gradients = expected.derivatives.of;
  if (actual.derivatives.of.size() != gradients.size())
    return "not as many derivatives\n";
  std::string differences;
  for (const auto &[target, tensors] : gradients) {
    auto it = actual.derivatives.of.find(target);
    if (it == actual.derivatives.of.end())
      return "no derivative of " + target + "\n";
    auto count = [&, &target = target](const RunResults &results) {
      auto it = results.numUpdates.find(target);
      return it == results.numUpdates.end() ? 0 : it->second;
    };
    // A consolidated gradient is a sum in another order. Rounding errors grow
    // as the square root of the number of updates, also if these almost cancel.
    const bool isConsolidated = count(actual) < count(expected);
    const double error = 1e-5 * std::max(1.0, std::sqrt(count(expected)) / 5);
    differences += compareTensors("derivative of " + target, it->second,
                                  tensors, isConsolidated ? error : 0);
  }
  return differences;
}

std::string OptimizeComparison::compare(const RunResults &actual) const {
  if (!actual.error.empty())
    return "cannot be run: " + actual.error + "\n";
  std::string differences = compareTensors("output", actual.derivatives.outputs,
                                           expected.derivatives.outputs) +
                            compareGradients(actual);
  for (const auto &[component, tensors] : expected.state)
    differences += compareTensors("state of " + component,
                                  actual.state.at(component), tensors);
  return differences;
}

std::string OptimizeComparison::compare(const PassList &passes) {
  mlir::OpBuilder builder(original);
  auto optimized =
      mlir::cast<ComputationOp>(builder.clone(*original.getOperation()));
  optimized.setSymName("optimized");
  std::string differences = runPasses(optimized, passes);
  if (differences.empty() && mlir::failed(mlir::verify(test.getModule())))
    differences = "does not verify\n";
  optimized.setSymName(original.getSymName());
  if (differences.empty()) {
    std::string text = print(optimized);
    if (!compared.count(text))
      differences = compare(run(optimized));
    if (differences.empty())
      compared.insert(std::move(text));
    else
      differences += text;
  }
  optimized.erase();
  return differences;
}

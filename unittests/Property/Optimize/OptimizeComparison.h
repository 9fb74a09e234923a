//===- OptimizeComparison.h - Optimised against not optimised ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_OPTIMIZE_OPTIMIZECOMPARISON_H
#define NNET3_UNITTESTS_PROPERTY_OPTIMIZE_OPTIMIZECOMPARISON_H

#include "Execution/BackwardProgram.h"
#include "OptimizePasses.h"

#include <set>

namespace mlir::nnet3::property {

/// What a computation gives: outputs, derivatives of inputs, the gradient, and
/// the network's statistics behind the run.
struct RunResults {
  Derivatives derivatives;
  std::map<std::string, Tensors> state;
  /// How often each component is updated.
  std::map<std::string, int> numUpdates;
  std::string error;
};

/// A case, and what comes out of it without optimisations.
///
/// Optimisations move data: every number comes out as it does without them, to
/// the bit, with two exceptions.
///
/// A sum that begins with an addition to zeros gives 0 for a term of -0; where
/// nnet3-convert-addition makes a copy of it, -0 stays. So values are compared
/// with ==, for which both are the same.
///
/// nnet3-consolidate-model-update sums up the gradient of a component in
/// another order. The gradients of components that have fewer updates than
/// before may differ by rounding; there is no natural gradient in these runs.
class OptimizeComparison {
public:
  /// Refers to `test`, which is compiled and run.
  OptimizeComparison(const Case &test, bool debugInfo);

  /// Whether there is anything to compare.
  bool isComputable() const { return bool(original); }
  /// What is wrong without optimisations.
  const std::string &getError() const { return expected.error; }
  /// How the computation that `passes` make differs, or "".
  std::string compare(const PassList &passes);
  /// The same for a computation of the case's request.
  std::string compare(ComputationOp computation) {
    return compare(run(computation));
  }
  int getNumRuns() const { return numRuns; }

private:
  RunResults run(ComputationOp computation);
  std::string compare(const RunResults &actual) const;
  std::string compareGradients(const RunResults &actual) const;

  const Case &test;
  ComputationOp original;
  RunResults expected;
  /// The texts of computations that are known to be right.
  std::set<std::string> compared;
  int numRuns = 0;
};

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_OPTIMIZE_OPTIMIZECOMPARISON_H

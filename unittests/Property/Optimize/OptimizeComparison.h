//===- OptimizeComparison.h - Optimised against not optimised ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_OPTIMIZE_OPTIMIZECOMPARISON_H
#define NNET3_UNITTESTS_PROPERTY_OPTIMIZE_OPTIMIZECOMPARISON_H

#include "Execution/BackwardProgram.h"
#include "OptimizePasses.h"

#include <set>

namespace mlir::nnet3::property {

/// The results of a computation: outputs, input derivatives, the gradient, and
/// the network's statistics after the run.
struct RunResults {
  Derivatives derivatives;
  std::map<std::string, Tensors> state;
  /// Number of updates of each component.
  std::map<std::string, int> numUpdates;
  std::string error;
};

/// A case, and its results without optimisations.
///
/// Optimisations move data: every result is equal bit for bit with and without
/// them, with two exceptions.
///
/// A sum that begins with zeros gives 0 for a term of -0; if
/// nnet3-convert-addition turns it into a copy, -0 stays. So values are
/// compared with ==, which treats both as equal.
///
/// nnet3-consolidate-model-update sums up the gradient of a component in
/// another order. The gradients of components with fewer updates than before
/// may differ by rounding; there is no natural gradient in these runs.
class OptimizeComparison {
public:
  /// Refers to `test`, compiles and runs it.
  OptimizeComparison(const Case &test, bool debugInfo);

  /// Returns true if the case is computable.
  bool isComputable() const { return bool(original); }
  /// Returns the error without optimisations, or "".
  const std::string &getError() const { return expected.error; }
  /// Describes the difference after `passes`, or returns "".
  std::string compare(const PassList &passes);
  /// Compares a computation of the case's request.
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
  /// The texts of computations that have been compared.
  std::set<std::string> compared;
  int numRuns = 0;
};

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_OPTIMIZE_OPTIMIZECOMPARISON_H

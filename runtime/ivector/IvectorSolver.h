//===- IvectorSolver.h - i-vectors from statistics --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_IVECTOR_IVECTORSOLVER_H
#define NNET3_RUNTIME_IVECTOR_IVECTORSOLVER_H

#include "IvectorStatistics.h"

namespace nnet3 {
namespace rt {

/// Solves Q u = l by a few steps of conjugate gradients, as Kaldi does (spec:
/// ivectors.md 5), or exactly.
class IvectorSolver {
public:
  explicit IvectorSolver(const IvectorModel &model);

  /// \p u is the start of the iteration, and receives the solution.
  void solve(const IvectorStatistics &statistics, std::vector<double> &u);

  /// Returns the improvement of the objective by \p u over 0, per unit of
  /// count.
  double computeImprovement(const IvectorStatistics &statistics,
                            const std::vector<double> &u);

private:
  void addPrior(const IvectorStatistics &statistics);
  bool solveBySteps(const IvectorStatistics &statistics,
                    std::vector<double> &u);
  void solveExactly(const IvectorStatistics &statistics,
                    std::vector<double> &u);
  void computeResidual(const std::vector<double> &u,
                       const std::vector<double> &linear);
  /// The squared norm of Kaldi's linear term, which includes the prior's
  /// offset.
  double computeLinearNorm(const IvectorStatistics &statistics) const;

  const IvectorModel &model;
  /// The packed lower triangle of Q.
  std::vector<double> matrix;
  /// The residual, the search direction, and Q times the direction.
  std::vector<double> residual, direction, product;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_IVECTORSOLVER_H

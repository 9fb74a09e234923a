//===- IvectorSolver.cpp - i-vectors from statistics ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IvectorSolver.h"
#include "DoubleLoops.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

using namespace nnet3::rt;

IvectorSolver::IvectorSolver(const IvectorModel &model)
    : model(model), matrix(model.getPackedSize()), residual(model.ivectorDim),
      direction(model.ivectorDim), product(model.ivectorDim) {}

/// Returns the offset of row \p r in a packed lower triangle.
static int64_t getRowBegin(int64_t r) { return r * (r + 1) / 2; }

/// matrix := statistics.quadratic + prior.
void IvectorSolver::addPrior(const IvectorStatistics &statistics) {
  const double prior = statistics.getPriorScale(model.options.maxCount);
  matrix = statistics.quadratic;
  for (int64_t r = 0; r < model.ivectorDim; ++r)
    matrix[getRowBegin(r) + r] += prior;
}

void IvectorSolver::computeResidual(const std::vector<double> &u,
                                    const std::vector<double> &linear) {
  multiplySymmetric(model.ivectorDim, matrix.data(), u.data(), residual.data());
  addScaled(model.ivectorDim, -1, linear.data(), residual.data());
}

double
IvectorSolver::computeLinearNorm(const IvectorStatistics &statistics) const {
  double sum = 0;
  for (int64_t d = 0; d < model.ivectorDim; ++d) {
    const double value =
        statistics.linear[d] + model.priorOffset * matrix[getRowBegin(d)];
    sum += value * value;
  }
  return sum;
}

/// Runs conjugate gradients. Returns false if the residual grows.
bool IvectorSolver::solveBySteps(const IvectorStatistics &statistics,
                                 std::vector<double> &u) {
  const int32_t dim = model.ivectorDim;
  const int32_t numSteps = std::min(15, dim + 5);
  const auto square = [&](const std::vector<double> &x) {
    return dotProduct(dim, x.data(), x.data());
  };
  computeResidual(u, statistics.linear);
  for (int32_t d = 0; d < dim; ++d)
    direction[d] = -residual[d];
  const double initial = square(residual);
  double norm = initial, reference = initial;
  for (int32_t step = 0; step < numSteps && norm > 0; ++step) {
    multiplySymmetric(dim, matrix.data(), direction.data(), product.data());
    const double length = -dotProduct(dim, direction.data(), residual.data()) /
                          dotProduct(dim, direction.data(), product.data());
    addScaled(dim, length, direction.data(), u.data());
    addScaled(dim, length, product.data(), residual.data());
    double next = square(residual);
    if (next < 1e-4 * reference || next > 1e4 * reference) {
      computeResidual(u, statistics.linear);
      next = reference = square(residual);
    }
    if (next <= DBL_MIN) {
      norm = next;
      break;
    }
    const double factor = next / norm;
    for (int32_t d = 0; d < dim; ++d)
      direction[d] = factor * direction[d] - residual[d];
    norm = next;
  }
  return !(norm > initial) ||
         !(norm > initial + 1e-10 * computeLinearNorm(statistics));
}

/// Solves by a Cholesky decomposition. Q includes the prior, so it is positive
/// definite unless weights are negative; pivots are floored then.
void IvectorSolver::solveExactly(const IvectorStatistics &statistics,
                                 std::vector<double> &u) {
  const int64_t dim = model.ivectorDim;
  const auto getRow = [&](int64_t r) { return matrix.data() + getRowBegin(r); };
  double largest = 0;
  for (int64_t r = 0; r < dim; ++r)
    largest = std::max(largest, std::fabs(getRow(r)[r]));
  const double floor = 1e-10 * largest;
  for (int64_t r = 0; r < dim; ++r) {
    double *row = getRow(r);
    for (int64_t c = 0; c <= r; ++c) {
      const double *other = getRow(c);
      const double rest = row[c] - dotProduct(c, row, other);
      row[c] = c < r ? rest / other[c] : std::sqrt(std::max(rest, floor));
    }
  }
  for (int64_t r = 0; r < dim; ++r)
    u[r] = (statistics.linear[r] - dotProduct(r, getRow(r), u.data())) /
           getRow(r)[r];
  for (int64_t r = dim - 1; r >= 0; --r) {
    u[r] /= getRow(r)[r];
    addScaled(r, -u[r], getRow(r), u.data());
  }
}

void IvectorSolver::solve(const IvectorStatistics &statistics,
                          std::vector<double> &u) {
  if (statistics.count <= 0) {
    std::fill(u.begin(), u.end(), 0);
    return;
  }
  // If element 0 of Kaldi's i-vector is 0, the iteration starts from the
  // offset.
  if (u[0] == -model.priorOffset)
    u[0] = 0;
  addPrior(statistics);
  if (model.options.exactSolve || !solveBySteps(statistics, u))
    solveExactly(statistics, u);
}

double IvectorSolver::computeImprovement(const IvectorStatistics &statistics,
                                         const std::vector<double> &u) {
  if (statistics.count == 0)
    return 0;
  addPrior(statistics);
  multiplySymmetric(model.ivectorDim, matrix.data(), u.data(), product.data());
  addScaled(model.ivectorDim, -2, statistics.linear.data(), product.data());
  return -0.5 * dotProduct(model.ivectorDim, product.data(), u.data()) /
         statistics.count;
}

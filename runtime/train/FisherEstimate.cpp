//===- FisherEstimate.cpp - Low-rank estimate of natural gradient ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names are those of the spec, components.md 4.3.
//
//===----------------------------------------------------------------------===//

#include "FisherEstimate.h"
#include "SmallMatrix.h"

#include <algorithm>
#include <cmath>

namespace nnet3 {
namespace rt {

namespace {

constexpr int64_t kNumInitialUpdates = 10;
constexpr double kFirstOfStripe = 1.1;
constexpr double kDelta = 5e-4;
constexpr double kConditionThreshold = 1e6;
constexpr double kUnitTolerance = 1e-3;
constexpr double kCholeskyInverseLimit = 100;

double sum(const std::vector<double> &values) {
  double total = 0;
  for (double value : values)
    total += value;
  return total;
}

double trace(const std::vector<double> &square, int32_t n) {
  double total = 0;
  for (int32_t i = 0; i < n; ++i)
    total += square[size_t(i) * n + i];
  return total;
}

} // namespace

//===----------------------------------------------------------------------===//
// Initialisation (spec: components.md 4.4)
//===----------------------------------------------------------------------===//

void FisherEstimate::begin(int32_t columns) {
  dim = columns;
  rank = getRankFor(columns);
  const size_t squareSize = size_t(rank) * rank;
  rho = kNaturalGradientEpsilon;
  d.assign(rank, kNaturalGradientEpsilon);
  for (std::vector<double> *values : {&e, &eigenvalues, &roots, &scales})
    values->resize(rank);
  square.resize(squareSize);
  z.resize(squareSize);
  work.resize(eigenWorkSize(rank));
  setScales();
}

Status FisherEstimate::restore(const PreconditionerState &state) {
  const size_t size = state.diagonal.size(),
               columns = size == 0 ? 0 : state.basis.size() / size;
  if (columns < 2 || columns * size != state.basis.size() ||
      getRankFor(static_cast<int64_t>(columns)) != static_cast<int64_t>(size))
    return invalidArgument(
        "the basis has " + std::to_string(state.basis.size()) +
        " values, which does not go with a rank of " + std::to_string(size));
  begin(static_cast<int32_t>(columns));
  rho = state.rho;
  d = state.diagonal;
  setScales();
  return Status();
}

/// A basis of stripes: row r is nonzero in columns r, r + rank, ...
void FisherEstimate::setBasis(MatrixView basis) const {
  for (int32_t r = 0; r < rank; ++r) {
    const int32_t others = (dim - r - 1) / rank;
    const double scale =
        std::sqrt(e[r] / (kFirstOfStripe * kFirstOfStripe + others));
    float *row = basis.row(r);
    std::fill_n(row, dim, 0.0f);
    row[r] = static_cast<float>(kFirstOfStripe * scale);
    for (int32_t c = r + rank; c < dim; c += rank)
      row[c] = static_cast<float>(scale);
  }
}

bool FisherEstimate::updatesInStep(int64_t step) const {
  return step <= kNumInitialUpdates ||
         (step - kNumInitialUpdates) % options.updatePeriod == 0;
}

double FisherEstimate::getEta(int32_t rows) const {
  if (options.numMinibatchesHistory > 0)
    return 1.0 / options.numMinibatchesHistory;
  return std::min(0.9, -std::expm1(-rows / double(options.numSamplesHistory)));
}

//===----------------------------------------------------------------------===//
// The update
//===----------------------------------------------------------------------===//

FisherEstimate::Outcome FisherEstimate::update(int32_t rows,
                                               double sumSquares) {
  const double learned = getEta(rows), kept = 1 - learned;
  scaleGram();
  if (!std::isfinite(trace(z, rank)) ||
      !eigenSymmetric(rank, z.data(), eigenvalues.data(), work.data()))
    return Outcome::Unchanged;
  const bool inexact = floorEigenvalues(std::pow(rho * kept, 2));
  setDiagonal(learned / rows * sumSquares + kept * (dim * rho + sum(d)));
  // sqrt(E') C^-1/2 U^T E^-1/2 B is the next scaled basis.
  for (int32_t i = 0; i < rank; ++i)
    scales[i] = std::sqrt(e[i] / eigenvalues[i]);
  setTransform();
  return inexact ? Outcome::Inexact : Outcome::Exact;
}

/// z := E^-1/2 z E^-1/2; `roots` keeps E^-1/2.
void FisherEstimate::scaleGram() {
  for (int32_t i = 0; i < rank; ++i)
    roots[i] = 1 / std::sqrt(e[i]);
  for (int32_t i = 0; i < rank; ++i)
    for (int32_t j = 0; j < rank; ++j)
      at(i, j) *= roots[i] * roots[j];
}

/// Raises eigenvalues to \p least. Returns whether the eigenvectors may be
/// inexact.
bool FisherEstimate::floorEigenvalues(double least) {
  bool inexact = eigenvalues.front() > kConditionThreshold * eigenvalues.back();
  for (double &c : eigenvalues) {
    inexact |= c < least;
    c = std::max(c, least);
  }
  return inexact;
}

/// Sets d and rho from the eigenvalues of Z and \p trace, the trace of T.
void FisherEstimate::setDiagonal(double trace) {
  double rest = trace;
  for (int32_t i = 0; i < rank; ++i) {
    d[i] = std::sqrt(eigenvalues[i]);
    rest -= d[i];
  }
  const double floor = std::max(kNaturalGradientEpsilon, kDelta * d.front());
  const double next = rest / (dim - rank);
  for (double &value : d)
    value = std::max(value - next, floor);
  rho = std::max(next, floor);
  setScales();
}

void FisherEstimate::setScales() {
  const double beta = rho * (1 + options.alpha) + options.alpha * sum(d) / dim;
  for (int32_t i = 0; i < rank; ++i)
    e[i] = 1 / (beta / d[i] + 1);
}

/// square := diag(scales) z diag(roots).
void FisherEstimate::setTransform() {
  for (int32_t i = 0; i < rank; ++i)
    for (int32_t j = 0; j < rank; ++j)
      square[size_t(i) * rank + j] =
          static_cast<float>(scales[i] * roots[j] * at(i, j));
}

//===----------------------------------------------------------------------===//
// Reorthogonalisation
//===----------------------------------------------------------------------===//

bool FisherEstimate::isOrthonormal() {
  scaleGram();
  for (int32_t i = 0; i < rank; ++i)
    for (int32_t j = 0; j < rank; ++j)
      if (!(std::fabs(at(i, j) - (i == j)) <= kUnitTolerance))
        return false;
  return true;
}

/// With z = R R^T = C C^T, computes the transform R := C^-1 R.
bool FisherEstimate::orthonormalize() {
  if (!invertCholesky(rank, z.data()))
    return false;
  for (int32_t i = 0; i < rank; ++i)
    for (int32_t j = 0; j <= i; ++j) {
      const double value = at(j, i);
      if (!(std::fabs(value) < kCholeskyInverseLimit))
        return false;
      at(j, i) = 0;
      at(i, j) = value;
    }
  for (int32_t i = 0; i < rank; ++i)
    scales[i] = std::sqrt(e[i]);
  setTransform();
  return true;
}

double FisherEstimate::getLength(int32_t r) const { return std::sqrt(e[r]); }

} // namespace rt
} // namespace nnet3

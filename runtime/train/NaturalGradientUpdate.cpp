//===- NaturalGradientUpdate.cpp - How the estimate goes on ---------------===//
//
// The names are those of the spec, components.md 4.3: X the rows, W = sqrt(E) R
// the scaled basis, H = X W^T. In place of its matrices K and L stands
//
//   B = (eta/N) H^T X + (1-eta) (D + rho) W = sqrt(E) R T,
//   T = eta/N X^T X + (1-eta) F,
//
// as Z = R T^2 R^T = E^-1/2 B B^T E^-1/2: one small product in place of two,
// and one whose rounding errors do not accumulate over the updates.
//
//===----------------------------------------------------------------------===//

#include "NaturalGradient.h"
#include "OrthonormalRows.h"
#include "SmallMatrix.h"
#include "core/Gemm.h"
#include "cpu/VectorMath.h"

#include <algorithm>
#include <cmath>

namespace nnet3 {
namespace runtime {

namespace {

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

bool isIdentity(const std::vector<double> &square, int32_t n) {
  for (int32_t i = 0; i < n; ++i)
    for (int32_t j = 0; j < n; ++j)
      if (!(std::fabs(square[size_t(i) * n + j] - (i == j)) <= kUnitTolerance))
        return false;
  return true;
}

} // namespace

//===----------------------------------------------------------------------===//
// The update
//===----------------------------------------------------------------------===//

/// Goes to the next estimate; `other` holds (eta/N) H^T X. Leaves the estimate
/// where numbers overflow.
void NaturalGradient::update(int32_t rows, double sumSquares) {
  const double learned = eta(rows), kept = 1 - learned;
  for (int32_t r = 0; r < rank; ++r) // makes B
    vecAxpy(dim, static_cast<float>(kept * (d[r] + identityPart)),
            view(basis).row(r), view(other).row(r));
  setGram(other);
  if (!std::isfinite(trace(z, rank)) ||
      !eigenSymmetric(rank, z.data(), eigenvalues.data(), work.data()))
    return;
  const bool inexact = floorEigenvalues(std::pow(identityPart * kept, 2));
  // sqrt(E') C^-1/2 U^T E^-1/2 B is the next scaled basis.
  for (int32_t i = 0; i < rank; ++i)
    for (int32_t j = 0; j < rank; ++j)
      at(i, j) /= std::sqrt(eigenvalues[i] * e[j]);
  setDiagonal(learned / rows * sumSquares +
              kept * (dim * identityPart + sum(d)));
  multiply();
  if (inexact)
    orthonormalize();
}

/// z := E^-1/2 rows rows^T E^-1/2. Its condition is that of the rows squared,
/// hence the double precision.
void NaturalGradient::setGram(const std::vector<float> &rows) {
  gramMatrix(ConstMatrixView(rows.data(), rank, dim, dim), z.data(),
             work.data());
  for (int32_t i = 0; i < rank; ++i)
    for (int32_t j = 0; j < rank; ++j)
      at(i, j) /= std::sqrt(e[i] * e[j]);
}

/// Tells whether the eigenvectors may be inexact.
bool NaturalGradient::floorEigenvalues(double least) {
  bool inexact = eigenvalues.front() > kConditionThreshold * eigenvalues.back();
  for (double &c : eigenvalues) {
    inexact |= c < least;
    c = std::max(c, least);
  }
  return inexact;
}

/// Sets d and rho from the eigenvalues of Z and \p trace, that of T.
void NaturalGradient::setDiagonal(double trace) {
  double rest = trace;
  for (int32_t i = 0; i < rank; ++i) {
    d[i] = std::sqrt(eigenvalues[i]);
    rest -= d[i];
  }
  const double floor = std::max(kNaturalGradientEpsilon, kDelta * d.front());
  const double rho = rest / (dim - rank);
  for (double &value : d)
    value = std::max(value - rho, floor);
  identityPart = std::max(rho, floor);
  setScales();
}

void NaturalGradient::setScales() {
  const double beta =
      identityPart * (1 + options.alpha) + options.alpha * sum(d) / dim;
  for (int32_t i = 0; i < rank; ++i)
    e[i] = 1 / (beta / d[i] + 1);
}

/// basis := sqrt(E) z other.
void NaturalGradient::multiply() {
  for (int32_t i = 0; i < rank; ++i)
    for (int32_t j = 0; j < rank; ++j)
      square[size_t(i) * rank + j] =
          static_cast<float>(std::sqrt(e[i]) * at(i, j));
  const ConstMatrixView left(square.data(), rank, rank, rank);
  gemmNN(left, view(other), 1.0f, 0.0f, view(basis));
}

//===----------------------------------------------------------------------===//
// Reorthogonalisation
//===----------------------------------------------------------------------===//

/// Restores R R^T = I, which rounding has spoilt.
void NaturalGradient::orthonormalize() {
  setGram(basis);
  if (isIdentity(z, rank) || orthonormalizeByCholesky())
    return;
  orthonormalizeRows(view(basis), square.data());
  for (int32_t i = 0; i < rank; ++i) {
    float *row = view(basis).row(i);
    vecScale(dim, static_cast<float>(std::sqrt(e[i])), row, row);
  }
}

/// With z = R R^T = C C^T, makes it C^-1 R. False, and no change of the basis,
/// where z is too close to singular.
bool NaturalGradient::orthonormalizeByCholesky() {
  if (!invertCholesky(rank, z.data()))
    return false;
  for (int32_t i = 0; i < rank; ++i)
    for (int32_t j = 0; j <= i; ++j) {
      const double value = at(j, i);
      if (!(std::fabs(value) < kCholeskyInverseLimit))
        return false;
      at(j, i) = 0;
      at(i, j) = value / std::sqrt(e[j]);
    }
  basis.swap(other);
  multiply();
  return true;
}

} // namespace runtime
} // namespace nnet3

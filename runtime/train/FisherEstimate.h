//===- FisherEstimate.h - The small part of natural gradient ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 4. The covariance of rows is a matrix of low rank plus a
// multiple of the identity, F = R^T diag(d) R + rho I with orthonormal rows R.
// Here is what has the size of the rank, in double precision; what has as many
// columns as the rows, the scaled basis W = sqrt(E) R and the products with it,
// is in the memory of the CPU (NaturalGradient.h) or of a device
// (cuda/DeviceNaturalGradient.h).
//
// In place of the spec's matrices K and L stands
//
//   B = (eta/N) H^T X + (1-eta) (D + rho) W = sqrt(E) R T,
//   T = eta/N X^T X + (1-eta) F,
//
// as Z = R T^2 R^T = E^-1/2 B B^T E^-1/2: one small product in place of two,
// and one whose rounding errors do not accumulate over the updates.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_TRAIN_FISHERESTIMATE_H
#define NNET3_RUNTIME_TRAIN_FISHERESTIMATE_H

#include "core/Preconditioner.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace nnet3 {
namespace rt {

/// The least rho and d.
constexpr double kNaturalGradientEpsilon = 1e-10;

class FisherEstimate {
public:
  explicit FisherEstimate(const NaturalGradientOptions &options)
      : options(options) {}

  /// Begins with the estimate of nothing, of rows of \p columns values, at
  /// least 2. Sets the stripes of the scaled basis (spec: 4.4).
  void begin(int32_t columns);
  void setBasis(MatrixView basis) const;

  /// Goes on with an estimate of rows of \p columns values that was this one's
  /// once.
  void restore(int32_t columns, double rho, std::vector<double> diagonal);
  /// The rank for rows of \p columns values.
  int32_t getRankFor(int64_t columns) const {
    return static_cast<int32_t>(std::min<int64_t>(options.rank, columns - 1));
  }

  int32_t getRank() const { return rank; }
  int32_t getDim() const { return dim; }
  double getRho() const { return rho; }
  const std::vector<double> &getDiagonal() const { return d; }

  /// Whether step number \p step, counted from 0, is one that updates.
  bool updatesInStep(int64_t step) const;
  /// The weight of \p rows new rows.
  double getEta(int32_t rows) const;
  /// What row \p r of W is multiplied by in B.
  double getKeptScale(int32_t r, int32_t rows) const {
    return (1 - getEta(rows)) * (d[r] + rho);
  }

  enum class Outcome {
    Unchanged, ///< numbers overflowed
    Exact,
    Inexact ///< the next basis may not be orthonormal
  };

  /// Goes to the next estimate. \p sumSquares is that of the rows; gram() holds
  /// B B^T. Then W := transform() B.
  Outcome update(int32_t rows, double sumSquares);
  /// Whether W W^T, which gram() holds, is that of orthonormal rows.
  bool isOrthonormal();
  /// The same by Cholesky's decomposition, behind isOrthonormal(): then
  /// W := transform() W. False where that is too close to singular.
  bool orthonormalize();
  /// What row \p r of W has as its length.
  double getLength(int32_t r) const;

  /// rank x rank, row by row.
  double *gram() { return z.data(); }
  const std::vector<float> &transform() const { return square; }

private:
  void scaleGram();
  bool floorEigenvalues(double least);
  void setDiagonal(double trace);
  void setScales();
  void setTransform();
  double &at(int32_t i, int32_t j) { return z[size_t(i) * rank + j]; }

  NaturalGradientOptions options;
  int32_t rank = 0, dim = 0;
  double rho = 0;
  std::vector<double> d, e;  ///< rank; e_i = 1 / (beta / d_i + 1)
  std::vector<float> square; ///< rank x rank
  std::vector<double> z;     ///< rank x rank
  std::vector<double> eigenvalues;
  std::vector<double> work;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_FISHERESTIMATE_H

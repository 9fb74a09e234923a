//===- FisherEstimate.h - Low-rank estimate of natural gradient -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 4. The covariance of rows is a matrix of low rank plus a
// multiple of the identity, F = R^T diag(d) R + rho I with orthonormal rows R.
// This class has the quantities of the size of the rank, in double precision.
// The scaled basis W = sqrt(E) R, which has the columns of the rows, and the
// matmuls with it are on the CPU (NaturalGradient.h) or on a device
// (cuda/DeviceNaturalGradient.h).
//
// The spec's matrices K and L are replaced by
//
//   B = (eta/N) H^T X + (1-eta) (D + rho) W = sqrt(E) R T,
//   T = eta/N X^T X + (1-eta) F,
//
// because Z = R T^2 R^T = E^-1/2 B B^T E^-1/2: one small matmul instead of two,
// whose rounding errors do not accumulate over the updates.
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

/// Lower bound of rho and d.
constexpr double kNaturalGradientEpsilon = 1e-10;

class FisherEstimate {
public:
  explicit FisherEstimate(const NaturalGradientOptions &options)
      : options(options) {}

  /// Initialises the estimate for rows of \p columns >= 2 values. setBasis()
  /// sets the initial scaled basis (spec: 4.4).
  void begin(int32_t columns);
  void setBasis(MatrixView basis) const;

  /// Restores a saved estimate, but not the basis, which the caller has. Fails
  /// if the sizes do not match.
  Status restore(const PreconditionerState &state);
  /// The rank for rows of \p columns values.
  int32_t getRankFor(int64_t columns) const {
    return static_cast<int32_t>(std::min<int64_t>(options.rank, columns - 1));
  }

  int32_t getRank() const { return rank; }
  int32_t getDim() const { return dim; }
  double getRho() const { return rho; }
  const std::vector<double> &getDiagonal() const { return d; }

  /// Whether step number \p step, counted from 0, updates the estimate.
  bool updatesInStep(int64_t step) const;
  /// The weight of \p rows new rows.
  double getEta(int32_t rows) const;
  /// The factor of row \p r of W in B.
  double getKeptScale(int32_t r, int32_t rows) const {
    return (1 - getEta(rows)) * (d[r] + rho);
  }

  enum class Outcome {
    Unchanged, ///< not finite
    Exact,
    Inexact ///< the next basis may not be orthonormal
  };

  /// Updates the estimate. \p sumSquares is the sum of squares of the rows, and
  /// gram() must hold B B^T. The caller then sets W := transform() B.
  Outcome update(int32_t rows, double sumSquares);
  /// Whether R has orthonormal rows; gram() must hold W W^T.
  bool isOrthonormal();
  /// Computes the transform that makes R orthonormal, by a Cholesky
  /// decomposition, after isOrthonormal(). The caller then sets
  /// W := transform() W. Returns false if the matrix is nearly singular.
  bool orthonormalize();
  /// The norm of row \p r of W.
  double getLength(int32_t r) const;

  /// rank x rank, row-major.
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
  std::vector<double> eigenvalues, roots, scales; ///< rank
  std::vector<double> work;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_FISHERESTIMATE_H

//===- NaturalGradient.h - Online natural gradient --------------*- C++ -*-===//
//
// Spec: components.md 4. Povey, Zhang, Khudanpur: "Parallel training of DNNs
// with natural gradient and parameter averaging", ICLR 2015 workshop.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_TRAIN_NATURALGRADIENT_H
#define NNET3_RUNTIME_TRAIN_NATURALGRADIENT_H

#include "core/Preconditioner.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nnet3 {
namespace runtime {

/// The least rho and d.
constexpr double kNaturalGradientEpsilon = 1e-10;

/// Tracks the uncentred covariance of rows as a matrix of low rank plus a
/// multiple of the identity, F = R^T diag(d) R + rho I with orthonormal rows R,
/// and multiplies rows by the inverse of F + alpha tr(F) / D I.
class NaturalGradient : public Preconditioner {
public:
  explicit NaturalGradient(const NaturalGradientOptions &options);

  double precondition(MatrixView x) override;
  void freeze(bool frozen) override { isFrozen = frozen; }

  /// The estimate, empty before the first call: rho, d, and sqrt(E) R, where
  /// e_i = 1 / (beta / d_i + 1).
  double rho() const { return identityPart; }
  const std::vector<double> &diagonal() const { return d; }
  ConstMatrixView scaledBasis() const;

private:
  /// Sums of squares of the rows, before and after the preconditioning.
  struct Norms {
    double before = 0;
    double after = 0;
  };

  void allocate(int32_t columns);
  void setDefault();
  void initialize(MatrixView x);
  bool isUpdating() const;
  double eta(int32_t rows) const;
  Norms sweep(MatrixView x, bool gather, bool apply);
  void update(int32_t rows, double sumSquares);
  void setGram(const std::vector<float> &rows);
  bool floorEigenvalues(double least);
  void setDiagonal(double trace);
  void setScales();
  void multiply();
  bool orthonormalizeByCholesky();
  void orthonormalize();

  MatrixView view(std::vector<float> &values) {
    return MatrixView(values.data(), rank, dim, dim);
  }

  double &at(int32_t i, int32_t j) { return z[size_t(i) * rank + j]; }

  NaturalGradientOptions options;
  bool isFrozen = false;
  int64_t numSteps = 0;
  int32_t rank = 0, dim = 0;

  double identityPart = 0;  ///< rho
  std::vector<double> d, e; ///< rank
  std::vector<float> basis; ///< sqrt(E) R, rank x dim
  std::vector<float> other; ///< rank x dim
  /// The products of a chunk of rows with the basis.
  std::vector<float> coordinates;
  std::vector<float> square; ///< rank x rank
  std::vector<double> z;     ///< rank x rank
  std::vector<double> eigenvalues;
  std::vector<double> work;
};

} // namespace runtime
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_NATURALGRADIENT_H

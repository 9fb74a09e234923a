//===- NaturalGradient.h - Online natural gradient --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 4. Povey, Zhang, Khudanpur: "Parallel training of DNNs
// with natural gradient and parameter averaging", ICLR 2015 workshop.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_TRAIN_NATURALGRADIENT_H
#define NNET3_RUNTIME_TRAIN_NATURALGRADIENT_H

#include "FisherEstimate.h"

namespace nnet3 {
namespace rt {

/// Multiplies rows by the inverse of F + alpha tr(F) / D I, where F is the
/// estimate of their uncentred covariance.
class NaturalGradient : public Preconditioner {
public:
  explicit NaturalGradient(const NaturalGradientOptions &options)
      : estimate(options) {}

  double precondition(MatrixView x) override;
  void setExchange(Exchange *other) override { exchange = other; }
  void freeze(bool frozen) override { isFrozen = frozen; }
  std::vector<double> eigenvalues() const override;
  Status visitState(const std::string &prefix, StateVisitor &visitor) override;

  /// The estimate, empty before the first call: rho, d, and sqrt(E) R.
  double rho() const { return estimate.getRho(); }
  const std::vector<double> &diagonal() const { return estimate.getDiagonal(); }
  ConstMatrixView scaledBasis() const;

private:
  /// Sums of squares of the rows, before and after the preconditioning.
  struct Norms {
    double before = 0;
    double after = 0;
    int32_t rows = 0;
  };

  void allocate(int32_t columns);
  void initialize(MatrixView x);
  Norms sweep(MatrixView x, bool gather, bool apply);
  Norms sumOverProcesses(Norms norms, bool gather);
  void update(int32_t rows, double sumSquares);
  void setGram(const std::vector<float> &rows);
  void multiply();
  void orthonormalize();

  MatrixView view(std::vector<float> &values) {
    return MatrixView(values.data(), estimate.getRank(), estimate.getDim(),
                      estimate.getDim());
  }

  FisherEstimate estimate;
  Exchange *exchange = nullptr;
  bool isFrozen = false;
  int64_t numSteps = 0;
  std::vector<float> basis; ///< sqrt(E) R, rank x dim
  std::vector<float> other; ///< rank x dim
  /// The products of a chunk of rows with the basis.
  std::vector<float> coordinates;
  std::vector<double> work;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_NATURALGRADIENT_H

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
#include "JoinedProducts.h"
#include "cpu/math/NarrowGemm.h"
#include "nnet3/runtime/Exchange.h"

#include <cmath>
#include <optional>

namespace nnet3 {
namespace rt {

/// Multiplies rows by the inverse of F + alpha tr(F) / D I, where F is the
/// estimate of their uncentred covariance.
class NaturalGradient : public Preconditioner {
public:
  explicit NaturalGradient(const NaturalGradientOptions &options)
      : estimate(options) {}

  double precondition(MatrixView x, ThreadPool *threads = nullptr) override;
  PreconditionedProduct
  preconditionProduct(const JoinedRows &x, ConstMatrixView other,
                      ThreadPool *threads = nullptr) override;
  void finishUpdate() override;
  int64_t meanRows(int32_t rows) override;
  int32_t rank(int32_t columns) const override {
    return columns > 1 ? estimate.getRankFor(columns) : 0;
  }
  void setExchange(Exchange *other) override { exchange = other; }
  void freeze(bool frozen) override { isFrozen = frozen; }
  std::vector<double> eigenvalues() const override;
  PreconditionerState state() override;
  Status setState(PreconditionerState state) override;

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

    /// The scale that preserves the sum of squares.
    double getScale() const {
      return before > 0 ? std::sqrt(before / after) : 1;
    }
  };

  void allocate();
  void initialize(const JoinedRows &x, ThreadPool *threads);
  bool begin(const JoinedRows &x, ThreadPool *threads);
  double finish(const Norms &norms, bool learns, ThreadPool *threads);
  template <typename Use>
  Norms sweep(const JoinedRows &x, bool learns, ThreadPool *threads,
              const Use &use);
  Norms apply(MatrixView x, bool learns, ThreadPool *threads);
  Norms project(const JoinedRows &x, ConstMatrixView other, bool learns,
                ThreadPool *threads);
  double sumSquaresOfRest(const JoinedRows &x);
  bool isAlone() const { return !exchange || exchange->size() == 1; }
  void completeSums(Norms &norms, bool learns);
  void update(int32_t rows, double sumSquares);
  void setGram(const std::vector<float> &rows);
  void multiply();
  void basisChanged();
  void orthonormalize();

  MatrixView view(std::vector<float> &values) {
    return MatrixView(values.data(), estimate.getRank(), estimate.getDim(),
                      estimate.getDim());
  }

  /// A matrix of `rank` columns and their padding. New elements are zero.
  MatrixView makeNarrow(std::vector<float> &values, int32_t rows) {
    const int32_t rank = estimate.getRank(), stride = getWholeColumns(rank);
    values.resize(size_t(rows) * stride);
    return MatrixView(values.data(), rows, rank, stride);
  }

  FisherEstimate estimate;
  Exchange *exchange = nullptr;
  bool isFrozen = false;
  int64_t numSteps = 0;
  /// An update of the estimate that has been put off.
  struct Pending {
    int32_t rows;
    double sumSquares;
  };
  std::optional<Pending> pending;
  std::vector<float> basis; ///< sqrt(E) R, rank x dim
  std::vector<float> other; ///< rank x dim
  // Of makeNarrow().
  std::vector<float> basisColumns; ///< W^T
  std::vector<float> coordinates;  ///< H = X W^T of some rows
  std::vector<double> rowSquares;  ///< the sum of squares of each row of W
  /// For preconditionProduct(): H^T Y, the basis W before an update, and the
  /// sum of squares of each column of H.
  std::vector<float> sums, usedBasis;
  std::vector<double> columnSquares;
  std::vector<double> work;
  JoinedProducts joined;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_NATURALGRADIENT_H

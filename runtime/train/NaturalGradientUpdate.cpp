//===- NaturalGradientUpdate.cpp - Update of the estimate -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NaturalGradient.h"
#include "OrthonormalRows.h"
#include "SmallMatrix.h"
#include "core/Gemm.h"
#include "cpu/math/Transpose.h"
#include "cpu/math/VectorMath.h"

namespace nnet3 {
namespace rt {

/// Updates the estimate; `other` must hold (eta/N) H^T X. Leaves the estimate
/// unchanged if numbers overflow.
void NaturalGradient::update(int32_t rows, double sumSquares) {
  for (int32_t r = 0; r < estimate.getRank(); ++r) // makes B
    vecAxpy(estimate.getDim(),
            static_cast<float>(estimate.getKeptScale(r, rows)),
            view(basis).row(r), view(other).row(r));
  setGram(other);
  const FisherEstimate::Outcome outcome = estimate.update(rows, sumSquares);
  if (outcome == FisherEstimate::Outcome::Unchanged)
    return;
  multiply();
  if (outcome == FisherEstimate::Outcome::Inexact)
    orthonormalize();
  basisChanged();
}

/// Sets what is computed from the basis.
void NaturalGradient::basisChanged() {
  const MatrixView w = view(basis);
  rowSquares.resize(w.rows);
  for (int32_t r = 0; r < w.rows; ++r)
    rowSquares[r] = vecSumSquares(w.cols, w.row(r));
  transpose(w, makeNarrow(basisColumns, estimate.getDim()));
  joined.basisChanged();
}

/// Computes the Gram matrix in double precision, because its condition number
/// is the square of that of the rows.
void NaturalGradient::setGram(const std::vector<float> &rows) {
  const int32_t dim = estimate.getDim();
  gramMatrix(ConstMatrixView(rows.data(), estimate.getRank(), dim, dim),
             estimate.gram(), work.data());
}

/// basis := transform other.
void NaturalGradient::multiply() {
  const int32_t rank = estimate.getRank();
  const ConstMatrixView left(estimate.transform().data(), rank, rank, rank);
  gemmNN(left, view(other), 1.0f, 0.0f, view(basis));
}

/// Restores R R^T = I after rounding errors.
void NaturalGradient::orthonormalize() {
  setGram(basis);
  if (estimate.isOrthonormal())
    return;
  if (estimate.orthonormalize()) {
    basis.swap(other);
    return multiply();
  }
  orthonormalizeRows(view(basis), coordinates.data());
  for (int32_t r = 0; r < estimate.getRank(); ++r) {
    float *row = view(basis).row(r);
    vecScale(estimate.getDim(), static_cast<float>(estimate.getLength(r)), row,
             row);
  }
}

} // namespace rt
} // namespace nnet3

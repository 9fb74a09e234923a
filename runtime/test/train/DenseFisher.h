//===- DenseFisher.h - Natural gradient by its definition -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formulas of the paper (and of the spec, components.md 4) on dense
// matrices in double precision, slow and independent of the library.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_TEST_TRAIN_DENSEFISHER_H
#define NNET3_RUNTIME_TEST_TRAIN_DENSEFISHER_H

#include "test/support/ProgramWriter.h"
#include "train/NaturalGradient.h"

#include <vector>

namespace nnet3 {
namespace rt {
namespace test {

/// A square or rectangular matrix of doubles.
struct Dense {
  int32_t rows, cols;
  std::vector<double> values;

  Dense(int32_t rows, int32_t cols)
      : rows(rows), cols(cols), values(size_t(rows) * cols) {}
  explicit Dense(const Matrix &matrix);
  double &at(int32_t r, int32_t c) { return values[size_t(r) * cols + c]; }
  double at(int32_t r, int32_t c) const { return values[size_t(r) * cols + c]; }
  double sumSquares() const;
  double trace() const;
};

Dense operator*(const Dense &a, const Dense &b);
Dense transposed(const Dense &a);

/// The estimate F = R^T diag(d) R + rho I and its updates.
class DenseFisher {
public:
  DenseFisher(const NaturalGradientOptions &options, int32_t dim);

  /// Returns x times the inverse of F + alpha tr(F) / D I, scaled to the
  /// Frobenius norm of x.
  Matrix precondition(const Matrix &x);

  Dense fisher() const;

  bool frozen = false;
  int32_t rank;
  double rho;
  std::vector<double> d;

private:
  void update(const Dense &x);
  Dense smoothedInverse() const;

  NaturalGradientOptions options;
  int32_t dim;
  int32_t numSteps = 0;
  Dense r;
};

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_TRAIN_DENSEFISHER_H

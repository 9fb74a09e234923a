//===- DoubleNaturalGradient.h - Plain natural gradient ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Written from components.md 4, independently of the runtime's own.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_TEST_TRAIN_DOUBLENATURALGRADIENT_H
#define NNET3_RUNTIME_TEST_TRAIN_DOUBLENATURALGRADIENT_H

#include "test/support/DoubleMatrix.h"

namespace nnet3 {
namespace rt {
namespace test {

class DoubleNaturalGradient {
public:
  DoubleNaturalGradient(int rank, int period) : rank(rank), period(period) {}

  /// Preconditions the rows of \p x and returns the scale that is yet to be
  /// applied.
  double precondition(DoubleMatrix &x);

  bool frozen = false;

private:
  void setDefault(int dim);
  void initialize(const DoubleMatrix &x);
  void update(const DoubleMatrix &x);
  void orthonormalize(const std::vector<double> &e);
  double beta() const;
  std::vector<double> e() const;

  int rank, period;
  int step = 0;
  DoubleMatrix w; ///< rank x dim
  std::vector<double> d;
  double rho = 0;
};

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_TRAIN_DOUBLENATURALGRADIENT_H

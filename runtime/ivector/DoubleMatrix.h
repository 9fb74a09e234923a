//===- DoubleMatrix.h - Matrices of model files -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_IVECTOR_DOUBLEMATRIX_H
#define NNET3_RUNTIME_IVECTOR_DOUBLEMATRIX_H

#include <cstdint>
#include <vector>

namespace nnet3 {
namespace rt {

/// A row-major matrix without padding.
struct DoubleMatrix {
  int64_t rows = 0, cols = 0;
  std::vector<double> values;

  const double *row(int64_t r) const { return values.data() + r * cols; }
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_DOUBLEMATRIX_H

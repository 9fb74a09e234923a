//===- Comparison.h - Comparison of matrices --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_RUNNER_CHECK_COMPARISON_H
#define NNET3_RUNTIME_RUNNER_CHECK_COMPARISON_H

#include "CasePack.h"

#include <functional>
#include <string>

namespace nnet3 {
namespace rt {

/// A computed matrix of float or double elements.
struct ActualValues {
  int64_t rows = 0, cols = 0;
  std::function<double(int64_t row, int64_t col)> at;
};

ActualValues valuesOf(ConstMatrixView view);

/// Compares each element a of \p actual with element b of \p expected: |a - b|
/// must be at most \p tolerance (1 + |b|). Returns an error message, or an
/// empty string.
std::string compare(const ActualValues &actual, ConstMatrixView expected,
                    double tolerance);

/// Compares by the rules of Expected or, with \p rmsError, of CaseLibrary in
/// schema/cases.fbs. Vectors and matrices with one row are equivalent.
std::string compare(const ActualValues &actual,
                    const schema::Expected &expected, const CasePack &pack,
                    double rmsError = 0);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_CHECK_COMPARISON_H

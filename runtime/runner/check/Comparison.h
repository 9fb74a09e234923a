//===- Comparison.h - Whether numbers are right -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_RUNNER_CHECK_COMPARISON_H
#define NNET3_RUNTIME_RUNNER_CHECK_COMPARISON_H

#include "CasePack.h"

#include <functional>
#include <string>

namespace nnet3 {
namespace rt {

/// A matrix that came out, of float or double elements, in row-major order.
struct ActualValues {
  int64_t rows = 0, cols = 0;
  std::function<double(int64_t row, int64_t col)> at;
};

ActualValues valuesOf(ConstMatrixView view);

/// What is wrong with \p actual, where |a - b| <= \p tolerance (1 + |b|) is
/// right for all elements b of \p expected; empty if nothing is.
std::string compare(const ActualValues &actual, ConstMatrixView expected,
                    double tolerance);

/// The same by the rule of schema/cases.fbs, or that of a library with
/// \p rmsError. Vectors of a model have one row, and matrices of one may come
/// as vectors.
std::string compare(const ActualValues &actual,
                    const schema::Expected &expected, const CasePack &pack,
                    double rmsError = 0);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_RUNNER_CHECK_COMPARISON_H

//===- NumericDerivatives.h - Against central differences -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_SUPPORT_NUMERICDERIVATIVES_H
#define NNET3_RUNTIME_TEST_SUPPORT_NUMERICDERIVATIVES_H

#include "BackpropTrial.h"

namespace nnet3 {
namespace rt {
namespace test {

/// Expects that the derivative of the input and the gradient of each parameter
/// match central differences, computed together and separately.
void expectNumericDerivatives(const BackpropTrial &trial, const Matrix &input,
                              double tolerance = 2e-3);

/// A copy of \p trial whose parameters are 0 before the update, and whose
/// learning rate is \p rate.
BackpropTrial updating(BackpropTrial trial, float rate);

/// Returns the output of \p trial.
Matrix outputOf(const BackpropTrial &trial, const Matrix &input);

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_SUPPORT_NUMERICDERIVATIVES_H

//===- AffineCase.h - Test cases of affine components -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_SUPPORT_AFFINECASE_H
#define NNET3_RUNTIME_TEST_SUPPORT_AFFINECASE_H

#include "BackpropTrial.h"

#include <string>
#include <vector>

namespace nnet3 {
namespace rt {
namespace test {

/// A trial, its input and its output derivative.
struct AffineCase {
  std::string name;
  BackpropTrial trial;
  Matrix input, outDeriv;
  bool hasBias = false;
  /// The first input row of each block of the weights' columns.
  std::vector<int64_t> offsets = {0};
  int32_t stride = 1;

  int32_t numParameters() const { return hasBias ? 2 : 1; }
};

/// Makes a case of a type that maps single rows.
AffineCase affineCase(const std::string &type, int32_t rows, int32_t in,
                      int32_t out);

/// Makes a case of a TdnnComponent with three offsets.
AffineCase tdnnCase(bool hasBias, int32_t rows, int32_t in, int32_t out);

/// Returns cases of all types with parameters, with few and with more rows.
std::vector<AffineCase> trainedCases();

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_SUPPORT_AFFINECASE_H

//===- ExpectNear.cpp - Comparing matrices in tests -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TestMatrix.h"

#include <cmath>
#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {

void expectNear(const Matrix &actual, const std::vector<double> &expected,
                double tolerance) {
  ASSERT_EQ(actual.values.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i)
    ASSERT_LE(std::fabs(actual.values[i] - expected[i]),
              tolerance * (1 + std::fabs(expected[i])))
        << "element " << i << ": " << actual.values[i] << " and "
        << expected[i];
}

} // namespace test
} // namespace rt
} // namespace nnet3

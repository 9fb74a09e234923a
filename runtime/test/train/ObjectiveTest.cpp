//===- ObjectiveTest.cpp - Objective functions of output nodes ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/Objective.h"
#include "test/support/ProgramWriter.h"

#include <cmath>
#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

constexpr int32_t kRows = 5, kCols = 37;

MatrixView writable(Matrix &matrix) {
  return MatrixView(matrix.values.data(), matrix.rows, matrix.cols,
                    matrix.cols);
}

struct Sums {
  double linear = 0, weight = 0, quadratic = 0;
};

/// Both objectives by their definitions.
Sums definition(const Matrix &x, const Matrix &y) {
  Sums sums;
  for (size_t i = 0; i < x.values.size(); ++i) {
    const double distance = double(y.values[i]) - x.values[i];
    sums.linear += double(x.values[i]) * y.values[i];
    sums.weight += y.values[i];
    sums.quadratic -= 0.5 * distance * distance;
  }
  return sums;
}

TEST(ObjectiveTest, Linear) {
  const Matrix x = randomMatrix(kRows, kCols, 1), y = randomMatrix(5, 37, 2);
  Matrix derivative(kRows, kCols, 99);
  auto result = computeObjective(ObjectiveType::Linear, x.view(), y.view(),
                                 writable(derivative));
  ASSERT_TRUE(result.ok());
  EXPECT_NEAR(result->value, definition(x, y).linear, 1e-10);
  EXPECT_NEAR(result->weight, definition(x, y).weight, 1e-10);
  EXPECT_EQ(derivative.values, y.values);
}

TEST(ObjectiveTest, Quadratic) {
  const Matrix x = randomMatrix(kRows, kCols, 3), y = randomMatrix(5, 37, 4);
  Matrix derivative(kRows, kCols, 99);
  auto result = computeObjective(ObjectiveType::Quadratic, x.view(), y.view(),
                                 writable(derivative));
  ASSERT_TRUE(result.ok());
  EXPECT_NEAR(result->value, definition(x, y).quadratic, 1e-4);
  EXPECT_EQ(result->weight, kRows);
  for (size_t i = 0; i < x.values.size(); ++i)
    EXPECT_EQ(derivative.values[i], y.values[i] - x.values[i]);
}

TEST(ObjectiveTest, DerivativeIsOptional) {
  const Matrix x = randomMatrix(kRows, kCols, 3), y = randomMatrix(5, 37, 4);
  for (ObjectiveType type : {ObjectiveType::Linear, ObjectiveType::Quadratic}) {
    Matrix derivative(kRows, kCols);
    auto with =
        computeObjective(type, x.view(), y.view(), writable(derivative));
    auto without = computeObjective(type, x.view(), y.view());
    EXPECT_EQ(with->value, without->value);
    EXPECT_EQ(with->weight, without->weight);
  }
}

TEST(ObjectiveTest, Strides) {
  const Matrix x = randomMatrix(4, 8, 5), y = randomMatrix(4, 9, 6);
  Matrix derivative(4, 10, 99), left(4, 3), wanted(4, 3);
  for (int32_t r = 0; r < 4; ++r)
    for (int32_t c = 0; c < 3; ++c) {
      left.at(r, c) = x.at(r, c);
      wanted.at(r, c) = y.at(r, c);
    }
  auto result = computeObjective(
      ObjectiveType::Quadratic, ConstMatrixView(x.values.data(), 4, 3, 8),
      ConstMatrixView(y.values.data(), 4, 3, 9),
      MatrixView(derivative.values.data(), 4, 3, 10));
  ASSERT_TRUE(result.ok());
  EXPECT_NEAR(result->value, definition(left, wanted).quadratic, 1e-5);
  for (int32_t r = 0; r < 4; ++r)
    for (int32_t c = 0; c < 10; ++c)
      EXPECT_EQ(derivative.at(r, c),
                c < 3 ? wanted.at(r, c) - left.at(r, c) : 99);
}

/// Three rows: one with a column twice, one without elements.
struct Posteriors {
  std::vector<int64_t> begin = {0, 3, 3, 4};
  std::vector<int32_t> columns = {2, 0, 2, 1};
  std::vector<float> values = {0.25f, 0.5f, 0.25f, 1.5f};

  SparseMatrixView view() const {
    return {3, 4, begin.data(), columns.data(), values.data()};
  }
  Matrix dense() const {
    Matrix matrix(3, 4);
    matrix.values = {0.5, 0, 0.5, 0, 0, 0, 0, 0, 0, 1.5, 0, 0};
    return matrix;
  }
};

TEST(ObjectiveTest, SparseEqualsDense) {
  const Posteriors posteriors;
  const Matrix x = randomMatrix(3, 4, 7), y = posteriors.dense();
  for (ObjectiveType type : {ObjectiveType::Linear, ObjectiveType::Quadratic}) {
    Matrix fromSparse(3, 4, 99), fromDense(3, 4, 99);
    auto sparse = computeObjective(type, x.view(), posteriors.view(),
                                   writable(fromSparse));
    auto dense =
        computeObjective(type, x.view(), y.view(), writable(fromDense));
    ASSERT_TRUE(sparse.ok() && dense.ok());
    EXPECT_EQ(sparse->value, dense->value);
    EXPECT_EQ(sparse->weight, dense->weight);
    EXPECT_EQ(fromSparse.values, fromDense.values);
    EXPECT_EQ(computeObjective(type, x.view(), posteriors.view())->value,
              dense->value);
  }
}

TEST(ObjectiveTest, ShapesMustAgree) {
  const Matrix x = randomMatrix(3, 4, 8);
  auto message = [&](const SupervisionMatrix &supervision) {
    return computeObjective(ObjectiveType::Linear, x.view(), supervision)
        .status()
        .message();
  };
  EXPECT_EQ(message(Matrix(3, 5).view()),
            "expects supervision of 3x4, but got 3x5");
  EXPECT_EQ(message(Matrix(2, 4).view()),
            "expects supervision of 3x4, but got 2x4");
  Posteriors posteriors;
  posteriors.columns[1] = 4;
  EXPECT_EQ(message(posteriors.view()),
            "expects supervision of columns below 4, but got 4");
  posteriors.columns[1] = -1;
  EXPECT_EQ(message(posteriors.view()),
            "expects supervision of columns below 4, but got -1");
  SparseMatrixView wide = Posteriors().view();
  wide.cols = 5;
  EXPECT_EQ(message(wide), "expects supervision of 3x4, but got 3x5");
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3

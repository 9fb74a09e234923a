//===- OrthonormalConstraintTest.cpp - Nearly orthonormal rows ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "train/OrthonormalConstraint.h"
#include "TrainingNetwork.h"
#include "core/ComponentState.h"

#include <cmath>
#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

using Rows = std::vector<std::vector<double>>;

Rows zeros(size_t rows, size_t cols) {
  return Rows(rows, std::vector<double>(cols));
}

Rows transposed(const Rows &m) {
  Rows result = zeros(m[0].size(), m.size());
  for (size_t r = 0; r < m.size(); ++r)
    for (size_t c = 0; c < m[0].size(); ++c)
      result[c][r] = m[r][c];
  return result;
}

Rows times(const Rows &a, const Rows &b) {
  Rows result = zeros(a.size(), b[0].size());
  for (size_t r = 0; r < a.size(); ++r)
    for (size_t k = 0; k < b.size(); ++k)
      for (size_t c = 0; c < b[0].size(); ++c)
        result[r][c] += a[r][k] * b[k][c];
  return result;
}

/// The definition: spec, execution.md 3.2.
Rows constrained(const Rows &matrix, double alpha) {
  if (matrix.size() > matrix[0].size())
    return transposed(constrained(transposed(matrix), alpha));
  const Rows p = times(matrix, transposed(matrix)), pp = times(p, p);
  const size_t n = p.size();
  double speed = 0.125, squared = alpha * alpha;
  if (alpha < 0) {
    double tr = 0, trSquare = 0;
    for (size_t i = 0; i < n; ++i) {
      tr += p[i][i];
      trSquare += pp[i][i];
    }
    if (tr < 1e-15)
      return matrix;
    squared = trSquare / tr;
    const double ratio = trSquare * double(n) / (tr * tr);
    speed = ratio > 1.1 ? speed / 4 : ratio > 1.02 ? speed / 2 : speed;
  }
  Rows change = p, result = matrix;
  for (size_t i = 0; i < n; ++i)
    change[i][i] -= squared;
  change = times(change, matrix);
  for (size_t r = 0; r < n; ++r)
    for (size_t c = 0; c < matrix[0].size(); ++c)
      result[r][c] -= 4 * speed / squared * change[r][c];
  return result;
}

Rows toRows(const Matrix &matrix) {
  Rows result = zeros(matrix.rows, matrix.cols);
  for (int32_t r = 0; r < matrix.rows; ++r)
    for (int32_t c = 0; c < matrix.cols; ++c)
      result[r][c] = matrix.at(r, c);
  return result;
}

std::vector<double> flat(const Rows &rows) {
  std::vector<double> result;
  for (const std::vector<double> &row : rows)
    result.insert(result.end(), row.begin(), row.end());
  return result;
}

void constrain(Matrix &matrix, float alpha) {
  constrainOrthonormal(
      MatrixView(matrix.values.data(), matrix.rows, matrix.cols, matrix.cols),
      alpha);
}

/// Rows of equal length that are orthogonal, but for \p noise.
Matrix nearlyOrthogonal(int32_t rows, int32_t cols, float noise) {
  Matrix matrix = randomMatrix(rows, cols, 9, noise);
  for (int32_t i = 0; i < std::min(rows, cols); ++i)
    matrix.at(i, i) += 0.7f;
  return matrix;
}

TEST(OrthonormalConstraintTest, MatchesTheDefinition) {
  const std::pair<int32_t, int32_t> shapes[] = {
      {6, 20}, {20, 6}, {8, 8}, {1, 5}, {5, 1}};
  for (auto [rows, cols] : shapes)
    for (float alpha : {1.0f, 0.4f, -1.0f})
      for (float noise : {0.02f, 0.07f, 0.5f}) {
        Matrix matrix = nearlyOrthogonal(rows, cols, noise);
        const Rows expected = constrained(toRows(matrix), alpha);
        constrain(matrix, alpha);
        expectNear(matrix, flat(expected), 1e-5);
      }
}

TEST(OrthonormalConstraintTest, NearAndFarAreTried) {
  // Checks that the test above covers the three speeds.
  auto ratio = [](float noise) {
    const Rows m = toRows(nearlyOrthogonal(8, 8, noise));
    const Rows p = times(m, transposed(m)), pp = times(p, p);
    double tr = 0, trSquare = 0;
    for (size_t i = 0; i < 8; ++i) {
      tr += p[i][i];
      trSquare += pp[i][i];
    }
    return trSquare * 8 / (tr * tr);
  };
  EXPECT_LT(ratio(0.02f), 1.02);
  EXPECT_GT(ratio(0.07f), 1.02);
  EXPECT_LT(ratio(0.07f), 1.1);
  EXPECT_GT(ratio(0.5f), 1.1);
}

TEST(OrthonormalConstraintTest, Converges) {
  Matrix matrix = nearlyOrthogonal(6, 20, 0.2f);
  for (int step = 0; step < 100; ++step)
    constrain(matrix, 1.0f);
  const Rows rows = toRows(matrix), product = times(rows, transposed(rows));
  for (size_t i = 0; i < 6; ++i)
    for (size_t j = 0; j < 6; ++j)
      EXPECT_NEAR(product[i][j], i == j ? 1 : 0, 1e-5);
}

TEST(OrthonormalConstraintTest, ZeroHasNoScale) {
  Matrix matrix(4, 6);
  constrain(matrix, -1.0f);
  EXPECT_EQ(matrix.values, Matrix(4, 6).values);
}

/// The steps, of 2000, in which each component changes: two that are
/// constrained and one that is not.
std::vector<std::vector<uint64_t>> stepsWithChange(uint64_t seed) {
  const Matrix initial = nearlyOrthogonal(2, 3, 0.2f);
  const Attrs constraint = {{"orthonormal_constraint", -1.0}};
  auto model = std::move(*Model::create(componentsOnly(
      {linearLayer("a", initial, constraint),
       linearLayer("b", initial, constraint), linearLayer("c", initial)})));
  std::vector<std::vector<uint64_t>> steps(3);
  for (uint64_t step = 0; step < 2000; ++step) {
    constrainOrthonormal(seed, step, *model);
    for (int32_t i = 0; i < 3; ++i) {
      if (parametersOf(*model, i) != initial.values)
        steps[i].push_back(step);
      std::copy(initial.values.begin(), initial.values.end(),
                model->state(i).parameters[0].data);
    }
  }
  return steps;
}

TEST(OrthonormalConstraintTest, OneStepInFour) {
  const auto steps = stepsWithChange(1);
  for (int32_t i : {0, 1}) {
    EXPECT_GT(steps[i].size(), 440u);
    EXPECT_LT(steps[i].size(), 560u);
  }
  EXPECT_NE(steps[0], steps[1]);
  EXPECT_TRUE(steps[2].empty());
  EXPECT_EQ(stepsWithChange(1), steps);
  EXPECT_NE(stepsWithChange(2), steps);
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3

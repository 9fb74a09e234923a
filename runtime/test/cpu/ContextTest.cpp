//===- ContextTest.cpp - Components that read other rows ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "core/ComponentState.h"
#include "test/support/AttributeRecorder.h"
#include "test/support/BackpropTrial.h"

#include <cmath>
#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

using Ints = std::vector<int64_t>;

BackpropTrial makeTrial(const std::string &type, Attrs attrs, Attrs precomputed,
                        int32_t outRows, int32_t outCols) {
  BackpropTrial trial;
  trial.type = type;
  trial.attrs = std::move(attrs);
  trial.precomputed = std::move(precomputed);
  trial.outRows = outRows;
  trial.outCols = outCols;
  return trial;
}

std::vector<double> toDoubles(const Matrix &matrix) {
  return {matrix.values.begin(), matrix.values.end()};
}

/// The derivative is that of the forward pass, added to what was there where
/// \p adds.
void expectMatchesDifferences(BackpropTrial trial, const Matrix &x, bool adds) {
  const Matrix dy = randomMatrix(trial.outRows, trial.outCols, 3);
  const Matrix expected = numericInDeriv(trial, x, dy);
  trial.initialDeriv = 1;
  Matrix actual = backprop(trial, x, dy).inDeriv;
  for (float &value : actual.values)
    value -= adds;
  expectNear(actual, toDoubles(expected), 2e-3);
}

TEST(DistributeTest, CopiesBlocks) {
  // Two sequences, next to each other in every matrix.
  const Matrix x = randomMatrix(4, 6, 1);
  const Ints rows = {0, 1, 2, 3, 2, 3}, blocks = {2, 2, 0, 0, 1, 1};
  const BackpropTrial trial =
      makeTrial("DistributeComponent", {{"input_dim", 6}, {"output_dim", 2}},
                {{"rows", rows}, {"blocks", blocks}}, 6, 2);
  const Matrix dy = randomMatrix(6, 2, 2);
  const BackpropResult result = backprop(trial, x, dy);
  Matrix dx(4, 6);
  for (int32_t r = 0; r < 6; ++r)
    for (int32_t c = 0; c < 2; ++c) {
      const auto row = int32_t(rows[r]);
      const int32_t col = int32_t(blocks[r]) * 2 + c;
      EXPECT_EQ(result.output.at(r, c), x.at(row, col));
      dx.at(row, col) = dy.at(r, c);
    }
  EXPECT_EQ(result.inDeriv.values, dx.values);
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

BackpropTrial extraction(bool includeVariance) {
  return makeTrial("StatisticsExtractionComponent",
                   {{"input_dim", 3}, {"include_variance", includeVariance}},
                   {{"begins", Ints{0, 2, 5, 7}}, {"ends", Ints{2, 5, 7, 10}}},
                   4, includeVariance ? 7 : 4);
}

TEST(StatisticsTest, ExtractsSums) {
  const Matrix x = randomMatrix(10, 3, 1);
  const BackpropTrial trial = extraction(true);
  const Matrix y = backprop(trial, x, Matrix(4, 7)).output;
  std::vector<double> expected;
  for (int32_t sequence : {0, 1})
    for (auto [begin, end] : {std::pair(0, 2), std::pair(2, 5)}) {
      expected.push_back(end - begin);
      for (int power : {1, 2})
        for (int32_t c = 0; c < 3; ++c) {
          double sum = 0;
          for (int32_t r = begin; r < end; ++r)
            sum += std::pow(double(x.at(sequence * 5 + r, c)), power);
          expected.push_back(sum);
        }
    }
  expectNear(y, expected);
}

TEST(StatisticsTest, ExtractionMatchesDifferences) {
  for (bool includeVariance : {false, true})
    expectMatchesDifferences(extraction(includeVariance),
                             randomMatrix(10, 3, 1), /*adds=*/false);
}

/// Counts and sums of numbers around 3, so that variances are not floored.
Matrix statistics(int32_t rows, int32_t dim, bool includeVariance) {
  const Matrix x = randomMatrix(4 * rows, dim, 5, 0.8f);
  Matrix s(rows, 1 + (includeVariance ? 2 : 1) * dim);
  for (int32_t r = 0; r < 4 * rows; ++r) {
    // Not all rows are of as many frames.
    const int32_t to = r / 4;
    if (r % 4 > 1 + to % 3)
      continue;
    s.at(to, 0) += 1;
    for (int32_t c = 0; c < dim; ++c) {
      const float value = 3 + x.at(r, c);
      s.at(to, 1 + c) += value;
      if (includeVariance)
        s.at(to, 1 + dim + c) += value * value;
    }
  }
  return s;
}

BackpropTrial pooling(bool stddevs, int32_t logCounts) {
  return makeTrial(
      "StatisticsPoolingComponent",
      {{"input_dim", 5},
       {"left_context", 1},
       {"right_context", 1},
       {"output_stddevs", stddevs},
       {"num_log_count_features", logCounts}},
      {{"begins", Ints{0, 0, 1, 3, 3, 4}}, {"ends", Ints{2, 3, 3, 5, 6, 6}}}, 6,
      4 + logCounts);
}

TEST(StatisticsTest, PoolsMeansAndDeviations) {
  const Matrix s = statistics(6, 2, true);
  const Matrix y = backprop(pooling(true, 2), s, Matrix(6, 6)).output;
  std::vector<double> expected;
  for (int32_t sequence : {0, 1})
    for (auto [begin, end] :
         {std::pair(0, 2), std::pair(0, 3), std::pair(1, 3)}) {
      std::vector<double> sums(5);
      for (int32_t r = begin; r < end; ++r)
        for (int32_t c = 0; c < 5; ++c)
          sums[c] += s.at(3 * sequence + r, c);
      const double n = sums[0];
      expected.insert(expected.end(), 2, std::log(n));
      for (int32_t c : {1, 2})
        expected.push_back(sums[c] / n);
      for (int32_t c : {1, 2})
        expected.push_back(
            std::sqrt(sums[2 + c] / n - sums[c] * sums[c] / (n * n)));
    }
  expectNear(y, expected, 1e-4);
}

TEST(StatisticsTest, FloorsTheVariance) {
  BackpropTrial trial = pooling(true, 0);
  trial.attrs.emplace_back("variance_floor", 0.25);
  Matrix s(3, 5, 1); // all frames are 1
  trial.outRows = 3;
  trial.precomputed = {{"begins", Ints{0, 0, 1}}, {"ends", Ints{2, 3, 3}}};
  const Matrix y = backprop(trial, s, Matrix(3, 4)).output;
  for (int32_t r = 0; r < 3; ++r)
    EXPECT_EQ(y.at(r, 2), 0.5f);
}

/// The variance of one frame is 0, not what rounding leaves of it.
TEST(StatisticsTest, OneFrameHasNoVariance) {
  BackpropTrial trial = pooling(true, 0);
  trial.precomputed = {{"begins", Ints{0, 1, 2, 3, 4, 5}},
                       {"ends", Ints{1, 2, 3, 4, 5, 6}}};
  const Matrix x = randomMatrix(6, 2, 9);
  Matrix s(6, 5, 1);
  for (int32_t r = 0; r < 6; ++r)
    for (int32_t c = 0; c < 2; ++c) {
      s.at(r, 1 + c) = x.at(r, c);
      s.at(r, 3 + c) = x.at(r, c) * x.at(r, c);
    }
  const Matrix y = backprop(trial, s, Matrix(6, 4)).output;
  for (int32_t r = 0; r < 6; ++r)
    for (int32_t c : {2, 3})
      EXPECT_NEAR(y.at(r, c), 1e-5, 1e-7);
}

/// The count gets no derivative, so the differences leave it out.
TEST(StatisticsTest, PoolingMatchesDifferences) {
  for (bool stddevs : {false, true})
    for (int32_t logCounts : {0, 2}) {
      BackpropTrial trial = pooling(stddevs, logCounts);
      const Matrix s = statistics(6, 2, true);
      const Matrix dy = randomMatrix(6, 4 + logCounts, 3);
      Matrix expected = numericInDeriv(trial, s, dy, 2e-3f);
      for (int32_t r = 0; r < s.rows; ++r)
        expected.at(r, 0) = 0;
      trial.initialDeriv = 1;
      Matrix actual = backprop(trial, s, dy).inDeriv;
      for (float &value : actual.values)
        value -= 1;
      expectNear(actual, toDoubles(expected), 1e-2);
    }
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

constexpr int32_t kHeads = 2, kKeyDim = 3, kValueDim = 2, kLeft = 2, kRight = 1;
constexpr int32_t kContext = kLeft + 1 + kRight;
constexpr int32_t kHeadIn = 2 * kKeyDim + kValueDim + kContext;

BackpropTrial attention(bool outputContext) {
  return makeTrial("RestrictedAttentionComponent",
                   {{"num_heads", kHeads},
                    {"key_dim", kKeyDim},
                    {"value_dim", kValueDim},
                    {"num_left_inputs", kLeft},
                    {"num_right_inputs", kRight},
                    {"key_scale", 0.5},
                    {"output_context", outputContext}},
                   {{"row_shift", 2}}, 3,
                   kHeads * (kValueDim + (outputContext ? kContext : 0)));
}

/// Returns the attention weights of each row, head by head.
std::vector<double> attentionWeights(const Matrix &x, int32_t row) {
  std::vector<double> weights;
  for (int32_t head = 0; head < kHeads; ++head) {
    const int32_t key = head * kHeadIn;
    const int32_t query = key + kKeyDim + kValueDim;
    std::vector<double> exps;
    double sum = 0;
    for (int32_t o = 0; o < kContext; ++o) {
      double b = x.at(row + 2 * kLeft, query + kKeyDim + o);
      for (int32_t i = 0; i < kKeyDim; ++i)
        b +=
            0.5 * x.at(row + 2 * kLeft, query + i) * x.at(row + 2 * o, key + i);
      exps.push_back(std::exp(b));
      sum += exps.back();
    }
    for (double e : exps)
      weights.push_back(e / sum);
  }
  return weights;
}

TEST(AttentionTest, AddsWhatIsAttendedTo) {
  const Matrix x = randomMatrix(9, kHeads * kHeadIn, 1, 1.0f);
  const BackpropTrial trial = attention(true);
  const Matrix y = backprop(trial, x, Matrix(3, trial.outCols)).output;
  std::vector<double> expected;
  for (int32_t row = 0; row < 3; ++row) {
    const std::vector<double> c = attentionWeights(x, row);
    for (int32_t head = 0; head < kHeads; ++head) {
      for (int32_t i = 0; i < kValueDim; ++i) {
        double sum = 0;
        for (int32_t o = 0; o < kContext; ++o)
          sum += c[head * kContext + o] *
                 x.at(row + 2 * o, head * kHeadIn + kKeyDim + i);
        expected.push_back(sum);
      }
      expected.insert(expected.end(), c.begin() + head * kContext,
                      c.begin() + (head + 1) * kContext);
    }
  }
  expectNear(y, expected);
}

TEST(AttentionTest, MatchesDifferences) {
  for (bool outputContext : {false, true})
    expectMatchesDifferences(attention(outputContext),
                             randomMatrix(9, kHeads * kHeadIn, 1, 1.0f),
                             /*adds=*/true);
}

TEST(AttentionTest, KeepsStatistics) {
  BackpropTrial trial = attention(true);
  const Matrix x = randomMatrix(9, kHeads * kHeadIn, 1, 1.0f);
  const Matrix dy(3, trial.outCols);
  AttributeRecorder none(*backprop(trial, x, dy).model);
  EXPECT_EQ(none.values["stats_count"], std::vector<double>{0});
  EXPECT_TRUE(none.values["entropy_stats"].empty());
  EXPECT_TRUE(none.values["posterior_stats"].empty());

  trial.storeStats = true;
  AttributeRecorder some(*backprop(trial, x, dy).model);
  EXPECT_EQ(some.values["stats_count"], std::vector<double>{3});
  std::vector<double> entropy(kHeads), posterior(kHeads * kContext);
  for (int32_t row = 0; row < 3; ++row) {
    const std::vector<double> c = attentionWeights(x, row);
    for (size_t i = 0; i < c.size(); ++i) {
      posterior[i] += c[i];
      entropy[i / kContext] -= c[i] * std::log(c[i]);
    }
  }
  ASSERT_EQ(some.values["entropy_stats"].size(), entropy.size());
  ASSERT_EQ(some.values["posterior_stats"].size(), posterior.size());
  for (size_t i = 0; i < entropy.size(); ++i)
    EXPECT_NEAR(some.values["entropy_stats"][i], entropy[i], 1e-5);
  for (size_t i = 0; i < posterior.size(); ++i)
    EXPECT_NEAR(some.values["posterior_stats"][i], posterior[i], 1e-5);
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3

//===- NonlinearBackwardTest.cpp - Derivatives and their statistics -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/support/AttributeRecorder.h"
#include "test/support/NonlinearTrial.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

/// The sums over rows of f(x).
Vector columnSums(const Matrix &x, const std::function<double(double)> &f) {
  Vector sums(x.cols);
  for (int32_t r = 0; r < x.rows; ++r)
    for (int32_t c = 0; c < x.cols; ++c)
      sums[c] += f(x.at(r, c));
  return sums;
}

void expectEqual(const Vector &actual, const Vector &expected,
                 double tolerance = 1e-6) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i], tolerance * (1 + std::abs(expected[i])))
        << "element " << i;
}

class NonlinearBackwardTest : public testing::TestWithParam<NonlinearType> {};

TEST_P(NonlinearBackwardTest, MatchesDifferences) {
  for (int32_t dim : {1, 3, 17, 40}) {
    const BackpropTrial trial = trialOf(GetParam().name, 4, dim);
    Matrix x = randomMatrix(4, dim, 1);
    for (float &value : x.values) // keep off the edge of rectified units
      value += value > 0 ? 0.05f : -0.05f;
    const Matrix dy = randomMatrix(4, dim, 2);
    const Matrix expected = numericInDeriv(trial, x, dy);
    expectNear(backprop(trial, x, dy).inDeriv,
               {expected.values.begin(), expected.values.end()}, 1e-3);
  }
}

TEST_P(NonlinearBackwardTest, InPlaceIsTheSame) {
  const Matrix x = randomMatrix(5, 19, 3), dy = randomMatrix(5, 19, 4);
  BackpropTrial trial = trialOf(GetParam().name, 5, 19);
  trial.initialDeriv = 7; // is replaced, not added to
  const BackpropResult plain = backprop(trial, x, dy);
  trial.storeStats = true;
  trial.inPlaceForward = GetParam().inPlaceForward;
  trial.inPlaceBackward = GetParam().inPlaceBackward;
  const BackpropResult inPlace = backprop(trial, x, dy);
  EXPECT_EQ(inPlace.output.values, plain.output.values);
  EXPECT_EQ(inPlace.inDeriv.values, plain.inDeriv.values);
  expectEqual(statistics(inPlace)[kOderivSumsq],
              columnSums(dy, [](double d) { return d * d; }));
}

TEST_P(NonlinearBackwardTest, StoresSums) {
  const NonlinearType type = GetParam();
  const Matrix x = randomMatrix(6, 21, 5), dy = randomMatrix(6, 21, 6);
  BackpropTrial trial = trialOf(type.name, 6, 21);
  trial.storeStats = true;
  const BackpropResult result = backprop(trial, x, dy);
  const auto &stats = statistics(result);
  const bool keepsValues = std::string(type.name) != kLogSoftmax.name;
  if (keepsValues)
    expectEqual(stats[kValueSum],
                columnSums(result.output, [](double y) { return y; }));
  if (type.deriv)
    expectEqual(stats[kDerivSum], columnSums(result.output, type.deriv));
  EXPECT_EQ(stats[kCount][0], keepsValues ? 6 : 0);
  expectEqual(stats[kOderivSumsq],
              columnSums(dy, [](double d) { return d * d; }));
  EXPECT_EQ(stats[kOderivCount][0], 6);
  EXPECT_EQ(stats[kNumRepaired][0], 0);
  const bool counts = type.deriv && std::string(type.name) != kRelu.name;
  EXPECT_EQ(stats[kNumProcessed][0], counts ? 21 : 0);
}

TEST_P(NonlinearBackwardTest, ExportsWhatItRead) {
  const Matrix x = randomMatrix(2, 3, 5);
  BackpropTrial trial = trialOf(GetParam().name, 2, 3);
  auto exported = [&] {
    auto result = backprop(trial, x, x);
    return AttributeRecorder(*std::move(*Model::create(result.program))).values;
  };
  EXPECT_EQ(exported()["value_avg"], Vector());
  EXPECT_EQ(exported()["deriv_avg"], Vector());
  EXPECT_EQ(exported()["oderiv_rms"], Vector());
  const std::map<std::string, Vector> expected = {
      {"value_avg", {0.5, 0.25, -0.5}},
      {"deriv_avg", {1, 0.5, 0}},
      {"count", {16}},
      {"oderiv_rms", {0.25, 0, 2}},
      {"oderiv_count", {8}},
      {"num_dims_self_repaired", {3}},
      {"num_dims_processed", {4}}};
  for (const auto &[name, values] : expected)
    if (values.size() == 1)
      trial.attrs.emplace_back(name, values[0]);
    else
      trial.attrs.emplace_back(name,
                               vectorTensor({values.begin(), values.end()}));
  EXPECT_EQ(exported(), expected);
}

TEST_P(NonlinearBackwardTest, ExportsAverages) {
  const Matrix x = randomMatrix(4, 3, 7), dy = randomMatrix(4, 3, 8);
  BackpropTrial trial = trialOf(GetParam().name, 4, 3);
  trial.storeStats = true;
  const BackpropResult result = backprop(trial, x, dy);
  auto values = AttributeRecorder(*result.model).values;
  Vector rms = columnSums(dy, [](double d) { return d * d / 4; });
  for (double &value : rms)
    value = std::sqrt(value);
  expectEqual(values["oderiv_rms"], rms);
  EXPECT_EQ(values["deriv_avg"].size(), GetParam().deriv ? 3 : 0);
  if (std::string(GetParam().name) != kLogSoftmax.name)
    expectEqual(values["value_avg"],
                columnSums(result.output, [](double y) { return y / 4; }));
  // Zeroed statistics say nothing.
  result.model->zeroStatistics();
  EXPECT_EQ(AttributeRecorder(*result.model).values["value_avg"], Vector());
}

TEST_P(NonlinearBackwardTest, SkipsSomeCommands) {
  const Matrix x = randomMatrix(4, 2, 7);
  BackpropTrial trial = trialOf(GetParam().name, 4, 2);
  trial.attrs.emplace_back("value_avg", vectorTensor({0, 0}));
  trial.attrs.emplace_back("deriv_avg", vectorTensor({0, 0}));
  trial.attrs.emplace_back("oderiv_rms", vectorTensor({0, 0}));
  trial.attrs.emplace_back("count", 1.0);
  trial.attrs.emplace_back("oderiv_count", 1.0);
  trial.storeStats = true;
  int stored = 0, storedBack = 0;
  for (trial.seed = 0; trial.seed < 400; ++trial.seed) {
    const BackpropResult result = backprop(trial, x, x);
    const auto &stats = statistics(result);
    stored += stats[kCount][0] == 5;
    storedBack += stats[kOderivCount][0] == 5;
    EXPECT_EQ(stats[kOderivSumsq][0] != 0, stats[kOderivCount][0] == 5);
    EXPECT_EQ(statistics(backprop(trial, x, x)), stats) << "not repeatable";
  }
  const bool always = std::string(GetParam().name) == kSoftmax.name;
  const bool never = std::string(GetParam().name) == kLogSoftmax.name;
  EXPECT_NEAR(stored, always ? 400 : never ? 0 : 200, always || never ? 0 : 50);
  EXPECT_NEAR(storedBack, 300, 45);
}

INSTANTIATE_TEST_SUITE_P(Types, NonlinearBackwardTest,
                         testing::Values(kRelu, kSigmoid, kTanh, kSoftmax,
                                         kLogSoftmax),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

TEST(NonlinearStatisticsTest, CommandsDrawApart) {
  ProgramWriter writer;
  const int32_t in = writer.input("input", 1, 1), out = writer.zeroed(1, 1);
  for (const char *name : {"a", "b"}) {
    CommandData stats{Opcode::StoreStats};
    stats.component = writer.component(name, "TanhComponent",
                                       {{"dim", 1},
                                        {"value_avg", vectorTensor({0})},
                                        {"deriv_avg", vectorTensor({0})},
                                        {"count", 1.0}});
    writer.propagate(stats.component, in, out);
    stats.inValue = in;
    stats.src = out;
    writer.command(stats);
  }
  writer.output("output", out);
  int different = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    auto model = std::move(*Model::create(load(writer)));
    InstanceOptions options;
    options.seed = seed;
    options.model = model.get();
    run(writer, {{"input", Matrix(1, 1, 1)}}, options);
    different +=
        model->state(0).number(kCount) != model->state(1).number(kCount);
  }
  EXPECT_NEAR(different, 50, 25);
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3

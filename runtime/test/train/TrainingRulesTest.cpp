//===- TrainingRulesTest.cpp - Training against plain double precision ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trains the same network with the runtime and with DoubleTrainer.
//
//===----------------------------------------------------------------------===//

#include "DoubleTrainer.h"
#include "TrainingNetwork.h"
#include "nnet3/runtime/Trainer.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

constexpr int32_t kIn = 10, kHidden = 24, kClasses = 5;
constexpr int32_t kRows = 32, kSequences = 4;

/// The options of a training run.
struct Rules {
  double learningRate = 0.003;
  bool usesNaturalGradient = false;
  TrainerOptions options;
  double l2 = 0;
  double maxChange = 0;
};

/// A classification task: the labels are the classes that a random network
/// assigns to points.
class Task {
public:
  explicit Task(uint32_t seed)
      : seed(seed), first(randomMatrix(8, kIn, seed + 1, 1.0f)),
        second(randomMatrix(kClasses, 8, seed + 2, 1.0f)) {}

  Matrix points(int32_t rows, uint32_t number) const {
    return randomMatrix(rows, kIn, seed * 1000 + number, 1.0f);
  }

  /// Ones at the classes.
  Matrix classes(const Matrix &x) const {
    Matrix y(x.rows, kClasses);
    DoubleMatrix hidden = DoubleMatrix(x) * DoubleMatrix(first).transposed();
    for (double &value : hidden.values)
      value = std::tanh(2 * value);
    const DoubleMatrix scores = hidden * DoubleMatrix(second).transposed();
    for (int r = 0; r < x.rows; ++r) {
      const double *row = &scores.values[size_t(r) * kClasses];
      y.at(r, int32_t(std::max_element(row, row + kClasses) - row)) = 1;
    }
    return y;
  }

private:
  uint32_t seed;
  Matrix first, second;
};

/// Both trainers of one network.
struct Trial {
  Trial(const Rules &rules, uint32_t seed);

  /// Trains both on one minibatch; both objectives.
  std::pair<double, double> step(uint32_t number);
  /// The distance of the two parameter sets, relative to their distance from
  /// the initial parameters.
  double distance() const;
  /// The double-precision trainer with the runtime's parameters.
  DoubleTrainer withRuntimeParameters() const;

  Task task;
  std::shared_ptr<const Program> program;
  std::unique_ptr<Trainer> trainer;
  DoubleTrainer expected;
  std::vector<DoubleMatrix> initial;
};

constexpr int32_t kDims[] = {kIn, kHidden, kHidden, kClasses};
constexpr int32_t kAffines[] = {0, 2, 4}; ///< their positions in the chain

std::vector<Layer> layersOf(const Rules &rules, uint32_t seed) {
  const Attrs attrs = {{"learning_rate", rules.learningRate},
                       {"max_change", rules.maxChange},
                       {"l2_regularize", rules.l2}};
  const std::string type = rules.usesNaturalGradient
                               ? "NaturalGradientAffineComponent"
                               : "AffineComponent";
  auto affine = [&](int32_t i) {
    return affineLayer("affine" + std::to_string(i), kDims[i], kDims[i + 1],
                       seed * 10 + i, attrs, type);
  };
  return {affine(0), simpleLayer("relu0", "RectifiedLinearComponent", kHidden),
          affine(1), simpleLayer("relu1", "RectifiedLinearComponent", kHidden),
          affine(2), simpleLayer("softmax", "LogSoftmaxComponent", kClasses)};
}

Trial::Trial(const Rules &rules, uint32_t seed) : task(seed) {
  ChainRequest request;
  request.rows = kRows;
  request.inputDim = kIn;
  request.numSequences = kSequences;
  ProgramWriter writer = writeChain(layersOf(rules, seed), request);
  program = load(writer);
  trainer = std::move(*Trainer::create(program, rules.options));
  for (int32_t i = 0; i < 3; ++i) {
    DoubleAffine layer(kDims[i], kDims[i + 1],
                       parametersOf(trainer->model(), kAffines[i]));
    layer.learningRate = float(rules.learningRate);
    layer.maxChange = float(rules.maxChange);
    layer.l2Regularize = float(rules.l2) * rules.options.l2RegularizeFactor;
    layer.usesNaturalGradient = rules.usesNaturalGradient;
    initial.push_back(layer.weights);
    expected.layers.push_back(std::move(layer));
  }
  expected.momentum = rules.options.momentum;
  expected.maxParamChange = rules.options.maxParamChange;
  expected.backstitchScale = rules.options.backstitchTrainingScale;
}

std::pair<double, double> Trial::step(uint32_t number) {
  const Matrix x = task.points(kRows, number), y = task.classes(x);
  Minibatch minibatch{{{"input", x.view()}}, {{"output", y.view()}}};
  auto result = trainer->train(program, minibatch);
  EXPECT_TRUE(result.ok()) << result.status().message();
  const double reached =
      expected.train(DoubleMatrix(x), DoubleMatrix(y), kSequences);
  return {result->objectives[0].objective.value, reached};
}

DoubleTrainer Trial::withRuntimeParameters() const {
  DoubleTrainer copy = expected;
  for (int32_t i = 0; i < 3; ++i)
    copy.layers[i].weights =
        DoubleAffine(kDims[i], kDims[i + 1],
                     parametersOf(trainer->model(), kAffines[i]))
            .weights;
  return copy;
}

double Trial::distance() const {
  const DoubleTrainer actual = withRuntimeParameters();
  double error = 0, way = 0;
  for (size_t i = 0; i < 3; ++i) {
    DoubleMatrix difference = actual.layers[i].weights;
    difference.add(-1, expected.layers[i].weights);
    error += difference.sumSquares();
    difference = expected.layers[i].weights;
    difference.add(-1, initial[i]);
    way += difference.sumSquares();
  }
  return std::sqrt(error / way);
}

/// Twenty steps, each compared. How often limits were active.
MaxChangeCounts expectSameSteps(const Rules &rules) {
  Trial trial(rules, 1);
  for (uint32_t i = 0; i < 20; ++i) {
    const auto [actual, expected] = trial.step(i);
    EXPECT_NEAR(actual, expected, 1e-5 * std::fabs(expected)) << "step " << i;
    EXPECT_LT(trial.distance(), 1e-4) << "step " << i;
  }
  return trial.trainer->maxChangeCounts();
}

TEST(TrainingRulesTest, Plain) { expectSameSteps(Rules()); }

TEST(TrainingRulesTest, NaturalGradient) {
  Rules rules;
  rules.usesNaturalGradient = true;
  expectSameSteps(rules);
}

TEST(TrainingRulesTest, Momentum) {
  Rules rules;
  rules.options.momentum = 0.8f;
  expectSameSteps(rules);
}

TEST(TrainingRulesTest, L2) {
  Rules rules;
  rules.l2 = 0.5;
  rules.options.l2RegularizeFactor = 0.5;
  expectSameSteps(rules);
}

TEST(TrainingRulesTest, MaxChange) {
  Rules rules;
  rules.learningRate = 0.1;
  rules.maxChange = 0.1;
  rules.options.maxParamChange = 0.12f;
  const MaxChangeCounts counts = expectSameSteps(rules);
  EXPECT_GT(counts.components[0], 0);
  EXPECT_GT(counts.global, 0);
  EXPECT_EQ(counts.updates, 20);
}

TEST(TrainingRulesTest, Backstitch) {
  Rules rules;
  rules.options.backstitchTrainingScale = 0.3f;
  rules.l2 = 0.1;
  rules.maxChange = 0.02;
  const MaxChangeCounts counts = expectSameSteps(rules);
  EXPECT_GT(counts.components[0], 0);
  EXPECT_EQ(counts.updates, 40);
}

TEST(TrainingRulesTest, BackstitchFreezesNaturalGradient) {
  Rules rules;
  rules.usesNaturalGradient = true;
  rules.options.backstitchTrainingScale = 0.3f;
  expectSameSteps(rules);
}

/// The average loss over points that were not trained on.
double lossOf(const DoubleTrainer &trainer, const Task &task) {
  const Matrix x = task.points(2000, 77777);
  return -trainer.objective(DoubleMatrix(x), DoubleMatrix(task.classes(x))) /
         x.rows;
}

class LongTrainingTest : public testing::TestWithParam<uint32_t> {};

TEST_P(LongTrainingTest, ReachesTheLossOfDoublePrecision) {
  Rules rules;
  rules.usesNaturalGradient = true;
  rules.learningRate = 0.01;
  rules.maxChange = 0.75;
  Trial trial(rules, GetParam());
  const double atFirst = lossOf(trial.expected, trial.task);
  for (uint32_t i = 0; i < 300; ++i)
    trial.step(i);
  const double expected = lossOf(trial.expected, trial.task);
  const double actual = lossOf(trial.withRuntimeParameters(), trial.task);
  EXPECT_LT(expected, 0.5 * atFirst);
  EXPECT_NEAR(actual, expected, 1e-3 * expected);
  RecordProperty("loss", std::to_string(actual));
  RecordProperty("expected", std::to_string(expected));
}

INSTANTIATE_TEST_SUITE_P(Seeds, LongTrainingTest, testing::Values(1, 2, 3));

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3

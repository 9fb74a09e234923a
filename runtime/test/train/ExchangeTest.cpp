//===- ExchangeTest.cpp - Training on parts of minibatches ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/Exchange.h"
#include "TrainerTesting.h"

#include <cmath>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

/// Simulates processes by threads.
class ThreadGroup {
public:
  explicit ThreadGroup(int32_t size) : size(size), parts(size) {}

  /// The last thread to come adds up, in the order of the threads' numbers.
  template <typename T> void sum(int32_t rank, T *values, int64_t count) {
    std::unique_lock<std::mutex> lock(mutex);
    parts[rank].assign(values, values + count);
    const int64_t round = rounds;
    if (++arrived == size) {
      total.assign(count, 0.0);
      for (const std::vector<double> &part : parts) {
        EXPECT_EQ(int64_t(part.size()), count);
        for (int64_t i = 0; i < count; ++i)
          total[i] += part[i];
      }
      arrived = 0;
      ++rounds;
      changed.notify_all();
    }
    changed.wait(lock, [&] { return rounds > round; });
    for (int64_t i = 0; i < count; ++i)
      values[i] = static_cast<T>(total[i]);
  }

  const int32_t size;

private:
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::vector<double>> parts;
  std::vector<double> total;
  int32_t arrived = 0;
  int64_t rounds = 0;
};

class ThreadExchange : public Exchange {
public:
  ThreadExchange(ThreadGroup &group, int32_t number)
      : group(group), number(number) {}

  int32_t size() const override { return group.size; }
  int32_t rank() const override { return number; }
  void sum(float *values, int64_t count) override {
    group.sum(number, values, count);
  }
  void sum(double *values, int64_t count) override {
    group.sum(number, values, count);
  }
  void beginSum(float *values, int64_t count) override {
    ++numBegun;
    group.sum(number, values, count);
  }
  void wait() override { ++numWaits; }

  int32_t numBegun = 0, numWaits = 0;

private:
  ThreadGroup &group;
  int32_t number;
};

constexpr int32_t kParts = 3, kPartRows = kRows / kParts, kSequenceRows = 2;

/// An affine map whose natural gradient preconditions the gradient itself.
Layer repeatedLayer() {
  return {"repeated",
          "NaturalGradientRepeatedAffineComponent",
          8,
          {{"input_dim", 8},
           {"output_dim", 8},
           {"num_repeats", 2},
           {"learning_rate", 0.01},
           {"linear_params", tensor(randomMatrix(4, 4, 3))},
           {"bias_params", vectorTensor(randomMatrix(1, 4, 4).values)}}};
}

std::vector<Layer> trainedLayers() {
  return {affineLayer("affine1", kIn, 8, 1, {{"orthonormal_constraint", -1.0}},
                      "NaturalGradientAffineComponent"),
          simpleLayer("relu", "RectifiedLinearComponent", 8),
          simpleLayer("norm", "BatchNormComponent", 8), repeatedLayer(),
          affineLayer("affine2", 8, kOut, 2, {{"l2_regularize", 0.01}},
                      "NaturalGradientAffineComponent")};
}

std::shared_ptr<const Program> programOf(const std::vector<Layer> &layers,
                                         int32_t rows) {
  ChainRequest request;
  request.rows = rows;
  request.numSequences = rows / kSequenceRows;
  request.inputDim = kIn;
  request.isQuadratic = true;
  request.storeStats = true;
  ProgramWriter writer = writeChain(layers, request);
  return load(writer);
}

/// Rows of \p data from \p begin on.
StepData rowsOf(const StepData &data, int32_t begin) {
  StepData part(0, kPartRows);
  for (int32_t r = 0; r < kPartRows; ++r) {
    for (int32_t c = 0; c < kIn; ++c)
      part.x.at(r, c) = data.x.at(begin + r, c);
    for (int32_t c = 0; c < kOut; ++c)
      part.y.at(r, c) = data.y.at(begin + r, c);
  }
  return part;
}

void runThreads(int32_t count, const std::function<void(int32_t)> &run) {
  std::vector<std::thread> threads;
  for (int32_t i = 0; i < count; ++i)
    threads.emplace_back(run, i);
  for (std::thread &thread : threads)
    thread.join();
}

constexpr uint32_t kSteps = 8;

/// Parts together train as one process does, statistics included.
void expectSameTraining(TrainerOptions options) {
  options.seed = 3;
  auto whole = programOf(trainedLayers(), kRows);
  auto trainer = makeTrainer(whole, options);
  std::vector<double> objectives;
  for (uint32_t i = 0; i < kSteps; ++i)
    objectives.push_back(
        step(*trainer, whole, StepData(i)).objectives[0].objective.value);
  const std::vector<double> expected = everything(trainer->model());

  ThreadGroup group(kParts);
  std::vector<std::vector<double>> results(kParts), values(kParts);
  runThreads(kParts, [&](int32_t number) {
    ThreadExchange exchange(group, number);
    TrainerOptions mine = options;
    mine.exchange = &exchange;
    auto program = programOf(trainedLayers(), kPartRows);
    auto part = makeTrainer(program, mine);
    for (uint32_t i = 0; i < kSteps; ++i)
      values[number].push_back(
          step(*part, program, rowsOf(StepData(i), number * kPartRows))
              .objectives[0]
              .objective.value);
    results[number] = everything(part->model());
    // Gradients are on their way as soon as they are complete.
    EXPECT_GE(exchange.numBegun, int32_t(kSteps) * 4);
    EXPECT_GE(exchange.numWaits, int32_t(kSteps));
  });
  for (int32_t number = 0; number < kParts; ++number) {
    // All have the same bits.
    EXPECT_EQ(results[number], results[0]);
    for (uint32_t i = 0; i < kSteps; ++i)
      EXPECT_NEAR(values[number][i], objectives[i],
                  1e-3 * std::fabs(objectives[i]));
  }
  ASSERT_EQ(results[0].size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(results[0][i], expected[i], 1e-3 * (1 + std::fabs(expected[i])))
        << i;
}

TEST(ExchangeTest, PartsTrainAsTheWhole) { expectSameTraining({}); }

TEST(ExchangeTest, Momentum) {
  TrainerOptions options;
  options.momentum = 0.5;
  expectSameTraining(options);
}

TEST(ExchangeTest, Backstitch) {
  TrainerOptions options;
  options.backstitchTrainingScale = 0.3f;
  options.backstitchTrainingInterval = 2;
  expectSameTraining(options);
}

/// Its parts see some rows at a time.
TEST(ExchangeTest, RefusesComposites) {
  ThreadGroup group(1);
  ThreadExchange exchange(group, 0);
  TrainerOptions options;
  options.exchange = &exchange;
  const Layer layer = {
      "composite",
      "CompositeComponent",
      2,
      {{"num_components", 1},
       {"max_rows_process", 3},
       {"component1.type", std::string("NaturalGradientAffineComponent")},
       {"component1.input_dim", 2},
       {"component1.output_dim", 2},
       {"component1.linear_params", tensor(randomMatrix(2, 2, 3))},
       {"component1.bias_params", vectorTensor(randomMatrix(1, 2, 4).values)}}};
  auto trainer = Trainer::create(componentsOnly({layer}), options);
  ASSERT_FALSE(trainer.ok());
  EXPECT_EQ(trainer.status().message(),
            "component 'composite' of type CompositeComponent with natural "
            "gradient does not train on parts of minibatches");
}

/// Models that have been trained twice and once count as 2 to 1.
TEST(ExchangeTest, AveragesModels) {
  ThreadGroup group(2);
  auto program = programOf(trainedLayers(), kRows);
  std::vector<double> before[2], after[2];
  runThreads(2, [&](int32_t number) {
    ThreadExchange exchange(group, number);
    auto trainer = makeTrainer(program);
    for (int32_t i = 0; i < 2 - number; ++i)
      step(*trainer, program, StepData(10 * number + i));
    before[number] = everything(trainer->model());
    trainer->model().average(exchange, number == 0 ? 2 / 3.0f : 1 / 3.0f);
    after[number] = everything(trainer->model());
  });
  EXPECT_EQ(after[0], after[1]);
  for (size_t i = 0; i < after[0].size(); ++i)
    EXPECT_NEAR(after[0][i], (2 * before[0][i] + before[1][i]) / 3,
                1e-5 * (1 + std::fabs(after[0][i])));
}

/// Rates are multiplied for the updates, but not in the model.
TEST(ExchangeTest, LearningRates) {
  ProgramWriter writer = affineWriter(true, {{"learning_rate", 0.01}});
  auto program = load(writer);
  TrainerOptions options;
  options.maxParamChange = 0;
  auto once = makeTrainer(program, options),
       twice = makeTrainer(program, options);
  const std::vector<float> before = parametersOf(once->model(), 0);
  twice->scaleLearningRates(2);
  step(*once, program, StepData(1));
  step(*twice, program, StepData(1));
  EXPECT_EQ(twice->model().learningRate(0), once->model().learningRate(0));
  const std::vector<float> one = parametersOf(once->model(), 0),
                           two = parametersOf(twice->model(), 0);
  for (size_t i = 0; i < before.size(); ++i)
    EXPECT_NEAR(two[i] - before[i], 2 * (one[i] - before[i]), 1e-5);
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3

//===- TrainerTest.cpp - The training step --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainerTesting.h"
#include "train/OrthonormalConstraint.h"

#include <limits>
#include <set>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

/// Everything random and everything with a state of its own.
std::vector<Layer> manyLayers() {
  return {affineLayer("affine1", kIn, 8, 1, {{"orthonormal_constraint", -1.0}},
                      "NaturalGradientAffineComponent"),
          simpleLayer("norm", "BatchNormComponent", 8),
          {"dropout",
           "DropoutComponent",
           8,
           {{"dim", 8}, {"dropout_proportion", 0.3}}},
          affineLayer("affine2", 8, kOut, 2, {{"l2_regularize", 0.01}},
                      "NaturalGradientAffineComponent")};
}

std::shared_ptr<const Program> manyProgram(int32_t rows = kRows) {
  ChainRequest request;
  request.rows = rows;
  request.inputDim = kIn;
  request.isQuadratic = true;
  request.storeStats = true;
  ProgramWriter writer = writeChain(manyLayers(), request);
  return load(writer);
}

TEST(TrainerTest, QuadraticStep) {
  const double rate = 0.01;
  ProgramWriter writer = affineWriter(true, {{"learning_rate", rate}});
  auto program = load(writer);
  TrainerOptions options;
  options.maxParamChange = 0;
  auto trainer = makeTrainer(program, options);
  const std::vector<float> before = parametersOf(trainer->model(), 0);
  const StepData data(3);
  const TrainingStep result = step(*trainer, program, data);

  std::vector<double> expected(before.begin(), before.end());
  double objective = 0;
  for (int32_t r = 0; r < kRows; ++r)
    for (int32_t o = 0; o < kOut; ++o) {
      double error = data.y.at(r, o) - before[kOut * kIn + o];
      for (int32_t i = 0; i < kIn; ++i)
        error -= double(before[o * kIn + i]) * data.x.at(r, i);
      objective -= 0.5 * error * error;
      for (int32_t i = 0; i < kIn; ++i)
        expected[o * kIn + i] += rate * error * data.x.at(r, i);
      expected[kOut * kIn + o] += rate * error;
    }
  ASSERT_EQ(result.objectives.size(), 1u);
  EXPECT_EQ(result.objectives[0].name, "output");
  EXPECT_NEAR(result.objectives[0].objective.value, objective, 1e-4);
  EXPECT_EQ(result.objectives[0].objective.weight, kRows);
  const std::vector<float> after = parametersOf(trainer->model(), 0);
  for (size_t i = 0; i < after.size(); ++i)
    EXPECT_NEAR(after[i], expected[i], 1e-5);
}

/// The order of the supervision does not matter.
TEST(TrainerTest, TwoOutputs) {
  ProgramWriter writer = twoOutputs();
  auto program = load(writer);
  const StepData data(3), other(4);
  const Minibatch minibatch{
      {{"input", data.x.view()}},
      {{"second", other.y.view()}, {"first", data.y.view()}}};
  auto trainer = makeTrainer(program);
  auto result = trainer->train(program, minibatch);
  ASSERT_TRUE(result.ok()) << result.status().message();
  ASSERT_EQ(result->objectives.size(), 2u);
  auto instance = std::move(*Instance::create(program));
  ASSERT_TRUE(instance->setInput("input", data.x.view()).ok());
  ASSERT_TRUE(instance->run().ok());
  const auto first = computeObjective(
      ObjectiveType::Linear, *instance->output("first"), data.y.view());
  const auto second = computeObjective(
      ObjectiveType::Quadratic, *instance->output("second"), other.y.view());
  EXPECT_EQ(result->objectives[0].name, "first");
  EXPECT_EQ(result->objectives[0].objective.value, first->value);
  EXPECT_EQ(result->objectives[1].name, "second");
  EXPECT_EQ(result->objectives[1].objective.value, second->value);
  EXPECT_EQ(result->objectives[1].objective.weight, kRows);
}

TEST(TrainerTest, RepeatsBitForBit) {
  auto program = manyProgram();
  auto trained = [&](uint64_t seed) {
    TrainerOptions options;
    options.seed = seed;
    options.momentum = 0.5;
    auto trainer = makeTrainer(program, options);
    for (uint32_t i = 0; i < 20; ++i)
      step(*trainer, program, StepData(i));
    return everything(trainer->model());
  };
  EXPECT_EQ(trained(1), trained(1));
  EXPECT_NE(trained(1), trained(2));
}

TEST(TrainerTest, ShapesShareTheModel) {
  auto longer = manyProgram(kRows), shorter = manyProgram(kRows / 2);
  auto trained = [&](uint64_t maxBytes) {
    TrainerOptions options;
    options.maxInstanceBytes = maxBytes;
    auto trainer = makeTrainer(longer, options);
    for (uint32_t i = 0; i < 6; ++i) {
      const bool isShort = i % 3 == 1;
      step(*trainer, isShort ? shorter : longer,
           StepData(i, isShort ? kRows / 2 : kRows));
    }
    return everything(trainer->model());
  };
  // The cache of instances does not change the results.
  EXPECT_EQ(trained(0), trained(1 << 20));
}

/// The objectives of steps that change no parameter tell of the masks.
TEST(TrainerTest, RandomNumbersOfEachStep) {
  const Attrs dropout = {{"dim", kIn}, {"dropout_proportion", 0.3}};
  ChainRequest request;
  request.rows = kRows;
  request.inputDim = kIn;
  ProgramWriter writer =
      writeChain({{"dropout", "DropoutComponent", kIn, dropout},
                  affineLayer("affine", kIn, kOut, 1)},
                 request);
  auto program = load(writer);
  TrainerOptions options;
  options.backstitchTrainingScale = 0.5;
  options.backstitchTrainingInterval = 3;
  options.seed = 4; // steps 1, 4
  auto trainer = makeTrainer(program, options);
  trainer->setUnderlyingLearningRate(0);
  const StepData data(1);
  std::set<double> seen;
  for (uint32_t i = 0; i < 6; ++i) {
    const auto objectives = step(*trainer, program, data).objectives;
    seen.insert(objectives[0].objective.value);
    ASSERT_EQ(objectives.size(), i % 3 == 1 ? 2u : 1u) << "step " << i;
    if (i % 3 != 1)
      continue;
    EXPECT_EQ(objectives[1].name, "output_backstitch");
    EXPECT_EQ(objectives[1].objective.value, objectives[0].objective.value);
  }
  EXPECT_EQ(seen.size(), 6u);
}

TEST(TrainerTest, Constraint) {
  auto program = manyProgram();
  TrainerOptions options;
  options.seed = 9;
  auto trainer = makeTrainer(program, options);
  trainer->setUnderlyingLearningRate(0);
  auto expected = std::move(*Model::create(program));
  for (uint32_t i = 0; i < 12; ++i) {
    step(*trainer, program, StepData(i));
    constrainOrthonormal(9, i, *expected);
    EXPECT_EQ(parametersOf(trainer->model(), 0), parametersOf(*expected, 0));
  }
  EXPECT_NE(parametersOf(trainer->model(), 0),
            parametersOf(*std::move(*Model::create(program)), 0));
}

TEST(TrainerTest, ThreadsChangeNoNumber) {
  auto program = manyProgram();
  TrainerOptions options;
  options.momentum = 0.5;
  auto one = makeTrainer(program, options);
  options.numThreads = 3;
  auto three = makeTrainer(program, options);
  for (uint32_t i = 0; i < 12; ++i) {
    step(*one, program, StepData(i));
    step(*three, program, StepData(i));
    for (int32_t c = 0; c < one->model().numComponents(); ++c)
      ASSERT_EQ(parametersOf(one->model(), c), parametersOf(three->model(), c));
  }
}

/// The count of the batch normalisation.
double countOf(const Trainer &trainer) {
  const auto &infos = trainer.model().component(1).statistics();
  for (size_t i = 0; i < infos.size(); ++i)
    if (infos[i].name == std::string("count"))
      return trainer.model().state(1).number(i);
  ADD_FAILURE() << "there is no count";
  return -1;
}

TEST(TrainerTest, Statistics) {
  auto program = manyProgram();
  auto trainer = makeTrainer(program);
  EXPECT_EQ(countOf(*trainer), 0);
  step(*trainer, program, StepData(1));
  EXPECT_NEAR(countOf(*trainer), kRows * 0.8, 1e-5);
  step(*trainer, program, StepData(2));
  EXPECT_NEAR(countOf(*trainer), (kRows * 0.8 + kRows) * 0.8, 1e-5);

  TrainerOptions options;
  options.storeComponentStats = false;
  trainer = makeTrainer(program, options);
  step(*trainer, program, StepData(1));
  EXPECT_EQ(countOf(*trainer), 0);
}

TEST(TrainerTest, StatisticsAtTheStart) {
  std::vector<Layer> layers = manyLayers();
  const std::vector<float> ones(8, 1);
  layers[1].attrs.push_back({"count", 100.0});
  layers[1].attrs.push_back({"stats_mean", vectorTensor(ones)});
  layers[1].attrs.push_back({"stats_var", vectorTensor(ones)});
  auto program = componentsOnly(layers);
  TrainerOptions options;
  EXPECT_EQ(countOf(*makeTrainer(program, options)), 0);
  options.zeroComponentStats = false;
  EXPECT_EQ(countOf(*makeTrainer(program, options)), 100);
}

TEST(TrainerTest, GradientOnly) {
  const double rate = 0.125;
  ProgramWriter writer = affineWriter(true, {{"learning_rate", rate}});
  auto program = load(writer);
  const StepData data(3);
  TrainerOptions options;
  options.maxParamChange = 0;
  auto trainer = makeTrainer(program, options);
  const std::vector<float> before = parametersOf(trainer->model(), 0);
  step(*trainer, program, data);
  const std::vector<float> after = parametersOf(trainer->model(), 0);

  options.gradientOnly = true;
  auto gradient = makeTrainer(program, options);
  gradient->setUnderlyingLearningRate(7);
  for (int times : {1, 2}) {
    step(*gradient, program, data);
    EXPECT_EQ(parametersOf(gradient->model(), 0), before);
    const std::vector<float> sum = parametersOf(gradient->delta(), 0);
    for (size_t i = 0; i < sum.size(); ++i)
      EXPECT_NEAR(sum[i], times * (after[i] - before[i]) / rate, 1e-4);
  }
}

TEST(TrainerTest, NotFinite) {
  ProgramWriter writer = affineWriter(true);
  auto program = load(writer);
  TrainerOptions options;
  options.momentum = 0.9f;
  auto trainer = makeTrainer(program, options);
  const std::vector<float> before = parametersOf(trainer->model(), 0);
  StepData bad(1);
  bad.x.at(2, 3) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(step(*trainer, program, bad).refused);
  EXPECT_EQ(parametersOf(trainer->model(), 0), before);
  EXPECT_EQ(trainer->maxChangeCounts().updates, 0);
  // Nothing of it stays in delta.
  EXPECT_FALSE(step(*trainer, program, StepData(1)).refused);
  EXPECT_NE(parametersOf(trainer->model(), 0), before);
  EXPECT_EQ(trainer->maxChangeCounts().updates, 1);
}

TEST(TrainerTest, SparseSupervision) {
  ProgramWriter writer = affineWriter(false);
  auto program = load(writer);
  std::vector<int64_t> begin(kRows + 1);
  std::vector<int32_t> columns(kRows);
  const std::vector<float> weights(kRows, 0.5f);
  StepData data(5);
  data.y = Matrix(kRows, kOut);
  for (int32_t r = 0; r < kRows; ++r) {
    begin[r + 1] = r + 1;
    columns[r] = r % kOut;
    data.y.at(r, columns[r]) = 0.5f;
  }
  auto dense = makeTrainer(program), sparse = makeTrainer(program);
  const TrainingStep expected = step(*dense, program, data);
  Minibatch minibatch = data.minibatch();
  minibatch.supervision[0].value = SparseMatrixView{
      kRows, kOut, begin.data(), columns.data(), weights.data()};
  auto result = sparse->train(program, minibatch);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->objectives[0].objective.value,
            expected.objectives[0].objective.value);
  EXPECT_EQ(everything(sparse->model()), everything(dense->model()));
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3

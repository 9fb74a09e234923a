//===- TrainerErrorTest.cpp - Errors of the training step -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainerTesting.h"

namespace nnet3 {
namespace rt {
namespace test {
namespace {

/// The message of a step, which leaves the model as it is and the trainer
/// usable.
std::string stepError(const Minibatch &minibatch) {
  ProgramWriter writer = affineWriter(true);
  auto program = load(writer);
  auto trainer = makeTrainer(program);
  const std::vector<double> before = everything(trainer->model());
  auto result = trainer->train(program, minibatch);
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(everything(trainer->model()), before);
  step(*trainer, program, StepData(1));
  return result.status().message();
}

TEST(TrainerErrorTest, MinibatchMustFit) {
  const StepData data(1);
  const Matrix wrong(kRows, kOut + 1);
  Minibatch minibatch = data.minibatch();
  minibatch.supervision.clear();
  EXPECT_EQ(stepError(minibatch),
            "there is no supervision for output 'output'");
  minibatch = data.minibatch();
  minibatch.supervision[0].value = wrong.view();
  EXPECT_EQ(stepError(minibatch),
            "output 'output' expects supervision of 12x4, but got 12x5");
  minibatch = data.minibatch();
  minibatch.supervision.push_back({"other", data.y.view()});
  EXPECT_EQ(stepError(minibatch),
            "the program has no output 'other' with a derivative");
  minibatch = data.minibatch();
  minibatch.inputs.clear();
  EXPECT_EQ(stepError(minibatch), "input 'input' has not been supplied");
  minibatch = data.minibatch();
  minibatch.inputs[0].value = wrong.view();
  EXPECT_EQ(stepError(minibatch),
            "input 'input' expects a matrix of 12x6, but got 12x5");
  minibatch = data.minibatch();
  minibatch.inputs.push_back({"output", data.y.view()});
  EXPECT_EQ(stepError(minibatch), "the program has no input 'output'");
}

std::string programError(ProgramWriter writer) {
  ProgramWriter trained = affineWriter(true, {{"l2_regularize", 0.1}});
  auto trainer = makeTrainer(load(trained));
  auto result = trainer->train(load(writer), StepData(1).minibatch());
  return result.ok() ? "" : result.status().message();
}

TEST(TrainerErrorTest, ProgramMustFit) {
  ChainRequest request;
  EXPECT_EQ(programError(affineWriter(true, {}, request)), "");
  request.withBackward = false;
  EXPECT_EQ(programError(affineWriter(true, {}, request)),
            "the program computes no derivative of the model");
  request.withBackward = true;
  request.updatesModel = false;
  EXPECT_EQ(programError(affineWriter(true, {}, request)),
            "the program computes no derivative of the model");
  request.updatesModel = true;
  request.numSequences = 0;
  EXPECT_EQ(programError(affineWriter(true, {}, request)),
            "the program does not tell the sequences of output 'output'");
  request = ChainRequest();
  request.rows = kRows;
  request.inputDim = kIn;
  EXPECT_EQ(
      programError(writeChain({affineLayer("other", kIn, kOut, 1)}, request)),
      "component 'affine' of the model differs from the program's");
}

TEST(TrainerErrorTest, SequencesMustAgree) {
  ProgramWriter writer = twoOutputs({{"l2_regularize", 0.1}});
  auto program = load(writer);
  const StepData data(1);
  const Minibatch minibatch{
      {{"input", data.x.view()}},
      {{"first", data.y.view()}, {"second", data.y.view()}}};
  EXPECT_TRUE(makeTrainer(program)->train(program, minibatch).ok());
  writer.outputs[1].n.assign(kRows, 2);
  program = load(writer);
  auto result = makeTrainer(program)->train(program, minibatch);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.status().message(),
            "expects outputs of equally many sequences, but got 1 and 3");
}

TEST(TrainerErrorTest, OptionsMustFit) {
  ProgramWriter writer = affineWriter(true);
  auto program = load(writer);
  auto error = [&](auto change) {
    TrainerOptions options;
    change(options);
    return Trainer::create(program, options).status().message();
  };
  using Options = TrainerOptions;
  EXPECT_EQ(error([](Options &o) { o.momentum = 1; }),
            "expects momentum from 0 to below 1, but got 1.000000");
  EXPECT_EQ(error([](Options &o) { o.l2RegularizeFactor = -1; }),
            "expects l2-regularize-factor of at least 0, but got -1.000000");
  EXPECT_EQ(error([](Options &o) { o.maxParamChange = -1; }),
            "expects max-param-change of at least 0, but got -1.000000");
  EXPECT_EQ(error([](Options &o) { o.batchnormStatsScale = 2; }),
            "expects batchnorm-stats-scale from 0 to 1, but got 2.000000");
  EXPECT_EQ(
      error([](Options &o) { o.backstitchTrainingScale = -1; }),
      "expects backstitch-training-scale of at least 0, but got -1.000000");
  EXPECT_EQ(error([](Options &o) { o.backstitchTrainingInterval = 0; }),
            "expects backstitch-training-interval of at least 1, but got 0");
  EXPECT_EQ(error([](Options &o) {
              o.backstitchTrainingScale = 0.3f;
              o.momentum = 0.5;
            }),
            "backstitch training goes without momentum only");
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3

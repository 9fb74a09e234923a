//===- ThreadTest.cpp - One program, many threads -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/support/ProgramWriter.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

/// Affine, LSTM-like and random layers, large enough to overlap in time.
void writeSample(ProgramWriter &writer) {
  const int32_t affine = writer.component(
      "a", "AffineComponent",
      {{"input_dim", 40},
       {"output_dim", 64},
       {"linear_params", tensor(randomMatrix(64, 40, 1))},
       {"bias_params", vectorTensor(randomMatrix(1, 64, 2).values)}});
  const int32_t tanh = writer.component("t", "TanhComponent", {{"dim", 64}});
  const int32_t dropout = writer.component(
      "d", "DropoutComponent", {{"dim", 64}, {"dropout_proportion", 0.5}});
  const int32_t softmax =
      writer.component("s", "SoftmaxComponent", {{"dim", 64}});
  const int32_t in = writer.input("input", 100, 40);
  const int32_t h1 = writer.zeroed(100, 64), h2 = writer.zeroed(100, 64);
  writer.propagate(affine, in, h1);
  writer.propagate(tanh, h1, h1);
  writer.propagate(dropout, h1, h2);
  writer.propagate(softmax, h2, h2);
  writer.output("output", h2);
}

std::shared_ptr<const Program> sampleProgram() {
  ProgramWriter writer;
  writeSample(writer);
  return load(writer);
}

std::vector<float> runOnce(Instance &instance, const Matrix &input) {
  EXPECT_TRUE(instance.setInput("input", input.view()).ok());
  EXPECT_TRUE(instance.run().ok());
  auto output = instance.output("output");
  return {output->data, output->data + output->rows * output->stride};
}

TEST(ThreadTest, ResultsAreIdenticalToTheBit) {
  constexpr int kThreads = 8, kRuns = 20;
  auto program = sampleProgram();
  ASSERT_TRUE(program);
  const Matrix input = randomMatrix(100, 40, 3);
  auto runAll = [&] {
    std::vector<std::vector<float>> results;
    InstanceOptions options;
    options.seed = 42;
    auto instance = Instance::create(program, options);
    for (int i = 0; i < kRuns; ++i)
      results.push_back(runOnce(**instance, input));
    return results;
  };
  const auto expected = runAll();
  EXPECT_NE(expected[0], expected[1]) << "each run has its own random numbers";
  std::vector<std::vector<std::vector<float>>> results(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&, i] { results[i] = runAll(); });
  for (std::thread &thread : threads)
    thread.join();
  for (int i = 0; i < kThreads; ++i)
    EXPECT_EQ(results[i], expected) << "thread " << i;
}

/// Returns the outputs of runs of a new instance, by the C interface.
std::vector<float> runByTheCInterface(const nnet3rt_program *program,
                                      const Matrix &input) {
  nnet3rt_instance *instance = nullptr;
  EXPECT_EQ(nnet3rt_instance_create(program, nullptr, &instance), NNET3RT_OK);
  std::vector<float> results;
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(nnet3rt_instance_set_input(instance, "input", input.values.data(),
                                         input.rows, input.cols, input.cols),
              NNET3RT_OK);
    EXPECT_EQ(nnet3rt_instance_run(instance), NNET3RT_OK);
    Matrix output(100, 64);
    EXPECT_EQ(nnet3rt_instance_copy_output(instance, "output",
                                           output.values.data(), 100, 64, 64),
              NNET3RT_OK);
    results.insert(results.end(), output.values.begin(), output.values.end());
  }
  nnet3rt_instance_destroy(instance);
  return results;
}

TEST(ThreadTest, TheSameByTheCInterface) {
  ProgramWriter writer;
  writeSample(writer);
  const std::vector<uint8_t> file = writer.finishFile(true);
  nnet3rt_program *program = nullptr;
  ASSERT_EQ(nnet3rt_program_load(file.data(), file.size(), nullptr, &program),
            NNET3RT_OK);
  const Matrix input = randomMatrix(100, 40, 3);
  const std::vector<float> expected = runByTheCInterface(program, input);
  std::vector<std::vector<float>> results(8);
  std::vector<std::thread> threads;
  for (std::vector<float> &result : results)
    threads.emplace_back([&] { result = runByTheCInterface(program, input); });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::vector<float> &result : results)
    EXPECT_EQ(result, expected);
  nnet3rt_program_destroy(program);
}

TEST(ThreadTest, InstancesOutliveTheProgramHandle) {
  auto program = sampleProgram();
  auto instance = Instance::create(program);
  ASSERT_TRUE(instance.ok());
  program.reset();
  EXPECT_EQ(runOnce(**instance, randomMatrix(100, 40, 3)).size(), 6400u);
}

/// A program that has used OpenBLAS runs in the child of a fork().
TEST(ThreadTest, RunsInTheChildOfAFork) {
  auto program = sampleProgram();
  ASSERT_TRUE(program);
  const Matrix input = randomMatrix(100, 40, 3);
  auto run = [&] {
    auto instance = Instance::create(program);
    return runOnce(**instance, input);
  };
  const std::vector<float> expected = run();
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(run() == expected ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

} // namespace

//===- ThreadTest.cpp - One program, many threads -------------------------===//

#include "ProgramWriter.h"

#include <gtest/gtest.h>
#include <thread>

using namespace nnet3::runtime;
using namespace nnet3::runtime::test;

namespace {

/// Affine, LSTM-like and random layers, large enough to overlap in time.
std::shared_ptr<const Program> sampleProgram() {
  ProgramWriter writer;
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

TEST(ThreadTest, InstancesOutliveTheProgramHandle) {
  auto program = sampleProgram();
  auto instance = Instance::create(program);
  ASSERT_TRUE(instance.ok());
  program.reset();
  EXPECT_EQ(runOnce(**instance, randomMatrix(100, 40, 3)).size(), 6400u);
}

} // namespace

//===- ShrinkTest.cpp - Tests of shrinking --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Shrink.h"
#include "Execution/Execution.h"

#include "gtest/gtest.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;

namespace {

Sample makeSample(uint64_t seed) {
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  std::unique_ptr<Case> test = Case::generate(*context, seed, true);
  return {test->getNetwork(), test->getRequest(), getPipeline(), true};
}

std::string compileText(const Sample &sample) {
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  std::unique_ptr<Case> test =
      Case::create(*context, sample.network, sample.request);
  if (!test->getError().empty())
    return "";
  Compiled compiled = compile(*test);
  return compiled.op ? print(compiled.op) : "";
}

} // namespace

/// Parts that a failure does not need are removed: a component and one pass
/// stay.
TEST(ShrinkTest, KeepsWhatFails) {
  int numSamples = 0;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    auto fails = [](const Sample &sample) {
      return llvm::is_contained(sample.passes, "nnet3-extend-matrices") &&
             compileText(sample).find("propagate") != std::string::npos;
    };
    Sample sample = makeSample(seed);
    if (!fails(sample))
      continue;
    ++numSamples;
    Sample small = shrink(sample, fails);
    EXPECT_TRUE(fails(small));
    EXPECT_EQ(small.passes, PassList{"nnet3-extend-matrices"});
    EXPECT_FALSE(small.debugInfo || small.request.modelDerivative ||
                 small.request.storesStats);
    EXPECT_EQ(small.request.outputs.size(), 1u);
    EXPECT_EQ(small.request.outputs.front().rows.size(), 1u)
        << small.reproducer();
    EXPECT_LT(small.network.text.size(), sample.network.text.size());
  }
  EXPECT_GE(numSamples, 3);
}

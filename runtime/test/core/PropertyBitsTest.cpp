//===- PropertyBitsTest.cpp - Components are as they say ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The optimiser trusts the property bits (spec: components.md 2): it drops
// unused values, runs components in place, and does not initialise memory that
// is overwritten.
//
//===----------------------------------------------------------------------===//

#include "core/ComponentState.h"
#include "core/ProgramData.h"
#include "cpu/Registry.h"
#include "test/support/BackpropTrial.h"
#include "test/support/ComponentSamples.h"
#include "test/support/ProgramWriter.h"

#include <gtest/gtest.h>
#include <set>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

/// Random components repeat with these seeds; some seeds trigger each of their
/// actions.
constexpr uint64_t kNumSeeds = 12;

class PropertyBitsTest : public testing::TestWithParam<ComponentSample> {
protected:
  PropertyBitsTest()
      : sample(GetParam()),
        input(randomMatrix(sample.inRows, sample.inCols, 1)),
        outDeriv(randomMatrix(sample.outRows, sample.outCols, 2)) {
    trial.type = sample.type;
    trial.attrs = sample.attrs;
    trial.precomputed = sample.precomputed;
    trial.outRows = sample.outRows;
    trial.outCols = sample.outCols;
    ProgramWriter writer;
    writer.component("c", sample.type, sample.attrs);
    if (const auto program = load(writer))
      properties = program->data().components[0]->properties();
  }

  bool has(uint32_t property) const { return properties & property; }
  bool uses(uint32_t property) const {
    return has(property & ~sample.idleProperties);
  }

  BackpropResult runBackward() const {
    return backprop(trial, input, outDeriv);
  }

  Matrix runForward(float initial, bool inPlace) const {
    Trial forward;
    forward.type = sample.type;
    forward.attrs = sample.attrs;
    forward.precomputed = sample.precomputed;
    forward.outRows = sample.outRows;
    forward.outCols = sample.outCols;
    forward.initial = initial;
    forward.inPlace = inPlace;
    forward.options.seed = trial.seed;
    return propagate(forward, input);
  }

  /// Expects \p after to be \p before plus 1, or the same.
  static void expectAdded(bool adds, const Matrix &before,
                          const Matrix &after) {
    if (!adds)
      EXPECT_EQ(after.values, before.values);
    else
      for (size_t i = 0; i < before.values.size(); ++i)
        EXPECT_NEAR(after.values[i], before.values[i] + 1, 1e-5);
  }

  ComponentSample sample;
  Matrix input, outDeriv;
  BackpropTrial trial;
  uint32_t properties = 0;
};

/// All that a backward pass computes.
std::vector<std::vector<double>> results(const BackpropResult &result) {
  std::vector<std::vector<double>> all;
  all.emplace_back(result.inDeriv.values.begin(), result.inDeriv.values.end());
  for (const Model *model : {result.model.get(), result.gradient.get()}) {
    const ComponentState &state = model->state(0);
    for (size_t i = 0; i < state.parameters.size(); ++i) {
      const Matrix values = parameterOf(*model, static_cast<int32_t>(i));
      all.emplace_back(values.values.begin(), values.values.end());
    }
    all.insert(all.end(), state.statistics.begin(), state.statistics.end());
  }
  return all;
}

TEST_P(PropertyBitsTest, ValuesThatAreNotNeededMayBeLost) {
  for (bool BackpropTrial::*spoil :
       {&BackpropTrial::spoilInput, &BackpropTrial::spoilOutput}) {
    const bool isNeeded =
        uses(spoil == &BackpropTrial::spoilInput ? kBackpropNeedsInput
                                                 : kBackpropNeedsOutput);
    bool differs = false;
    for (trial.seed = 0; trial.seed < kNumSeeds; ++trial.seed) {
      const auto expected = results(runBackward());
      trial.*spoil = true;
      differs |= results(runBackward()) != expected;
      trial.*spoil = false;
    }
    EXPECT_EQ(differs, isNeeded)
        << (spoil == &BackpropTrial::spoilInput ? "input" : "output");
  }
}

TEST_P(PropertyBitsTest, PropagateAdds) {
  expectAdded(has(kPropagateAdds), runForward(0, false), runForward(1, false));
}

TEST_P(PropertyBitsTest, BackpropAdds) {
  const Matrix before = runBackward().inDeriv;
  trial.initialDeriv = 1;
  expectAdded(has(kBackpropAdds), before, runBackward().inDeriv);
}

TEST_P(PropertyBitsTest, InPlaceIsTheSame) {
  if (has(kPropagateInPlace))
    expectAdded(false, runForward(0, false), runForward(0, true));
  if (!has(kBackpropInPlace))
    return;
  for (trial.seed = 0; trial.seed < kNumSeeds; ++trial.seed) {
    trial.inPlaceBackward = false;
    const auto apart = results(runBackward());
    trial.inPlaceBackward = true;
    EXPECT_EQ(results(runBackward()), apart);
  }
}

TEST_P(PropertyBitsTest, MemosHaveBytes) {
  const BackpropResult result = runBackward();
  for (const ExecCommand &command : result.program->data().commands)
    if (command.opcode == Opcode::Propagate)
      EXPECT_EQ(command.plan && command.plan->memoBytes != 0, has(kUsesMemo));
}

TEST_P(PropertyBitsTest, UpdatableComponentsHaveGradients) {
  const BackpropResult result = runBackward();
  const size_t numParameters = result.gradient->state(0).parameters.size();
  EXPECT_EQ(numParameters != 0, has(kUpdatableComponent));
  for (size_t i = 0; i < numParameters; ++i) {
    const Matrix gradient =
        parameterOf(*result.gradient, static_cast<int32_t>(i));
    EXPECT_NE(gradient.values, Matrix(gradient.rows, gradient.cols).values);
  }
}

TEST_P(PropertyBitsTest, StoresStats) {
  if (!has(kStoresStats))
    return; // the command is refused
  bool differs = false;
  for (trial.seed = 0; trial.seed < kNumSeeds; ++trial.seed) {
    trial.storeStats = false;
    const auto expected = results(runBackward());
    trial.storeStats = true;
    differs |= results(runBackward()) != expected;
  }
  EXPECT_EQ(differs, uses(kStoresStats));
}

TEST_P(PropertyBitsTest, RandomComponentsDependOnTheSeed) {
  std::set<std::vector<float>> outputs;
  for (trial.seed = 0; trial.seed < kNumSeeds; ++trial.seed)
    outputs.insert(runForward(0, false).values);
  EXPECT_EQ(outputs.size() != 1, has(kRandomComponent));
}

INSTANTIATE_TEST_SUITE_P(Samples, PropertyBitsTest,
                         testing::ValuesIn(componentSamples()),
                         [](const auto &info) {
                           return info.param.type + info.param.variant;
                         });

TEST(ComponentSamplesTest, EveryTypeHasOne) {
  std::set<std::string> types, samples;
  for (const ComponentFactory &factory : componentFactories())
    types.insert(factory.type);
  for (const ComponentSample &sample : componentSamples())
    samples.insert(sample.type);
  EXPECT_EQ(samples, types);
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3

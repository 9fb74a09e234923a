//===- OptimizeTest.cpp - Optimisations change no results -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random networks and requests, with and without derivatives: the results of a
// computation do not depend on the passes that have run.
//
//===----------------------------------------------------------------------===//

#include "OptimizeComparison.h"
#include "PropertyTest.h"
#include "Shrink/Shrink.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;

namespace {

/// The parameter is true for cases with derivatives.
class OptimizeTest : public PropertyTest,
                     public ::testing::WithParamInterface<bool> {
protected:
  OptimizeTest() : PropertyTest(/*training=*/GetParam()) {}

  /// Calls `check` with a comparison for every case that can be computed, and
  /// numbers that belong to the case.
  void forEachComparison(
      const std::function<void(OptimizeComparison &, Random &)> &check) {
    forEachCase([&](Case &generated) {
      Random random(generated.getSeed());
      RandomRequest request = generated.getRequest();
      request.storesStats = random.chance(0.5);
      std::unique_ptr<Case> test = generated.withRequest(request);
      ASSERT_EQ(test->getError(), "");
      debugInfo = random.chance(0.5);
      OptimizeComparison comparison(*test, debugInfo);
      if (!comparison.isComputable())
        return;
      ASSERT_EQ(comparison.getError(), "");
      current = test.get();
      ++numCases;
      check(comparison, random);
      numRuns += comparison.getNumRuns();
    });
    std::printf("%d cases, %d computations\n", numCases, numRuns);
  }

  /// Where `passes` change a number, fails with a small case that does so.
  void expectSame(OptimizeComparison &comparison, const PassList &passes) {
    if (HasFailure())
      return;
    std::string difference = comparison.compare(passes);
    if (difference.empty())
      return;
    Sample small = shrink(
        {current->getNetwork(), current->getRequest(), passes, debugInfo},
        [](const Sample &sample) { return !compareSample(sample).empty(); });
    ADD_FAILURE() << difference << "The smallest case found is\n"
                  << small.reproducer() << compareSample(small)
                  << "It comes from\nNNET3_PROPERTY_SEED=" << current->getSeed()
                  << " NNET3_PROPERTY_CASES=1 Nnet3PropertyTests "
                     "--gtest_filter='*OptimizeTest*'\nwith "
                  << ::testing::PrintToString(passes);
  }

  int numCases = 0, numRuns = 0;

private:
  static std::string compareSample(const Sample &sample) {
    std::unique_ptr<mlir::MLIRContext> context = makeContext();
    std::unique_ptr<Case> test =
        Case::create(*context, sample.network, sample.request);
    if (!test->getError().empty())
      return "";
    OptimizeComparison comparison(*test, sample.debugInfo);
    if (!comparison.isComputable() || !comparison.getError().empty())
      return "";
    return comparison.compare(sample.passes);
  }

  const Case *current = nullptr;
  bool debugInfo = false;
};

} // namespace

/// The pipeline up to each of its passes, and each pass alone.
TEST_P(OptimizeTest, PassesChangeNothing) {
  std::set<std::string> effective;
  forEachComparison([&](OptimizeComparison &comparison, Random &) {
    PassList passes;
    for (const std::string &pass : getPipeline()) {
      passes.push_back(pass);
      int before = comparison.getNumRuns();
      expectSame(comparison, passes);
      if (comparison.getNumRuns() > before)
        effective.insert(pass);
    }
    for (const std::string &pass : getPipeline())
      expectSame(comparison, {pass});
  });
  // Of the compiler's commands, none is a no_operation. Forward there is
  // nothing to consolidate or to compress.
  if (numCases >= 50)
    EXPECT_GE(effective.size(), getPipeline().size() - (GetParam() ? 1 : 3));
}

/// The pipeline with random switches off.
TEST_P(OptimizeTest, SwitchesChangeNothing) {
  forEachComparison([&](OptimizeComparison &comparison, Random &random) {
    for (int i = 0; i < 3; ++i)
      expectSame(comparison, drawSwitches(random));
  });
}

/// Passes in other orders.
TEST_P(OptimizeTest, OrderChangesNothing) {
  forEachComparison([&](OptimizeComparison &comparison, Random &random) {
    for (int i = 0; i < 3; ++i)
      expectSame(comparison, drawOrder(random));
  });
}

INSTANTIATE_TEST_SUITE_P(Forward, OptimizeTest, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Backward, OptimizeTest, ::testing::Values(true));

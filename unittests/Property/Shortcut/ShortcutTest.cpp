//===- ShortcutTest.cpp - The shortcut changes no results -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random networks, and requests with equal sequences: compiling and optimising
// for two sequences and expanding gives the same computation as compiling and
// optimising for all of them.
//
//===----------------------------------------------------------------------===//

#include "PropertyTest.h"
#include "ShortcutComparison.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;

namespace {

/// The parameter is true for cases with derivatives.
class ShortcutTest : public PropertyTest,
                     public ::testing::WithParamInterface<bool> {
protected:
  ShortcutTest() : PropertyTest(/*training=*/GetParam()) {}

  static ShortcutOutcome compare(const Sample &sample) {
    std::unique_ptr<mlir::MLIRContext> context = makeContext();
    std::unique_ptr<Case> test =
        Case::create(*context, sample.network, sample.request);
    return test->getError().empty() ? compareShortcut(*test, sample)
                                    : ShortcutOutcome();
  }

  /// Fails with a small case where the shortcut gives something else.
  void check(const Sample &sample, uint64_t seed) {
    ShortcutOutcome outcome = compare(sample);
    ++counts[outcome.kind];
    if (outcome.kind == ShortcutOutcome::NotExpanded)
      ++reasons[outcome.text];
    if (outcome.kind != ShortcutOutcome::Different)
      return;
    // A smaller case is to fail in the same way.
    auto failsToRun = [](const ShortcutOutcome &outcome) {
      return llvm::StringRef(outcome.text).starts_with("a pass fails");
    };
    Sample small = shrink(sample, [&](const Sample &smaller) {
      ShortcutOutcome other = compare(smaller);
      return other.kind == ShortcutOutcome::Different &&
             failsToRun(other) == failsToRun(outcome);
    });
    ADD_FAILURE() << outcome.text << "The smallest case found is\n"
                  << small.reproducer() << compare(small).text
                  << "It comes from\nNNET3_PROPERTY_SEED=" << seed
                  << " NNET3_PROPERTY_CASES=1 Nnet3PropertyTests "
                     "--gtest_filter='*ShortcutTest*'\nwith "
                  << ::testing::PrintToString(sample.passes);
  }

  std::map<ShortcutOutcome::Kind, int> counts;
  std::map<std::string, int> reasons;
};

} // namespace

/// Returns the pipeline after nnet3-limit-derivative-times with a random range.
static PassList drawLimited(Random &random) {
  int first = random.between(-4, 3);
  PassList passes = getPipeline();
  passes.insert(
      passes.begin(),
      "nnet3-limit-derivative-times{min-deriv-time=" + std::to_string(first) +
          " max-deriv-time=" + std::to_string(first + random.between(0, 5)) +
          "}");
  return passes;
}

TEST_P(ShortcutTest, EqualsTheCompiler) {
  forEachCase([&](Case &test) {
    Random random(test.getSeed());
    Sample sample;
    sample.network = test.getNetwork();
    sample.request = drawShortcutRequest(random, test.getRequest());
    drawValues(random, sample.request, test.getNetworkOp());
    sample.request.storesStats = random.chance(0.5);
    sample.debugInfo = random.chance(0.5);
    sample.shortcut = true;
    for (bool fold : {true, false}) {
      sample.foldSequences = fold;
      for (const PassList &passes :
           {PassList(), getPipeline(), drawSwitches(random), drawOrder(random),
            sample.debugInfo ? drawLimited(random) : PassList()}) {
        sample.passes = passes;
        check(sample, test.getSeed());
        if (HasFailure())
          return;
      }
    }
  });
  int equal = counts[ShortcutOutcome::Equal];
  int given = counts[ShortcutOutcome::NotExpanded];
  std::printf("%d equal, %d not expanded, %d not computable\n", equal, given,
              counts[ShortcutOutcome::NotComputable]);
  for (auto &[reason, count] : reasons)
    std::printf("  %d times: %s\n", count, reason.c_str());
  EXPECT_EQ(counts[ShortcutOutcome::NotEligible], 0);
  EXPECT_LE(given, equal / 50);
}

INSTANTIATE_TEST_SUITE_P(Forward, ShortcutTest, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Backward, ShortcutTest, ::testing::Values(true));

//===- LoopsTest.cpp - Loops change no results ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random networks with recurrences, and requests for many frames, with and
// without derivatives: results with and without loops are equal bit for bit,
// whether loops are rolled from all steps, expanded from shorter requests, or
// made of few steps because the others are elided.
//
//===----------------------------------------------------------------------===//

#include "Optimize/OptimizeComparison.h"
#include "PropertyTest.h"

#include "nnet3/Loops/CompileInLoops.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;

namespace {

/// The parameter is true for cases with derivatives.
class LoopsTest : public PropertyTest,
                  public ::testing::WithParamInterface<bool> {
protected:
  LoopsTest() : PropertyTest(/*training=*/GetParam()) {}

  void check(Case &generated);

  void compileInLoops(OptimizeComparison &comparison, Case &test,
                      const PassList &passes, bool elideRounds);

  int numCases = 0, numExpanded = 0, numElided = 0;
  std::map<std::string, int> reasons;
};

void LoopsTest::check(Case &generated) {
  if (!hasRecurrence(generated.getNetworkOp()))
    return;
  Random random(generated.getSeed());
  RandomRequest request = stretchRequest(random, generated.getRequest());
  request.storesStats = random.chance(0.5);
  drawValues(random, request, generated.getNetworkOp());
  std::unique_ptr<Case> test = generated.withRequest(request);
  ASSERT_EQ(test->getError(), "");
  OptimizeComparison comparison(*test, /*debugInfo=*/false);
  if (!comparison.isComputable())
    return;
  ASSERT_EQ(comparison.getError(), "");
  ++numCases;
  PassList passes = random.chance(0.7) ? getPipeline() : drawSwitches(random);
  passes.push_back("nnet3-roll-loops");
  EXPECT_EQ(comparison.compare(passes), "") << ::testing::PrintToString(passes);

  // The network of `test` is another one than that of `generated`.
  passes.pop_back();
  compileInLoops(comparison, *test, passes, /*elideRounds=*/false);
  compileInLoops(comparison, *test, passes, /*elideRounds=*/true);
}

void LoopsTest::compileInLoops(OptimizeComparison &comparison, Case &test,
                               const PassList &passes, bool elideRounds) {
  NetworkOp network = test.getNetworkOp();
  auto nodes = NodeTable::get(network);
  mlir::OpBuilder builder(test.getRequestOp());
  CompileOptions options;
  options.elideRounds = elideRounds;
  std::string reason, error;
  auto computation = mlir::nnet3::compileInLoops(
      builder, network, *nodes, test.getRequestOp(), options,
      [&](ComputationOp op) {
        numElided += !op.getBody().getOps<ElidedRoundsOp>().empty();
        error = runPasses(op, passes);
        return mlir::success(error.empty());
      },
      reason);
  ASSERT_TRUE(succeeded(computation)) << error;
  numExpanded += reason.empty();
  ++reasons[reason];
  EXPECT_EQ(comparison.compare(*computation), "")
      << (reason.empty() ? "expanded" : reason) << " " << elideRounds << " "
      << ::testing::PrintToString(passes) << print(*computation);
}

} // namespace

TEST_P(LoopsTest, ChangeNoNumber) {
  forEachCase([&](Case &test) { check(test); });
  std::printf("%d cases, %d expanded, %d elided\n", numCases, numExpanded,
              numElided);
  for (auto &[reason, count] : reasons)
    std::printf("  %d times: %s\n", count, reason.c_str());
  EXPECT_GE(numExpanded, numCases / 8);
}

INSTANTIATE_TEST_SUITE_P(Forward, LoopsTest, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Backward, LoopsTest, ::testing::Values(true));

//===- NativeTest.cpp - Machine code against the interpreter --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random networks: the code and the interpreter differ only in the order of
// summation. Dimensions and numbers of rows are small and odd, so most tiles
// are partial.
//
//===----------------------------------------------------------------------===//

#include "NativeExecution.h"
#include "PropertyTest.h"

#include <cmath>
#include <limits>

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;

namespace {

/// Instruction sets with vectors of 4, 8 and 16 floats.
constexpr const char *kVectors[] = {"sse2", "avx2", "avx512f"};

/// The parameter is one of kVectors.
class NativeTest : public PropertyTest,
                   public ::testing::WithParamInterface<int> {
protected:
  /// Each case runs with one; together they see all of them.
  static bool isFor(const Case &test) {
    return test.getSeed() % 3 == uint64_t(GetParam());
  }
};

} // namespace

TEST_P(NativeTest, SameNumbers) {
  int numCases = 0;
  forEachComputable([&](Case &test, ComputationOp computation) {
    if (!isFor(test))
      return;
    Outputs expected = run(test, computation);
    ASSERT_EQ(expected.error, "");
    EXPECT_EQ(compareOutputs(runNative(test, kVectors[GetParam()]), expected),
              "");
    ++numCases;
  });
  std::printf("%d cases\n", numCases);
}

/// Returns a case with four copies of the first sequence.
static std::unique_ptr<Case> repeatSequence(const Case &test) {
  RandomRequest request = test.getRequest();
  Random random(test.getSeed());
  for (auto *list : {&request.inputs, &request.outputs})
    for (RandomIo &io : *list) {
      std::vector<Index> rows;
      for (int n = 0; n < 4; ++n)
        for (Index row : io.rows)
          if (row.n == io.rows.front().n)
            rows.push_back({n, row.t, row.x});
      io.rows = rows;
      io.text = printRows(rows, /*ranges=*/true);
    }
  drawValues(random, request, test.getNetworkOp());
  return test.withRequest(request);
}

TEST_P(NativeTest, SameNumbersInBlocks) {
  int numCases = 0, numInBlocks = 0;
  forEachComputable([&](Case &single, ComputationOp) {
    if (!isFor(single))
      return;
    std::unique_ptr<Case> test = repeatSequence(single);
    Outputs expected = run(*test, compile(*test).op);
    ASSERT_EQ(expected.error, "");
    Outputs actual = runNative(*test, kVectors[GetParam()], /*blockSize=*/2);
    EXPECT_EQ(compareOutputs(actual, expected), "");
    numInBlocks += actual.numBlocks > 1;
    ++numCases;
  });
  std::printf("%d cases, %d in blocks\n", numCases, numInBlocks);
  EXPECT_GT(numInBlocks, 0);
}

/// Returns a case with a NaN in each of its inputs.
static std::unique_ptr<Case> addNaN(const Case &test) {
  RandomRequest request = test.getRequest();
  Random random(test.getSeed());
  for (RandomIo &io : request.inputs)
    if (!io.values.empty())
      io.values[random.between(0, int(io.values.size()) - 1)] =
          std::numeric_limits<float>::quiet_NaN();
  return test.withRequest(request);
}

/// Replaces each NaN by a unique number; returns their count.
static int numberNaN(Outputs &outputs) {
  int count = 0;
  for (auto &entry : outputs.values)
    for (float &value : entry.second)
      if (std::isnan(value)) {
        value = 1e30f;
        ++count;
      }
  return count;
}

/// Fusion changes the order of summation, and with it the results of
/// infinities, but NaN stays NaN.
TEST_P(NativeTest, SameNaN) {
  int numCases = 0, numSpread = 0;
  forEachComputable([&](Case &original, ComputationOp) {
    if (!isFor(original))
      return;
    std::unique_ptr<Case> test = addNaN(original);
    Outputs expected = run(*test, compile(*test).op);
    ASSERT_EQ(expected.error, "");
    Outputs actual = runNative(*test, kVectors[GetParam()]);
    numSpread += numberNaN(expected) > 0;
    numberNaN(actual);
    EXPECT_EQ(compareOutputs(actual, expected), "");
    ++numCases;
  });
  std::printf("%d cases, %d with NaN in outputs\n", numCases, numSpread);
  EXPECT_GT(numSpread, 0);
}

using DeviceKernelTest = PropertyTest;

/// Device kernels as loops on the host: every component has code.
TEST_F(DeviceKernelTest, SameNumbers) {
  int numCases = 0;
  forEachComputable([&](Case &test, ComputationOp computation) {
    Outputs expected = run(test, computation);
    ASSERT_EQ(expected.error, "");
    Outputs actual = runDeviceKernels(test, /*fused=*/test.getSeed() % 2);
    EXPECT_EQ(compareOutputs(actual, expected), "");
    ++numCases;
  });
  std::printf("%d cases\n", numCases);
  EXPECT_GT(numCases, 0);
}

INSTANTIATE_TEST_SUITE_P(Vectors, NativeTest, ::testing::Range(0, 3));

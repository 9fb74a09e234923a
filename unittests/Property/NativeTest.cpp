//===- NativeTest.cpp - Machine code against the interpreter --------------===//
//
// Random networks: what the code computes is what the interpreter does, but for
// the order of sums. Dimensions and numbers of rows are small and odd, so most
// tiles have borders.
//
//===----------------------------------------------------------------------===//

#include "NativeExecution.h"
#include "PropertyTest.h"

using namespace nnet3::property;
using namespace mlir::nnet3;

namespace {

/// The parameter: floats in a vector register.
class NativeTest : public PropertyTest,
                   public ::testing::WithParamInterface<int> {};

} // namespace

TEST_P(NativeTest, SameNumbers) {
  const int64_t length = GetParam();
  int numCases = 0;
  forEachComputable([&](Case &test, ComputationOp computation) {
    // Each case runs with one length; together they see all of them.
    if (int64_t(4) << test.getSeed() % 3 != length)
      return;
    Outputs expected = run(test, computation);
    ASSERT_EQ(expected.error, "");
    EXPECT_EQ(compareOutputs(runNative(test, {length, length == 16 ? 32 : 16}),
                             expected),
              "");
    ++numCases;
  });
  std::printf("%d cases\n", numCases);
}

using DeviceKernelTest = PropertyTest;

/// The kernels for devices, as loops of this machine: every component has code.
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

INSTANTIATE_TEST_SUITE_P(Vectors, NativeTest, ::testing::Values(4, 8, 16));

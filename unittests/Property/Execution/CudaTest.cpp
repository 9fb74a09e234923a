//===- CudaTest.cpp - The fake GPU against the interpreter ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All of nnet3-run --backend=cuda except PTX: the fake driver launches the same
// parallel loops, compiled for the host.
//
//===----------------------------------------------------------------------===//

#include "DeviceExecution.h"
#include "NativeExecution.h"
#include "PropertyTest.h"

#include "nnet3/Execution/CudaRunner.h"

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;
using mlir::nnet3::Precision;
using mlir::nnet3::test::copyNetwork;
using mlir::nnet3::test::HostKernels;
using ::nnet3::rt::test::FakeCuda;

namespace {
using CudaTest = PropertyTest;
} // namespace

/// Returns true if another instance reuses the weights on the device and copies
/// only its row tables, if any.
static bool sharesWeights(const Case &test, mlir::nnet3::CudaRunner &runner,
                          FakeCuda &cuda) {
  cuda.calls.clear();
  auto instance = runner.makeInstance(test.getRequestOp());
  return mlir::succeeded(instance) && cuda.calls.size() <= 1;
}

TEST_F(CudaTest, SameNumbers) {
  int numCases = 0;
  forEachComputable([&](Case &test, ComputationOp computation) {
    // Compiling for two machines takes long. These are all cases of the
    // families that came later, and some of the first ones.
    if (test.getSeed() % 8 != 0 && test.getSeed() % 4 != 1)
      return;
    Outputs expected = run(test, computation);
    ASSERT_EQ(expected.error, "");
    auto emulator = makeEmulator(test.getSeed());
    FakeCuda cuda;
    {
      auto runner = mlir::nnet3::CudaRunner::create(test.getNetworkOp(), {},
                                                    &cuda.getApi());
      ASSERT_TRUE(mlir::succeeded(runner));
      auto kernels = HostKernels::create(
          copyNetwork(test.getNetworkOp(), {test.getRequestOp()}),
          /*training=*/{}, Precision::F32, emulator.get());
      ASSERT_TRUE(mlir::succeeded(kernels));
      (*kernels)->addTo(cuda);
      auto instance = (*runner)->makeInstance(test.getRequestOp());
      ASSERT_TRUE(mlir::succeeded(instance));
      EXPECT_EQ(compareOutputs(runThreeTimes(test, **instance), expected), "");
      expectNoFindings(emulator.get());
      EXPECT_TRUE(sharesWeights(test, **runner, cuda));
    }
    EXPECT_EQ(cuda.numAlive, 0);
    ++numCases;
  });
  std::printf("%d cases\n", numCases);
  EXPECT_GT(numCases, 0);
}

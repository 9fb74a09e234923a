//===- NativeBackwardTest.cpp - Derivatives by machine code ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares backward passes of nnet3-run --backend=native with those of the
// interpreter: outputs, derivatives of inputs, gradients, and the statistics
// that both passes keep. Several threads compute some of them together.
//
//===----------------------------------------------------------------------===//

#include "BackwardRuns.h"
#include "DeviceExecution.h"
#include "Networks/RandomComponents.h"
#include "Optimize/OptimizePasses.h"
#include "PropertyTest.h"

#include "nnet3/Execution/NativeRunner.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;

namespace {

class NativeBackwardTest : public PropertyTest {
protected:
  NativeBackwardTest() : PropertyTest(/*training=*/true) {}
};

void compareNative(const Case &test, ComputationOp computation, bool changes,
                   int32_t level, int32_t numThreads, double tolerance) {
  mlir::nnet3::NativeOptions options;
  options.numThreads = numThreads;
  options.optimization = getDeviceOptimization(level);
  auto runner = mlir::nnet3::NativeRunner::create(test.getNetworkOp(), options);
  ASSERT_TRUE(mlir::succeeded(runner));
  auto instance = (*runner)->makeInstance(test.getRequestOp());
  ASSERT_TRUE(mlir::succeeded(instance));
  compareRuns(test, computation, **instance, changes, tolerance);
}

} // namespace

TEST_F(NativeBackwardTest, SameNumbers) {
  int numCases = 0, numDrawing = 0, numRepairing = 0, numCompressed = 0,
      numShared = 0;
  forEachCase([&](Case &test) {
    Random random(test.getSeed());
    // A case takes a compilation, so some have to do.
    if (!random.chance(0.3))
      return;
    const bool changes = random.chance(0.7);
    const bool draws = changes && drawNumbers(test.getNetworkOp(), random);
    const bool repairs = changes && repairAndClip(test.getNetworkOp(), random);
    Compiled compiled = compile(test);
    if (!compiled.op)
      return;
    // What differs by rounding may become integers that differ by one.
    const bool rounds = random.chance(0.3);
    const int32_t level = rounds ? 2 : 1;
    ASSERT_EQ(runPasses(compiled.op, getPipeline(getDeviceOptimization(level))),
              "");
    const int32_t numThreads = random.between(1, 3);
    compareNative(test, compiled.op, draws || repairs, level, numThreads,
                  rounds ? 1e-3 : 1e-4);
    ++numCases;
    numDrawing += draws;
    numRepairing += repairs;
    numCompressed += rounds && roundsMatrices(compiled.op);
    numShared += numThreads > 1;
  });
  std::printf("%d cases, %d with random numbers, %d with self-repair, %d with "
              "compressed matrices, %d by several threads\n",
              numCases, numDrawing, numRepairing, numCompressed, numShared);
  EXPECT_GT(numDrawing, 0);
  EXPECT_GT(numRepairing, 0);
  EXPECT_GT(numCompressed, 0);
  EXPECT_GT(numShared, 0);
}

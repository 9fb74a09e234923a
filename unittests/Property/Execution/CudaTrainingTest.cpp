//===- CudaTrainingTest.cpp - Training steps on the fake GPU --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares training steps of CudaTrainer, on a fake driver that launches the
// same loops, with those of the runtime's trainer: objectives, parameters and
// statistics after some steps.
//
//===----------------------------------------------------------------------===//

#include "DeviceExecution.h"
#include "Networks/RandomComponents.h"
#include "Optimize/OptimizePasses.h"
#include "PropertyTest.h"
#include "TrainingSteps.h"

#include "nnet3/Execution/CudaTrainer.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;
using mlir::nnet3::CudaTrainer;
using mlir::nnet3::NnetRunner;
using mlir::nnet3::test::HostKernels;
using ::nnet3::rt::test::FakeCuda;
namespace rt = ::nnet3::rt;

namespace {

class CudaTrainingTest : public PropertyTest {
protected:
  CudaTrainingTest() : PropertyTest(/*training=*/true) {}
};

class OnDevice : public OtherTrainer {
public:
  OnDevice(CudaTrainer &trainer, std::shared_ptr<const rt::Program> program)
      : trainer(trainer), program(std::move(program)) {}

  void setUnderlyingLearningRate(float rate) override {
    trainer.getTrainer().setUnderlyingLearningRate(rate);
  }
  rt::Result<rt::TrainingStep> train(const rt::Minibatch &minibatch) override {
    return trainer.train(program, minibatch);
  }
  const rt::Model &getModel() override {
    const rt::Status status = trainer.getTrainer().download();
    EXPECT_TRUE(status.ok()) << status.message();
    return trainer.getTrainer().model();
  }
  const rt::MaxChangeCounts &getMaxChangeCounts() override {
    return trainer.getTrainer().maxChangeCounts();
  }

private:
  CudaTrainer &trainer;
  std::shared_ptr<const rt::Program> program;
};

/// Compares with memory compression at `level`; level 2 needs a case where it
/// rounds matrices to integers. If `twin` is not null, trains as one of two
/// processes where all components can.
void compareAtLevel(Case &test, uint64_t seed, int32_t level, Twin *twin) {
  auto emulator = makeEmulator(seed);
  mlir::nnet3::RunnerOptions runner;
  runner.optimization = getDeviceOptimization(level);
  auto interpreter = NnetRunner::create(test.getNetworkOp(), runner);
  ASSERT_TRUE(mlir::succeeded(interpreter));
  rt::TrainerOptions options = drawOptions(seed);
  if (twin)
    shareMinibatches(**interpreter, test.getRequestOp(), *twin, options);
  auto kernels =
      HostKernels::create(mlir::nnet3::test::copyNetwork(test.getNetworkOp(),
                                                         {test.getRequestOp()}),
                          {/*updates=*/true, runner.optimization, /*threads=*/1,
                           options.isShared()},
                          Precision::F32, emulator.get());
  ASSERT_TRUE(mlir::succeeded(kernels));
  auto updates = HostKernels::createUpdateKernels(
      test.getNetworkOp().getContext(), emulator.get());
  ASSERT_TRUE(mlir::succeeded(updates));
  FakeCuda cuda;
  cuda.isLate = true;
  (*kernels)->addTo(cuda);
  (*updates)->addTo(cuda);
  {
    auto trainer = CudaTrainer::create(**interpreter, options, &cuda.getApi());
    ASSERT_TRUE(mlir::succeeded(trainer));
    auto program = (*trainer)->prepare(test.getRequestOp());
    ASSERT_TRUE(mlir::succeeded(program));
    OnDevice device(**trainer, *program);
    compareSteps(test, *program, device, options, /*isRounded=*/level == 2);
    expectNoFindings(emulator.get());
  }
  EXPECT_EQ(cuda.numAlive, 0);
}

} // namespace

TEST_F(CudaTrainingTest, SameSteps) {
  int numCases = 0, numDrawing = 0, numRepairing = 0, numCompressed = 0;
  Twin twin;
  forEachCase([&](const Case &original) {
    std::unique_ptr<Case> test = makeTraining(original);
    Random random(original.getSeed());
    const bool draws =
        random.chance(0.7) && drawNumbers(test->getNetworkOp(), random);
    const bool repairs =
        random.chance(0.5) && repairAndClip(test->getNetworkOp(), random);
    if (!trains(*test))
      return;
    // Executing each thread of many steps takes long: a few cases of each kind.
    const bool isOfFew = (draws && numDrawing < 2) ||
                         (repairs && numRepairing < 2) ||
                         original.getSeed() % 16 == 0;
    if (makeEmulator(original.getSeed()) && !isOfFew)
      return;
    compareAtLevel(*test, original.getSeed(), 1,
                   original.getSeed() / 2 % 2 ? &twin : nullptr);
    Compiled rounded = compile(*test);
    EXPECT_EQ(runPasses(rounded.op, getPipeline(getDeviceOptimization(2))), "");
    if (random.chance(0.3) && roundsMatrices(rounded.op)) {
      compareAtLevel(*test, original.getSeed(), 2, /*twin=*/nullptr);
      ++numCompressed;
    }
    ++numCases;
    numDrawing += draws;
    numRepairing += repairs;
  });
  std::printf("%d cases, %d with random numbers, %d with self-repair, %d with "
              "compressed matrices; %lld sums with another process\n",
              numCases, numDrawing, numRepairing, numCompressed,
              static_cast<long long>(twin.getNumSums()));
  EXPECT_GT(numCases, 0);
  EXPECT_GT(numDrawing, 0);
  EXPECT_GT(numRepairing, 0);
  EXPECT_GT(numCompressed, 0);
  EXPECT_GT(twin.getNumSums(), 0);
}

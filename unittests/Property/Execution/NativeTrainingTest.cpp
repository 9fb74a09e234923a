//===- NativeTrainingTest.cpp - Training steps by machine code ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares training steps of machine code and of the interpreter, in a single
// process and in one of two. Several threads compute some of them together.
//
//===----------------------------------------------------------------------===//

#include "DeviceExecution.h"
#include "Networks/RandomComponents.h"
#include "PropertyTest.h"
#include "TrainingSteps.h"

#include "nnet3/Execution/NativeStep.h"
#include "nnet3/Execution/NnetRunner.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

namespace {

class NativeTrainingTest : public PropertyTest {
protected:
  NativeTrainingTest() : PropertyTest(/*training=*/true) {}
};

class ByMachineCode : public OtherTrainer {
public:
  /// Fails with a message if the code does not compile.
  ByMachineCode(const Case &test, std::shared_ptr<const rt::Program> program,
                rt::TrainerOptions options, const OptimizeOptions &optimization)
      : program(std::move(program)) {
    auto code = compileStep(test.getNetworkOp(), test.getRequestOp(),
                            {/*updates=*/true, optimization, options.numThreads,
                             options.isShared()});
    EXPECT_TRUE(mlir::succeeded(code));
    options.makeInstance =
        [code = *code](std::shared_ptr<const rt::Program> program,
                       const rt::InstanceOptions &instance)
        -> rt::Result<std::unique_ptr<rt::StepInstance>> {
      auto steps =
          rt::CompiledSteps::create(code, std::move(program), instance);
      if (!steps.ok())
        return steps.status();
      return std::unique_ptr<rt::StepInstance>(std::move(*steps));
    };
    auto created = rt::Trainer::create(this->program, options);
    EXPECT_TRUE(created.ok()) << created.status().message();
    trainer = std::move(*created);
  }

  void setUnderlyingLearningRate(float rate) override {
    trainer->setUnderlyingLearningRate(rate);
  }
  rt::Result<rt::TrainingStep> train(const rt::Minibatch &minibatch) override {
    return trainer->train(program, minibatch);
  }
  const rt::Model &getModel() override { return trainer->model(); }
  const rt::MaxChangeCounts &getMaxChangeCounts() override {
    return trainer->maxChangeCounts();
  }

private:
  std::shared_ptr<const rt::Program> program;
  std::unique_ptr<rt::Trainer> trainer;
};

} // namespace

TEST_F(NativeTrainingTest, SameSteps) {
  int numCases = 0, numDrawing = 0, numRepairing = 0, numShared = 0;
  Twin twin;
  forEachCase([&](const Case &original) {
    std::unique_ptr<Case> test = makeTraining(original);
    Random random(original.getSeed());
    // A case takes a compilation, so some have to do.
    if (!random.chance(0.5) || !trains(*test))
      return;
    const bool draws =
        random.chance(0.7) && drawNumbers(test->getNetworkOp(), random);
    const bool repairs =
        random.chance(0.5) && repairAndClip(test->getNetworkOp(), random);
    rt::TrainerOptions options = drawOptions(original.getSeed());
    options.numThreads = random.between(1, 3);
    RunnerOptions runner;
    runner.optimization = getDeviceOptimization(/*level=*/1);
    auto interpreter = NnetRunner::create(test->getNetworkOp(), runner);
    ASSERT_TRUE(mlir::succeeded(interpreter));
    auto program = (*interpreter)->load(test->getRequestOp());
    ASSERT_TRUE(mlir::succeeded(program));
    if (random.chance(0.6))
      shareMinibatches(**interpreter, test->getRequestOp(), twin, options);
    ByMachineCode native(*test, *program, options, runner.optimization);
    compareSteps(*test, *program, native, options, /*isRounded=*/false);
    ++numCases;
    numDrawing += draws;
    numRepairing += repairs;
    numShared += options.isShared();
  });
  std::printf(
      "%d cases, %d with random numbers, %d with self-repair, %d as one "
      "of two processes\n",
      numCases, numDrawing, numRepairing, numShared);
  EXPECT_GT(numDrawing, 0);
  EXPECT_GT(numRepairing, 0);
  EXPECT_GT(numShared, 0);
}

//===- CudaTuningTest.cpp - Algorithms that are measured and kept ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeModelTest.h"
#include "nnet3/runtime/cuda/DeviceInstance.h"
#include "nnet3/runtime/cuda/Tuner.h"

using namespace nnet3::rt;
using namespace nnet3::rt::cuda;
using nnet3::rt::test::FakeModelTest;

namespace {

/// y = relu(x W^T + b), z = x W^T, where x is 2 x 3 and W is 2 x 3; W and x are
/// not at multiples of 16 bytes from row to row.
class CudaTuningTest : public FakeModelTest {
protected:
  CudaTuningTest() {
    weights = {1, 0, 0, 1, 1, 1, /*unused*/ 0, 0, /*bias*/ -3, -20};
    Kernel fused, plain;
    plain.numPlaces = 3;
    plain.product = {2, 2, 3, 3, 3, 2, 1, 0, 0, 0};
    fused = plain;
    fused.form = Form::Fused;
    fused.numPlaces = 4;
    fused.product.epilogue = Product::kBias | Product::kRelu;
    code->kernels = {fused, plain};
    request.arenaFloats = 32;
    request.inputs = {{0, 2, 3}};
    request.outputs = {{16, 2, 2}, {24, 2, 2}};
    request.launches = {0, 0, 0, 16, 8, /**/ 1, 0, 0, 24};
  }

  /// Tunes, and writes the algorithms to `room`.
  void tuneHere() {
    auto model = createModel();
    ASSERT_TRUE(model);
    auto best = tune(*model, {request});
    ASSERT_TRUE(best.ok()) << best.status().message();
    auto machine = model->getMachine();
    ASSERT_TRUE(machine.ok());
    ASSERT_TRUE(writeAlgorithms(*machine, *best, room.data(), room.size()));
    code->algorithms = room.data();
    code->algorithmBytes = room.size();
  }

  /// Returns the matmuls of a run, and checks its outputs.
  std::vector<std::string> run() {
    cuda.numHeuristics = 0;
    auto model = createModel();
    EXPECT_TRUE(model);
    auto instance = DeviceInstance::create(*model, request);
    EXPECT_TRUE(instance.ok()) << instance.status().message();
    cuda.calls.clear();
    for (int i = 0; i < 6; ++i)
      (*instance)->getInput(0).data[i] = i + 1;
    EXPECT_TRUE((*instance)->run().ok());
    const float *y = (*instance)->getOutput(0).data,
                *z = (*instance)->getOutput(1).data;
    EXPECT_EQ(std::vector<float>(y, y + 4), (std::vector<float>{0, 0, 1, 0}));
    EXPECT_EQ(std::vector<float>(z, z + 4), (std::vector<float>{1, 6, 4, 15}));
    return {cuda.calls[1], cuda.calls[2]};
  }

  std::vector<unsigned char> room =
      std::vector<unsigned char>(getAlgorithmBytes(2));
};

using Calls = std::vector<std::string>;

} // namespace

TEST_F(CudaTuningTest, Fastest) {
  EXPECT_EQ(run(), (Calls{"matmul", "gemm"}));
  EXPECT_EQ(cuda.numHeuristics, 1);
  tuneHere();
  EXPECT_EQ(run(), (Calls{"matmul 1", "matmul 1"}));
  // Nothing is looked for any more.
  EXPECT_EQ(cuda.numHeuristics, 0);
}

/// Matmuls that cuBLAS computes as fast have no entry.
TEST_F(CudaTuningTest, PlainProductsOfCublas) {
  cuda.gemmTime = 1;
  tuneHere();
  EXPECT_EQ(run(), (Calls{"matmul 1", "gemm"}));
}

TEST_F(CudaTuningTest, OtherMachines) {
  tuneHere();
  auto expectUntuned = [&] {
    EXPECT_EQ(run(), (Calls{"matmul", "gemm"}));
    EXPECT_EQ(cuda.numHeuristics, 1);
  };
  cuda.deviceName = "Another";
  expectUntuned();
  cuda.deviceName = "Fake";
  cuda.arch = 80;
  expectUntuned();
  cuda.arch = 90;
  cuda.blasLtVersion[2] = 3;
  expectUntuned();
  cuda.blasLtVersion[2] = 2;
  // As with another driver.
  cuda.takesAlgos = false;
  expectUntuned();
  cuda.takesAlgos = true;
  EXPECT_EQ(run(), (Calls{"matmul 1", "matmul 1"}));
}

/// Any byte of what is kept may be another one.
TEST_F(CudaTuningTest, Damaged) {
  tuneHere();
  const size_t used = sizeof(TableHeader) + 2 * sizeof(TableEntry);
  for (size_t i = 0; i < used; i += 5) {
    room[i] ^= 1;
    EXPECT_EQ(run(), (Calls{"matmul", "gemm"})) << "byte " << i;
    room[i] ^= 1;
  }
  code->algorithmBytes = used - 1;
  EXPECT_EQ(run(), (Calls{"matmul", "gemm"}));
  code->algorithmBytes = 3;
  EXPECT_EQ(run(), (Calls{"matmul", "gemm"}));
}

TEST_F(CudaTuningTest, NoRoom) {
  auto model = createModel();
  ASSERT_TRUE(model);
  auto best = tune(*model, {request});
  ASSERT_TRUE(best.ok());
  EXPECT_EQ(best->size(), 2u);
  EXPECT_FALSE(writeAlgorithms(Machine(), *best, room.data(),
                               sizeof(TableHeader) + sizeof(TableEntry)));
}

TEST_F(CudaTuningTest, NothingToChoose) {
  cuda.hasAlgos = false;
  auto model = createModel();
  ASSERT_TRUE(model);
  auto best = tune(*model, {request});
  ASSERT_TRUE(best.ok()) << best.status().message();
  EXPECT_TRUE(best->empty());
  cuda.removeBlasLt();
  model = createModel();
  ASSERT_TRUE(model);
  EXPECT_EQ(tune(*model, {request}).status().message(),
            "cuBLASLt is not on this machine");
}

/// Failures of the driver are errors; algorithms that cuBLASLt rejects are
/// skipped; nothing leaks.
TEST_F(CudaTuningTest, EveryCallMayFail) {
  int64_t numFailures = 0;
  for (int64_t call = 0;; ++call) {
    cuda.failingCall = call;
    cuda.numCalls = 0;
    if (auto model = createModel())
      numFailures += !tune(*model, {request}).ok();
    EXPECT_EQ(cuda.numAlive, 0) << "call " << call;
    if (cuda.numCalls <= call)
      break;
  }
  EXPECT_GT(numFailures, 30);
}

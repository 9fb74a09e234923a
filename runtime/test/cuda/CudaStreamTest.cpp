//===- CudaStreamTest.cpp - Chunks and threads that share a GPU -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeModelTest.h"
#include "nnet3/runtime/cuda/DeviceInstance.h"

#include <thread>

using namespace nnet3::rt;
using namespace nnet3::rt::cuda;
using nnet3::rt::test::FakeModelTest;
using nnet3::rt::test::KernelLaunch;

namespace {

/// y = relu(x W^T + b), where x is 2 x 3 and W is 2 x 3, by cuBLASLt or by a
/// matmul and a kernel.
class CudaStreamTest : public FakeModelTest {
protected:
  CudaStreamTest() {
    weights = {1, 0, 0, 1, 1, 1, /*unused*/ 0, 0, /*bias*/ -3, -20};
    cuda.kernels["epilogue"] = {
        [](const KernelLaunch &launch) {
          for (int i = 0; i < 4; ++i)
            launch.arena[launch.places[1] + i] +=
                launch.weights[launch.places[0] + i % 2];
        },
        2};
    Kernel apart, fused, epilogue;
    apart.numPlaces = 3;
    apart.product = {2, 2, 3, 3, 3, 2, 1, 0, 0, 0};
    fused = apart;
    apart.form = Form::Apart;
    fused.form = Form::Fused;
    fused.numPlaces = 4;
    fused.product.epilogue = Product::kBias;
    epilogue.name = "epilogue";
    epilogue.numPlaces = 2;
    epilogue.form = Form::Apart;
    code->ptx = {{80, "// kernels"}};
    code->kernels = {apart, fused, epilogue};
    request.arenaFloats = 32;
    request.inputs = {{0, 2, 3}};
    request.outputs = {{16, 2, 2}};
    request.launches = {0, 0, 0, 16, /**/ 1, 0, 0, 16, 8, /**/ 2, 8, 16};
  }

  static void fill(DeviceInstance &instance, int first) {
    for (int i = 0; i < 6; ++i)
      instance.getInput(0).data[i] = float(first + i);
  }

  /// Whether the outputs match the inputs of fill(first).
  static bool isRight(const DeviceInstance &instance, int first) {
    const float x = float(first), *y = instance.getOutput(0).data;
    return std::vector<float>(y, y + 4) ==
           std::vector<float>{x - 3, 3 * x - 17, x, 3 * x - 8};
  }

  /// Instances of `model` with many chunks each; whether all were right.
  bool runChunks(const DeviceModel &model, int seed) const {
    bool areRight = true;
    for (int round = 0; round < 3; ++round) {
      auto instance = DeviceInstance::create(model, request);
      if (!instance.ok())
        return false;
      for (int chunk = 0; chunk < 20; ++chunk) {
        const int first = 1000 * seed + 100 * round + chunk;
        fill(**instance, first);
        areRight &= (*instance)->run().ok() && isRight(**instance, first);
      }
    }
    return areRight;
  }
};

} // namespace

/// Two instances in turn: chunk k + 1 is in its stream, its copies with it,
/// before anything waits for chunk k.
TEST_F(CudaStreamTest, CopiesBesideComputation) {
  auto model = createModel();
  ASSERT_TRUE(model);
  cuda.numStreams = 0;
  auto a = DeviceInstance::create(*model, request),
       b = DeviceInstance::create(*model, request);
  ASSERT_TRUE(a.ok() && b.ok());
  // Until both are recorded.
  for (int run = 0; run < 2; ++run)
    ASSERT_TRUE((*a)->run().ok() && (*b)->run().ok());
  cuda.timeline.clear();
  cuda.calls.clear();
  fill(**a, 0);
  ASSERT_TRUE((*a)->submit().ok());
  for (int chunk = 1; chunk < 5; ++chunk) {
    fill(**b, chunk);
    ASSERT_TRUE((*b)->submit().ok());
    ASSERT_TRUE((*a)->wait().ok());
    EXPECT_TRUE(isRight(**a, chunk - 1));
    std::swap(*a, *b);
  }
  ASSERT_TRUE((*a)->wait().ok());
  EXPECT_EQ(cuda.timeline,
            (std::vector<std::string>{
                "1: graph", "2: graph", "1: wait", "1: graph", "2: wait",
                "2: graph", "1: wait", "1: graph", "2: wait", "1: wait"}));
  // The copies are part of the graphs.
  EXPECT_EQ(
      std::vector<std::string>(cuda.calls.begin(), cuda.calls.begin() + 4),
      (std::vector<std::string>{"graph", "to device 24", "matmul",
                                "to host 16"}));
}

/// The host memory of copies is pinned.
TEST_F(CudaStreamTest, StagingIsPinned) {
  auto model = createModel();
  ASSERT_TRUE(model);
  auto instance = DeviceInstance::create(*model, request);
  ASSERT_TRUE(instance.ok());
  EXPECT_TRUE(cuda.isPinned((*instance)->getInput(0).data, 24));
  EXPECT_TRUE(cuda.isPinned((*instance)->getOutput(0).data, 16));
  EXPECT_FALSE(cuda.isPinned(weights.data(), 4));
}

/// Threads with instances of their own, of one model and of another one.
TEST_F(CudaStreamTest, ThreadsShareTheDevice) {
  for (bool fuses : {true, false}) {
    cuda.hasAlgos = fuses;
    auto one = createModel(), other = createModel();
    ASSERT_TRUE(one && other);
    std::vector<std::thread> threads;
    std::atomic<int> numRight = 0;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back(
          [&, i] { numRight += runChunks(i % 4 == 3 ? *other : *one, i); });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(numRight, 8);
  }
  EXPECT_EQ(cuda.numAlive, 0);
}

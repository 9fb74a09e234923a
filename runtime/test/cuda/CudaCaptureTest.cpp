//===- CudaCaptureTest.cpp - Graphs beside everything else ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Restrictions during captures, by the runtime or by its caller.
//
//===----------------------------------------------------------------------===//

#include "FakeModelTest.h"
#include "nnet3/runtime/cuda/DeviceInstance.h"

#include <algorithm>
#include <thread>

using namespace nnet3::rt;
using namespace nnet3::rt::cuda;
using nnet3::rt::test::FakeModelTest;

namespace {

using Calls = std::vector<std::string>;

class CudaCaptureTest : public FakeModelTest {
protected:
  CudaCaptureTest() { useDoubledProduct(); }

  std::unique_ptr<DeviceInstance> createInstance(const DeviceModel &model,
                                                 Stream stream = nullptr) {
    auto made = DeviceInstance::create(model, request, stream);
    EXPECT_TRUE(made.ok()) << made.status().message();
    return made.ok() ? std::move(*made) : nullptr;
  }

  /// Runs `instance`; returns whether its outputs are right.
  static bool run(DeviceInstance &instance, float first) {
    for (int i = 0; i < 6; ++i)
      instance.getInput(0).data[i] = first + i;
    const Status status = instance.run();
    EXPECT_TRUE(status.ok()) << status.message();
    const float *y = instance.getOutput(0).data;
    return std::vector<float>(y, y + 4) ==
           std::vector<float>{2 * first, 6 * first + 6, 2 * first + 6,
                              6 * first + 24};
  }

  int64_t count(const std::string &call) const {
    return std::count(cuda.calls.begin(), cuda.calls.end(), call);
  }

  const DriverApi &driver = cuda.getApi().driver;
};

} // namespace

/// A recorded stream gets the launches, and no graph; what is recorded can be
/// replayed.
TEST_F(CudaCaptureTest, StreamThatItsOwnerRecords) {
  auto model = createModel();
  ASSERT_TRUE(model);
  const ContextScope scope(cuda.getApi(), model->getContext());
  Stream stream = nullptr;
  ASSERT_EQ(driver.streamCreate(&stream, kStreamNonBlocking), 0);
  auto instance = createInstance(*model, stream);
  ASSERT_TRUE(instance);
  cuda.takesAnyAddress = true;
  float in[6] = {1, 2, 3, 4, 5, 6}, out[4] = {};
  auto submit = [&] {
    return instance->submitOnDevice({{reinterpret_cast<Pointer>(in), 3}},
                                    {{reinterpret_cast<Pointer>(out), 2}});
  };
  ASSERT_EQ(driver.streamBeginCapture(stream, kCaptureRelaxed), 0);
  EXPECT_EQ(submit().message(),
            "the stream is recorded: the first run of an instance cannot be "
            "part of that");
  Graph graph = nullptr;
  ASSERT_EQ(driver.streamEndCapture(stream, &graph), 0);
  driver.graphDestroy(graph);
  // With a graph of its own, and without.
  for (int numBefore : {1, 3}) {
    for (int i = 0; i < numBefore; ++i)
      ASSERT_TRUE(submit().ok() && instance->wait().ok());
    ASSERT_EQ(driver.streamBeginCapture(stream, kCaptureRelaxed), 0);
    const Status status = submit();
    EXPECT_TRUE(status.ok()) << status.message();
    ASSERT_EQ(driver.streamEndCapture(stream, &graph), 0);
    // It waits for the run before.
    EXPECT_TRUE(instance->wait().ok());
    GraphExec exec = nullptr;
    ASSERT_EQ(driver.graphInstantiate(&exec, graph, 0), 0);
    cuda.calls.clear();
    for (float first : {1.0f, 10.0f}) {
      for (int i = 0; i < 6; ++i)
        in[i] = first + i;
      ASSERT_EQ(driver.graphLaunch(exec, stream), 0);
      EXPECT_EQ(out[0], 2 * first);
      EXPECT_EQ(out[3], 6 * first + 24);
    }
    EXPECT_EQ(cuda.calls[1], "on device 24");
    EXPECT_EQ(count("twice"), 2);
    driver.graphExecDestroy(exec);
    driver.graphDestroy(graph);
  }
  instance.reset();
  driver.streamDestroy(stream);
}

/// The default stream cannot be recorded; runs can be there.
TEST_F(CudaCaptureTest, DefaultStream) {
  auto model = createModel();
  ASSERT_TRUE(model);
  auto instance =
      createInstance(*model, reinterpret_cast<Stream>(uintptr_t(1)));
  ASSERT_TRUE(instance);
  for (int first = 0; first < 3; ++first)
    EXPECT_TRUE(run(*instance, float(first)));
  EXPECT_EQ(count("graph"), 2);
}

/// Something in the process waits for the device while a graph is recorded:
/// that run is launched, and the next one recorded.
TEST_F(CudaCaptureTest, SpoiltByOthers) {
  auto model = createModel();
  ASSERT_TRUE(model);
  auto instance = createInstance(*model);
  ASSERT_TRUE(instance && run(*instance, 1));
  const ContextScope scope(cuda.getApi(), model->getContext());
  auto spoil = [&] {
    Blas blas = nullptr;
    if (!cuda.capturing.empty())
      ASSERT_EQ(cuda.getApi().blas.create(&blas), 0);
    if (blas)
      cuda.getApi().blas.destroy(blas);
  };
  cuda.onLaunch = spoil;
  EXPECT_TRUE(run(*instance, 2));
  EXPECT_TRUE(run(*instance, 3));
  cuda.onLaunch = nullptr;
  EXPECT_EQ(count("graph"), 0);
  EXPECT_TRUE(run(*instance, 4));
  EXPECT_EQ(count("graph"), 1);
  // If every capture is invalidated, that is an error.
  instance = createInstance(*model);
  cuda.onLaunch = spoil;
  Status status;
  int numRuns = 0;
  for (; status.ok() && numRuns < 10; ++numRuns)
    status = instance->run();
  EXPECT_EQ(numRuns, 5);
  EXPECT_EQ(status.message(),
            "the GPU fails at running: CUDA_ERROR_STREAM_CAPTURE_INVALIDATED");
}

/// An instance, which has a handle of cuBLAS, waits with its end until another
/// one is recorded.
TEST_F(CudaCaptureTest, EndsBesideRecording) {
  auto model = createModel();
  ASSERT_TRUE(model);
  auto instance = createInstance(*model), other = createInstance(*model);
  ASSERT_TRUE(instance && other && run(*instance, 1));
  std::thread ending;
  cuda.onLaunch = [&] {
    if (ending.joinable() || cuda.capturing.empty())
      return;
    std::atomic<bool> isRunning = false;
    ending = std::thread([&] {
      isRunning = true;
      other.reset();
    });
    while (!isRunning)
      std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  EXPECT_TRUE(run(*instance, 2));
  cuda.onLaunch = nullptr;
  ASSERT_TRUE(ending.joinable());
  ending.join();
  EXPECT_FALSE(other);
  EXPECT_EQ(count("graph"), 1);
}

/// Programs destroy things when the driver has ended already.
TEST_F(CudaCaptureTest, NothingIsFreedBehindTheEnd) {
  auto model = createModel();
  ASSERT_TRUE(model);
  auto instance = createInstance(*model);
  ASSERT_TRUE(instance && run(*instance, 1));
  const int64_t numAlive = cuda.numAlive, numCalls = cuda.numCalls;
  cuda.isOver = true;
  instance.reset();
  model.reset();
  EXPECT_EQ(cuda.numAlive, numAlive);
  EXPECT_EQ(cuda.numCalls, numCalls);
}

/// Error messages name the failed action.
TEST_F(CudaCaptureTest, Messages) {
  auto model = createModel();
  ASSERT_TRUE(model);
  auto expectFailed = [&](const std::string &message) {
    auto instance = createInstance(*model);
    ASSERT_TRUE(instance);
    EXPECT_EQ(instance->run().message(), message);
  };
  code->kernels[1].threads = 2048;
  expectFailed("the GPU fails at running kernel 'twice': "
               "CUDA_ERROR_INVALID_VALUE");
  code->kernels[1].threads = 1;
  code->kernels[0].product.outputStride = 1; // less than a row
  Product &product = code->kernels[0].product;
  product.columns = 1;
  product.batches = 2; // into each other
  expectFailed("the GPU fails at running matmul 0, 2 x 2 x 1 by 3: "
               "CUBLAS_STATUS_INVALID_VALUE");
  cuda.takesCode = false;
  auto uploaded = DeviceWeights::create(cuda.getApi(), 0, weights.data(),
                                        sizeof(float) * weights.size());
  ASSERT_TRUE(uploaded.ok());
  EXPECT_EQ(DeviceModel::create(*uploaded, code).status().message(),
            "the GPU fails at compiling the kernels: FAKE_ERROR; it says: "
            "ptxas fatal");
}

TEST_F(CudaCaptureTest, DebugOptions) {
  const DebugOptions none = DebugOptions::parse(nullptr),
                     some = DebugOptions::parse("nographs,nolt,verbose"),
                     sync = DebugOptions::parse("sync");
  EXPECT_TRUE(none.usesGraphs && none.usesBlasLt && !none.isSynchronous &&
              !none.isVerbose);
  EXPECT_TRUE(!some.usesGraphs && !some.usesBlasLt && !some.isSynchronous &&
              some.isVerbose);
  EXPECT_TRUE(!sync.usesGraphs && sync.usesBlasLt && sync.isSynchronous);
  cuda.setDebugOptions(sync);
  auto model = createModel();
  ASSERT_TRUE(model);
  auto instance = createInstance(*model);
  ASSERT_TRUE(instance);
  for (int first = 0; first < 3; ++first)
    EXPECT_TRUE(run(*instance, float(first)));
  EXPECT_EQ(count("graph"), 0);
}

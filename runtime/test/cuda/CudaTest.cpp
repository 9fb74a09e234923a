//===- CudaTest.cpp - Models on a fake GPU --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeModelTest.h"
#include "nnet3/runtime/cuda/DeviceInstance.h"

#include <algorithm>
#include <cstring>

using namespace nnet3::rt;
using namespace nnet3::rt::cuda;
using nnet3::rt::test::FakeModelTest;
using nnet3::rt::test::KernelLaunch;

namespace {

class CudaTest : public FakeModelTest {
protected:
  CudaTest() { useDoubledProduct(); }
};

void fill(MatrixView matrix, float first) {
  for (int32_t r = 0; r < matrix.rows; ++r)
    for (int32_t c = 0; c < matrix.cols; ++c)
      matrix.row(r)[c] = first++;
}

std::vector<float> read(ConstMatrixView matrix) {
  return {matrix.data, matrix.data + matrix.rows * matrix.cols};
}

} // namespace

TEST_F(CudaTest, RunsThenReplays) {
  {
    auto model = tryModel();
    ASSERT_TRUE(model.ok()) << model.status().message();
    auto instance = DeviceInstance::create(**model, request);
    ASSERT_TRUE(instance.ok()) << instance.status().message();
    cuda.calls.clear();
    for (float first : {1.0f, 10.0f, 100.0f}) {
      fill((*instance)->getInput(0), first);
      Status status = (*instance)->run();
      ASSERT_TRUE(status.ok()) << status.message();
      EXPECT_EQ(read((*instance)->getOutput(0)),
                (std::vector<float>{2 * first, 6 * first + 6, 2 * first + 6,
                                    6 * first + 24}));
    }
    const std::vector<std::string> run = {"to device 24", "gemm", "twice",
                                          "to host 16"};
    std::vector<std::string> expected = run;
    for (int i = 0; i < 2; ++i) {
      expected.push_back("graph");
      expected.insert(expected.end(), run.begin(), run.end());
    }
    EXPECT_EQ(cuda.calls, expected);
  }
  EXPECT_EQ(cuda.numAlive, 0);
}

/// The latest code that the device can run.
/// Y + X W and X^T X for the same X and W.
TEST_F(CudaTest, ProductsOfBackwardPasses) {
  Kernel input, ofWeights;
  input.numPlaces = ofWeights.numPlaces = 3;
  input.product = {2, 3, 2, 2, 3, 3, 1, 0, 0, 1};
  input.product.factors = ProductFactors::InputDerivative;
  ofWeights.product = {2, 3, 2, 2, 3, 3, 1, 0, 0, 0};
  ofWeights.product.factors = ProductFactors::WeightDerivative;
  code->ptx.clear();
  code->kernels = {input, ofWeights};
  request.inputs = {{0, 2, 2}, {8, 2, 3}};
  request.outputs = {{8, 2, 3}, {16, 2, 3}};
  // The second factor of the latter is what the first one is added to.
  request.launches = {1, 8, 0, 16, /**/ 0, 0, 0, 8};
  auto model = tryModel();
  ASSERT_TRUE(model.ok()) << model.status().message();
  auto instance = DeviceInstance::create(**model, request);
  ASSERT_TRUE(instance.ok()) << instance.status().message();
  fill((*instance)->getInput(0), 1); // 1 2, 3 4
  fill((*instance)->getInput(1), 1); // 1 2 3, 4 5 6
  ASSERT_TRUE((*instance)->run().ok());
  // The weights are 1 0 0, 1 1 1.
  EXPECT_EQ(read((*instance)->getOutput(0)),
            std::vector<float>({4, 4, 5, 11, 9, 10}));
  EXPECT_EQ(read((*instance)->getOutput(1)),
            std::vector<float>({13, 17, 21, 18, 24, 30}));
  // A factor that is not in the arena.
  request.launches[1] = 27;
  EXPECT_FALSE((*model)->check(request).ok());
}

TEST_F(CudaTest, ChoosesCode) {
  for (auto [arch, text] : {std::pair(80, "// for sm_80"),
                            {89, "// for sm_80"},
                            {90, "// for sm_90"},
                            {120, "// for sm_90"}}) {
    cuda.arch = arch;
    ASSERT_TRUE(tryModel().ok());
    EXPECT_EQ(cuda.ptx, text);
  }
  cuda.arch = 75;
  const Status status = tryModel().status();
  EXPECT_EQ(status.statusCode(), NNET3RT_NO_DEVICE);
  EXPECT_EQ(status.message(),
            "the GPU is an sm_75, for which there is no code");
}

/// Data of the caller on the device, with gaps between its rows.
TEST_F(CudaTest, DataOnTheDevice) {
  auto model = tryModel();
  ASSERT_TRUE(model.ok());
  const ContextScope scope(cuda.getApi(), (*model)->getContext());
  Stream stream = nullptr;
  ASSERT_EQ(cuda.getApi().driver.streamCreate(&stream, 0), 0);
  cuda.takesAnyAddress = true;
  auto instance = DeviceInstance::create(**model, request, stream);
  ASSERT_TRUE(instance.ok());
  cuda.calls.clear();
  float in[8], out[6];
  for (float first : {1.0f, 10.0f, 100.0f}) {
    std::fill_n(out, 6, -1.0f);
    fill(MatrixView(in, 2, 3, 4), first);
    ASSERT_TRUE((*instance)
                    ->submitOnDevice({{reinterpret_cast<Pointer>(in), 4}},
                                     {{reinterpret_cast<Pointer>(out), 3}})
                    .ok());
    EXPECT_EQ(cuda.stream, stream);
    ASSERT_TRUE((*instance)->wait().ok());
    EXPECT_EQ(std::vector<float>(out, out + 6),
              (std::vector<float>{2 * first, 6 * first + 6, -1, 2 * first + 6,
                                  6 * first + 24, -1}));
  }
  const std::vector<std::string> run = {"on device 24", "gemm", "twice",
                                        "on device 16"};
  std::vector<std::string> expected = run;
  for (int i = 0; i < 2; ++i) {
    expected.push_back("on device 24");
    expected.push_back("graph");
    expected.insert(expected.end(), run.begin() + 1, run.end());
  }
  EXPECT_EQ(cuda.calls, expected);
  // Outputs without data are not copied.
  ASSERT_TRUE((*instance)
                  ->submitOnDevice({{reinterpret_cast<Pointer>(in), 4}}, {{}})
                  .ok());
  EXPECT_EQ(cuda.calls.back(), "twice");
  instance->reset();
  cuda.getApi().driver.streamDestroy(stream);
}

/// The epilogue is fused into the matmul or computed by a kernel after it:
/// relu(x W^T + b), with the same weights.
class CudaFusionTest : public CudaTest {
protected:
  CudaFusionTest() {
    weights = {1, 0, 0, 1, 1, 1, /*unused*/ 0, 0, /*bias*/ -3, -20};
    cuda.kernels["epilogue"] = {
        [](const KernelLaunch &launch) {
          for (int i = 0; i < 4; ++i) {
            float &y = launch.arena[launch.places[1] + i];
            y = std::max(0.0f, y + launch.weights[launch.places[0] + i % 2]);
          }
        },
        2};
    Kernel apart = code->kernels[0], fused = apart, epilogue;
    apart.form = Form::Apart;
    fused.form = Form::Fused;
    fused.numPlaces = 4;
    fused.product.epilogue = Product::kBias | Product::kRelu;
    epilogue.name = "epilogue";
    epilogue.numPlaces = 2;
    epilogue.form = Form::Apart;
    code->kernels = {apart, fused, epilogue};
    request.launches = {0, 0, 0, 16, /**/ 1, 0, 0, 16, 8, /**/ 2, 8, 16};
  }

  /// Returns the calls of a run; checks its outputs.
  std::vector<std::string> run() {
    auto model = tryModel();
    EXPECT_TRUE(model.ok()) << model.status().message();
    auto instance = DeviceInstance::create(**model, request);
    EXPECT_TRUE(instance.ok()) << instance.status().message();
    auto other = DeviceInstance::create(**model, request);
    cuda.calls.clear();
    std::vector<std::string> calls;
    for (int run = 0; run < 3; ++run) {
      fill((*instance)->getInput(0), 1);
      EXPECT_TRUE((*instance)->run().ok());
      EXPECT_EQ(read((*instance)->getOutput(0)),
                (std::vector<float>{0, 0, 1, 0}));
      if (run == 0)
        calls = cuda.calls;
    }
    calls.erase(calls.begin());
    calls.pop_back();
    return calls;
  }
};

TEST_F(CudaFusionTest, Fused) {
  EXPECT_EQ(run(), (std::vector<std::string>{"matmul"}));
  // For all instances and runs.
  EXPECT_EQ(cuda.numHeuristics, 1);
  EXPECT_EQ(cuda.numAlive, 0);
}

TEST_F(CudaFusionTest, NoAlgorithm) {
  cuda.hasAlgos = false;
  EXPECT_EQ(run(), (std::vector<std::string>{"gemm", "epilogue"}));
}

TEST_F(CudaFusionTest, NoBlasLt) {
  cuda.removeBlasLt();
  EXPECT_EQ(run(), (std::vector<std::string>{"gemm", "epilogue"}));
}

/// Algorithms read 16 bytes of a bias at once, independent of the preferences.
TEST_F(CudaFusionTest, BiasAnywhere) {
  weights = {1, 0, 0, 1, 1, 1, /*bias*/ -3, -20};
  request.launches = {0, 0, 0, 16, /**/ 1, 0, 0, 16, 6, /**/ 2, 6, 16};
  EXPECT_EQ(run(), (std::vector<std::string>{"gemm", "epilogue"}));
}

TEST_F(CudaFusionTest, EveryCallMayFail) {
  for (int64_t call = 0;; ++call) {
    cuda.failingCall = call;
    cuda.numCalls = 0;
    {
      auto model = tryModel();
      if (model.ok()) {
        auto instance = DeviceInstance::create(**model, request);
        for (int i = 0; i < 3 && instance.ok(); ++i) {
          fill((*instance)->getInput(0), 1);
          if ((*instance)->run().ok())
            EXPECT_EQ(read((*instance)->getOutput(0)),
                      (std::vector<float>{0, 0, 1, 0}));
        }
      }
    }
    EXPECT_EQ(cuda.numAlive, 0) << "call " << call;
    if (cuda.numCalls <= call)
      break;
  }
}

TEST_F(CudaFusionTest, Damaged) {
  auto expectRefused = [&](const char *message) {
    auto model = tryModel();
    ASSERT_TRUE(model.ok());
    EXPECT_EQ((*model)->check(request).message(), message);
  };
  request.launches[8] = 9; // the bias
  expectRefused("matmul 1 is outside of the arena or the weights");
  request.launches[8] = 8;
  code->kernels[1].form = Form::Always;
  expectRefused("matmul 1 is outside of the arena or the weights");
  code->kernels[1].form = Form::Fused;
  code->kernels[1].product.epilogue = 1;
  expectRefused("matmul 1 is outside of the arena or the weights");
}

/// Factors are rounded, sums are not.
TEST_F(CudaTest, Precision) {
  const float factor = 1 + 1.0f / 512; // needs 9 bits behind the first
  weights = {factor, 0, 0, 1, 1, 1};
  for (auto [precision, expected] : {std::pair("f32", factor),
                                     {"tf32", factor},
                                     {"fp16", factor},
                                     {"bf16", 1.0f}}) {
    code->precision = precision;
    auto model = tryModel();
    ASSERT_TRUE(model.ok()) << model.status().message();
    auto instance = DeviceInstance::create(**model, request);
    ASSERT_TRUE(instance.ok());
    fill((*instance)->getInput(0), 1);
    ASSERT_TRUE((*instance)->run().ok());
    EXPECT_EQ((*instance)->getOutput(0).data[0], 2 * expected) << precision;
  }
  code->precision = "int8";
  EXPECT_EQ(tryModel().status().message(), "a GPU has no precision 'int8'");
}

/// Factors of 16 bits, two in a float; sums are of float32.
TEST_F(CudaTest, FactorsOf16Bits) {
  struct Case {
    int32_t type;
    uint32_t one, two, small; ///< 1, 2 and 1 + 2^-7
  };
  for (const Case &c : {Case{kBfloat16, 0x3f80, 0x4000, 0x3f81},
                        {kFloat16, 0x3c00, 0x4000, 0x3c08}}) {
    // W is 1 2 0 1+2^-7, 0 0 1 1; x is 1 1 1 1 and 2 0 0 2.
    const uint32_t words[] = {c.one | c.two << 16, c.small << 16, 0,
                              c.one | c.one << 16};
    weights.resize(4);
    std::memcpy(weights.data(), words, sizeof(words));
    const uint32_t inputs[] = {c.one | c.one << 16, c.one | c.one << 16, c.two,
                               c.two << 16};
    Kernel product;
    product.numPlaces = 3;
    product.product = {2, 2, 4, 4, 4, 2, 1, 0, 0, 0};
    product.product.factorType = c.type;
    code->ptx.clear();
    code->precision = "bf16"; // of other products
    code->kernels = {product};
    request.inputs = {{0, 2, 2}};
    request.launches = {0, 0, 0, 16};
    auto model = tryModel();
    ASSERT_TRUE(model.ok()) << model.status().message();
    auto instance = DeviceInstance::create(**model, request);
    ASSERT_TRUE(instance.ok()) << instance.status().message();
    std::memcpy((*instance)->getInput(0).data, inputs, sizeof(inputs));
    ASSERT_TRUE((*instance)->run().ok());
    const float small = 1 + 1.0f / 128;
    EXPECT_EQ(read((*instance)->getOutput(0)),
              (std::vector<float>{3 + small, 2, 2 + 2 * small, 2}));
    // Half of a row of weights is beyond their end.
    request.launches[1] = 1;
    EXPECT_FALSE((*model)->check(request).ok());
    request.launches[1] = 0;
    for (int32_t Product::*stride :
         {&Product::inputStride, &Product::weightsStride}) {
      code->kernels[0] = product;
      code->kernels[0].product.*stride = 5;
      EXPECT_FALSE((*model)->check(request).ok());
    }
    code->kernels[0] = product;
    code->kernels[0].product.factorType = 3;
    EXPECT_FALSE((*model)->check(request).ok());
  }
}

/// Two instances at a time have memory of their own.
TEST_F(CudaTest, InstancesAreApart) {
  auto model = tryModel();
  ASSERT_TRUE(model.ok());
  auto a = DeviceInstance::create(**model, request);
  auto b = DeviceInstance::create(**model, request);
  ASSERT_TRUE(a.ok() && b.ok());
  fill((*a)->getInput(0), 1);
  fill((*b)->getInput(0), 2);
  ASSERT_TRUE((*a)->run().ok());
  ASSERT_TRUE((*b)->run().ok());
  EXPECT_EQ(read((*a)->getOutput(0))[0], 2);
  EXPECT_EQ(read((*b)->getOutput(0))[0], 4);
}

/// Any call may fail: the error is reported and nothing leaks.
TEST_F(CudaTest, EveryCallMayFail) {
  int64_t numFailures = 0;
  for (int64_t call = 0;; ++call) {
    cuda.failingCall = call;
    cuda.numCalls = 0;
    Status status;
    {
      auto model = tryModel();
      status = model.status();
      if (model.ok()) {
        auto instance = DeviceInstance::create(**model, request);
        status = instance.status();
        for (int run = 0; run < 3 && status.ok() && instance.ok(); ++run) {
          fill((*instance)->getInput(0), 1);
          status = (*instance)->run();
        }
      }
    }
    EXPECT_EQ(cuda.numAlive, 0) << "call " << call;
    if (cuda.numCalls <= call)
      break;
    numFailures += !status.ok();
  }
  EXPECT_GT(numFailures, 30);
}

TEST_F(CudaTest, DamagedLaunches) {
  auto model = tryModel();
  ASSERT_TRUE(model.ok());
  auto expectRefused = [&](const DeviceRequest &damaged) {
    EXPECT_EQ(DeviceInstance::create(**model, damaged).status().statusCode(),
              NNET3RT_INVALID_PROGRAM);
  };
  for (const std::vector<int64_t> &launches :
       {std::vector<int64_t>{2}, {-1}, {0, 1, 2}, {0}}) {
    DeviceRequest damaged = request;
    damaged.launches = launches;
    expectRefused(damaged);
  }
  DeviceRequest outside = request;
  outside.outputs[0].place = 29;
  expectRefused(outside);
  // Products outside of the weights or of the arena.
  for (const std::vector<int64_t> &launches : {std::vector<int64_t>{0, 1, 0, 8},
                                               {0, 0, 27, 8},
                                               {0, 0, 0, 29},
                                               {0, 0, 0, -1}}) {
    DeviceRequest damaged = request;
    damaged.launches = launches;
    expectRefused(damaged);
  }
  for (auto [distance, isGood] : {std::pair(13, true), {14, false}}) {
    code->kernels[0].product.batches = 3;
    code->kernels[0].product.inputBatch = distance;
    EXPECT_EQ((*model)->check(request).ok(), isGood) << distance;
  }
}

/// Without a driver there is an error message and no crash.
TEST(CudaApiTest, NoDevice) {
  auto api = loadCudaApi();
  if (api.ok())
    GTEST_SKIP() << "there is a GPU";
  EXPECT_EQ(api.status().statusCode(), NNET3RT_NO_DEVICE);
  EXPECT_EQ(api.status().message(),
            "needs a GPU: 'libcuda.so.1' is not on this machine");
}

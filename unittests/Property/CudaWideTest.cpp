//===- CudaWideTest.cpp - Kernels whose threads take four columns ---------===//
//
// Only kernels that have enough to do read and write several columns at once;
// the random networks are too small for that.
//
//===----------------------------------------------------------------------===//

#include "Case.h"
#include "DeviceExecution.h"

#include "nnet3/Pipelines/CudaRunner.h"
#include "nnet3/Pipelines/NnetRunner.h"

#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <random>

using namespace nnet3::property;
using namespace mlir::nnet3;
using nnet3::RequestInstance;
using nnet3::runtime::ConstMatrixView;
using nnet3::runtime::test::FakeCuda;
using nnet3::test::GpuEmulator;
using nnet3::test::HostKernels;

/// Products of three time offsets, what follows them, and copies and sums of
/// rows: 1344 rows of 36 columns.
static constexpr char kText[] = R"mlir(
nnet3.network @net {
  nnet3.tdnn @tdnn {input_dim = 40, output_dim = 36, time_offsets = array<i64: -1, 0, 2>, linear_params = dense<0.01> : tensor<36x120xf32>, bias_params = dense<0.5> : tensor<36xf32>}
  nnet3.sigmoid @sigmoid {dim = 36}
  nnet3.affine @affine {input_dim = 36, output_dim = 36, linear_params = dense<0.02> : tensor<36x36xf32>, bias_params = dense<-0.25> : tensor<36xf32>}
  nnet3.rectified_linear @relu {dim = 36}
  nnet3.tanh @tanh {dim = 36}
  %in = nnet3.input_node "input" : !nnet3.rows<40>
  %a = nnet3.component_node "a" @tdnn(%in) : (!nnet3.rows<40>) -> !nnet3.rows<36>
  %b = nnet3.component_node "b" @sigmoid(%a) : (!nnet3.rows<36>) -> !nnet3.rows<36>
  %c = nnet3.component_node "c" @affine(%b) : (!nnet3.rows<36>) -> !nnet3.rows<36>
  %d = nnet3.component_node "d" @relu(%c) : (!nnet3.rows<36>) -> !nnet3.rows<36>
  %bypass = nnet3.sum %b, %d : !nnet3.rows<36>
  %late = nnet3.offset %b, t = 3 : !nnet3.rows<36>
  %known = nnet3.failover %late, %d : !nnet3.rows<36>
  %e = nnet3.component_node "e" @tanh(%bypass) : (!nnet3.rows<36>) -> !nnet3.rows<36>
  %sum = nnet3.sum %e, %known : !nnet3.rows<36>
  nnet3.output_node "output", %sum : !nnet3.rows<36>
}
nnet3.request @request for @net {
  nnet3.request_input "input" <n = 0:31, t = -1:43>
  nnet3.request_output "output" <n = 0:31, t = 0:41>
}
)mlir";

static std::vector<float> run(nnet3::RequestRunner &runner, RequestOp request,
                              ConstMatrixView input) {
  auto instance = runner.makeInstance(request);
  if (mlir::failed(instance) || !(*instance)->setInput("input", input).ok() ||
      !(*instance)->run().ok())
    return {};
  auto output = (*instance)->output("output");
  if (!output.ok())
    return {};
  return {output->data, output->data + output->rows * output->cols};
}

TEST(CudaWideTest, SameNumbers) {
  auto context = makeContext();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(kText, context.get());
  ASSERT_TRUE(module);
  NetworkOp network = *module->getOps<NetworkOp>().begin();
  RequestOp request = *module->getOps<RequestOp>().begin();
  std::mt19937 random(1);
  std::normal_distribution<float> numbers;
  std::vector<float> values(32 * 45 * 40);
  for (float &value : values)
    value = numbers(random);
  const ConstMatrixView input(values.data(), 32 * 45, 40, 40);
  auto interpreter = nnet3::NnetRunner::create(network);
  ASSERT_TRUE(mlir::succeeded(interpreter));
  const std::vector<float> expected = run(**interpreter, request, input);
  ASSERT_EQ(expected.size(), size_t(32 * 42 * 36));
  // As loops, and thread by thread; with factors of 16 bits, too.
  GpuEmulator emulator(/*order=*/2);
  const std::tuple<GpuEmulator *, Precision, float> kWays[] = {
      {nullptr, Precision::F32, 1e-4f},
      {&emulator, Precision::F32, 1e-4f},
      {&emulator, Precision::BF16, 0.02f}};
  for (auto [how, precision, tolerance] : kWays) {
    FakeCuda cuda;
    auto kernels =
        HostKernels::create(nnet3::test::copyNetwork(network, {request}),
                            /*updates=*/false, precision, how);
    ASSERT_TRUE(mlir::succeeded(kernels));
    (*kernels)->addTo(cuda);
    nnet3::NativeOptions options;
    options.precision = precision;
    auto runner = nnet3::CudaRunner::create(network, options, &cuda.getApi());
    ASSERT_TRUE(mlir::succeeded(runner));
    const std::vector<float> actual = run(**runner, request, input);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(actual[i], expected[i], tolerance) << i;
    EXPECT_NE(cuda.ptx.find("ld.global.v4"), std::string::npos);
    EXPECT_NE(cuda.ptx.find("st.global.v4"), std::string::npos);
  }
  expectNoFindings(&emulator);
}

//===- CudaWideTest.cpp - Kernels of large networks -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Covers code that the small random networks do not reach. Only large kernels
// read and write several columns at once; only GEMVs with many columns have
// several warps per block, and only GEMVs of a long row have one block per
// column.
//
//===----------------------------------------------------------------------===//

#include "DeviceExecution.h"
#include "Networks/Case.h"
#include "Networks/NetworkText.h"

#include "nnet3/Execution/CudaRunner.h"
#include "nnet3/Execution/NnetRunner.h"

#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <random>

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;
using mlir::nnet3::RequestInstance;
using mlir::nnet3::test::GpuEmulator;
using mlir::nnet3::test::HostKernels;
using ::nnet3::rt::ConstMatrixView;
using ::nnet3::rt::test::FakeCuda;

/// Matmuls of three time offsets, epilogues, and copies and sums of rows: 1344
/// rows of 36 columns.
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

/// An LSTM of 513 cells, whose gates read a row of 16 columns: each of the four
/// warps of a block has a cell, except in the last block. A row of the
/// projection has an odd number of columns, so threads read one column at a
/// time.
static std::string makeLstm() {
  auto tensor = [](const char *name, int rows, int columns) {
    Random random(rows);
    return randomTensor(random, name, {rows, columns}, 0, 0.2);
  };
  return R"mlir(
nnet3.network @net {
  nnet3.affine @gates {input_dim = 24, output_dim = 2052, )mlir" +
         tensor("linear_params", 2052, 24) +
         R"mlir(, bias_params = dense<0.1> : tensor<2052xf32>}
  nnet3.lstm_nonlinearity @lstm {cell_dim = 513, )mlir" +
         tensor("params", 3, 513) + R"mlir(}
  nnet3.affine @projection {input_dim = 513, output_dim = 16, )mlir" +
         tensor("linear_params", 16, 513) +
         R"mlir(, bias_params = dense<-0.1> : tensor<16xf32>}
  %in = nnet3.input_node "input" : !nnet3.rows<8>
  %before = nnet3.offset %projected, t = -1 : !nnet3.rows<16>
  %r = nnet3.if_defined %before : !nnet3.rows<16>
  %x = nnet3.append %in, %r : (!nnet3.rows<8>, !nnet3.rows<16>) -> !nnet3.rows<24>
  %sums = nnet3.component_node "gates" @gates(%x) : (!nnet3.rows<24>) -> !nnet3.rows<2052>
  %early = nnet3.offset %cell, t = -1 : !nnet3.rows<513>
  %state = nnet3.if_defined %early : !nnet3.rows<513>
  %all = nnet3.append %sums, %state : (!nnet3.rows<2052>, !nnet3.rows<513>) -> !nnet3.rows<2565>
  %both = nnet3.component_node "lstm" @lstm(%all) : (!nnet3.rows<2565>) -> !nnet3.rows<1026>
  %cell = nnet3.dim_range_node "cell" %both offset 0 : !nnet3.rows<1026> -> !nnet3.rows<513>
  %m = nnet3.dim_range_node "m" %both offset 513 : !nnet3.rows<1026> -> !nnet3.rows<513>
  %projected = nnet3.component_node "projected" @projection(%m) : (!nnet3.rows<513>) -> !nnet3.rows<16>
  nnet3.output_node "output", %projected : !nnet3.rows<16>
}
nnet3.request @request for @net {
  nnet3.request_input "input" <n = 0, t = 0:4>
  nnet3.request_output "output" <n = 0, t = 0:4>
}
)mlir";
}

static std::vector<float> run(mlir::nnet3::RequestRunner &runner,
                              RequestOp request, ConstMatrixView input) {
  auto instance = runner.makeInstance(request);
  if (mlir::failed(instance) || !(*instance)->setInput("input", input).ok() ||
      !(*instance)->run().ok())
    return {};
  auto output = (*instance)->output("output");
  if (!output.ok())
    return {};
  return {output->data, output->data + output->rows * output->cols};
}

/// Compares the results of a network, as loops, thread by thread and in reduced
/// precision, with the interpreter. The PTX must contain `instructions`.
static void compare(const std::string &text, int64_t rows, int64_t columns,
                    size_t outputSize,
                    std::initializer_list<const char *> instructions) {
  auto context = makeContext();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
  ASSERT_TRUE(module);
  NetworkOp network = *module->getOps<NetworkOp>().begin();
  RequestOp request = *module->getOps<RequestOp>().begin();
  std::mt19937 random(1);
  std::normal_distribution<float> numbers;
  std::vector<float> values(rows * columns);
  for (float &value : values)
    value = numbers(random);
  const ConstMatrixView input(values.data(), rows, columns, columns);
  auto interpreter = mlir::nnet3::NnetRunner::create(network);
  ASSERT_TRUE(mlir::succeeded(interpreter));
  const std::vector<float> expected = run(**interpreter, request, input);
  ASSERT_EQ(expected.size(), outputSize);
  // As loops, and thread by thread; with factors of 16 bits, too.
  GpuEmulator emulator(/*order=*/2);
  const std::tuple<GpuEmulator *, Precision, float> kWays[] = {
      {nullptr, Precision::F32, 1e-4f},
      {&emulator, Precision::F32, 1e-4f},
      {&emulator, Precision::BF16, 0.02f}};
  for (auto [how, precision, tolerance] : kWays) {
    FakeCuda cuda;
    auto kernels =
        HostKernels::create(mlir::nnet3::test::copyNetwork(network, {request}),
                            /*training=*/{}, precision, how);
    ASSERT_TRUE(mlir::succeeded(kernels));
    (*kernels)->addTo(cuda);
    mlir::nnet3::NativeOptions options;
    options.precision = precision;
    auto runner =
        mlir::nnet3::CudaRunner::create(network, options, &cuda.getApi());
    ASSERT_TRUE(mlir::succeeded(runner));
    const std::vector<float> actual = run(**runner, request, input);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(actual[i], expected[i], tolerance) << i;
    for (const char *instruction : instructions)
      EXPECT_NE(cuda.ptx.find(instruction), std::string::npos) << instruction;
  }
  expectNoFindings(&emulator);
}

TEST(CudaWideTest, FourColumns) {
  compare(kText, 32 * 45, 40, 32 * 42 * 36, {"ld.global.v4", "st.global.v4"});
}

TEST(CudaWideTest, CellsOfOneSequence) {
  compare(makeLstm(), 5, 8, 5 * 16,
          {"ld.global.v4", "bar.warp.sync", "bar.sync"});
}

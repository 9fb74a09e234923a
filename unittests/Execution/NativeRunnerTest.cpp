//===- NativeRunnerTest.cpp - Requests by machine code --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/NativeRunner.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::nnet3;
using mlir::nnet3::NativeOptions;
using mlir::nnet3::NativeRunner;

namespace {

/// y(t) = log-softmax of 2 x(t) + x(t + 1) and 0; the runtime keeps all
/// columns.
constexpr const char *kNetwork = R"mlir(
nnet3.network @net {
  nnet3.affine @affine {bias_params = dense<0.0> : tensor<2xf32>,
      input_dim = 2 : i64, output_dim = 2 : i64,
      linear_params = dense<[[2.0, 1.0], [0.0, 0.0]]> : tensor<2x2xf32>}
  nnet3.log_softmax @softmax {dim = 2 : i64}
  nnet3.dropout @drop {dim = 2 : i64, dropout_proportion = 0.0 : f32}
  %in = nnet3.input_node "input" : !nnet3.rows<1>
  %next = nnet3.offset %in, t = 1 : !nnet3.rows<1>
  %x = nnet3.append %in, %next : (!nnet3.rows<1>, !nnet3.rows<1>) -> !nnet3.rows<2>
  %a = nnet3.component_node "a" @affine(%x) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %s = nnet3.component_node "s" @softmax(%a) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  %o = nnet3.component_node "o" @drop(%s) : (!nnet3.rows<2>) -> !nnet3.rows<2>
  nnet3.output_node "output", %o : !nnet3.rows<2>
}
)mlir";

class NativeRunnerTest : public ::testing::Test {
protected:
  NativeRunnerTest() {
    context.loadDialect<Nnet3Dialect, memref::MemRefDialect>();
    module = parseSourceString<ModuleOp>(kNetwork, &context);
    network = *module->getOps<NetworkOp>().begin();
  }

  std::unique_ptr<NativeRunner> makeRunner(size_t cacheCapacity = 64) {
    NativeOptions options;
    options.cacheCapacity = cacheCapacity;
    auto runner = NativeRunner::create(network, options);
    EXPECT_TRUE(succeeded(runner));
    return std::move(*runner);
  }

  RequestOp makeRequest(int32_t last, int32_t lastInput) {
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    Location loc = builder.getUnknownLoc();
    auto request =
        RequestOp::create(builder, loc, "request", "net", false, false);
    builder.setInsertionPointToStart(&request.getBody().emplaceBlock());
    auto getTimes = [&](int32_t end) {
      SmallVector<Index> times;
      for (int32_t t = 0; t <= end; ++t)
        times.push_back({0, t, 0});
      return IndexesAttr::get(&context, times);
    };
    RequestInputOp::create(builder, loc, "input", getTimes(lastInput), false);
    RequestOutputOp::create(builder, loc, "output", getTimes(last), false);
    return request;
  }

  /// Computes outputs 0 to `last` where the input at t is t; the log-odds of
  /// the last one, or -1.
  float compute(NativeRunner &runner, int32_t last) {
    RequestOp request = makeRequest(last, last + 1);
    auto instance = runner.prepare(request);
    request.erase();
    if (failed(instance))
      return -1;
    std::vector<float> values;
    for (int32_t t = 0; t <= last + 1; ++t)
      values.push_back(float(t));
    EXPECT_TRUE(
        (*instance)->setInput("input", {values.data(), last + 2, 1, 1}).ok());
    EXPECT_TRUE((*instance)->run().ok());
    auto output = (*instance)->output("output");
    EXPECT_TRUE(output.ok());
    EXPECT_EQ(output->rows, last + 1);
    return output->row(last)[0] - output->row(last)[1];
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  NetworkOp network;
};

TEST_F(NativeRunnerTest, ComputesAndKeepsCode) {
  auto runner = makeRunner(/*cacheCapacity=*/2);
  EXPECT_NEAR(compute(*runner, 4), 13, 1e-4);
  EXPECT_NEAR(compute(*runner, 2), 7, 1e-4);
  EXPECT_NEAR(compute(*runner, 4), 13, 1e-4);
  EXPECT_EQ(runner->getNumCompiled(), 2u);
  EXPECT_NEAR(compute(*runner, 1), 4, 1e-4); // 2 goes
  EXPECT_NEAR(compute(*runner, 4), 13, 1e-4);
  EXPECT_EQ(runner->getNumCompiled(), 3u);
  EXPECT_NEAR(compute(*runner, 2), 7, 1e-4);
  EXPECT_EQ(runner->getNumCompiled(), 4u);
  // Nothing stays behind the network.
  EXPECT_EQ(&module->getBody()->back(), network.getOperation());
}

TEST_F(NativeRunnerTest, RequestsShareTheirWeights) {
  auto runner = makeRunner();
  EXPECT_EQ(runner->getNumWeights(), 0u);
  compute(*runner, 1);
  compute(*runner, 2);
  EXPECT_EQ(runner->getNumCompiled(), 2u);
  EXPECT_EQ(runner->getNumWeights(), 1u);
}

TEST_F(NativeRunnerTest, ChecksWhatItIsGiven) {
  auto runner = makeRunner();
  auto instance = runner->prepare(makeRequest(0, 1));
  ASSERT_TRUE(succeeded(instance));
  EXPECT_EQ((*instance)->run().message(), "input 'input' is not given");
  const float values[] = {1, 2, 3};
  EXPECT_EQ((*instance)->setInput("x", {values, 2, 1, 1}).message(),
            "there is no input 'x'");
  ASSERT_TRUE((*instance)->setInput("input", {values, 3, 1, 1}).ok());
  EXPECT_NE((*instance)->run().message().find("dims"), std::string::npos);
  EXPECT_FALSE((*instance)->output("output").ok());
  ASSERT_TRUE((*instance)->setInput("input", {values, 2, 1, 1}).ok());
  EXPECT_TRUE((*instance)->run().ok());
  EXPECT_EQ((*instance)->output("x").status().message(),
            "there is no output 'x'");
  // What was given is gone.
  EXPECT_FALSE((*instance)->run().ok());
}

TEST_F(NativeRunnerTest, ReportsWhatCannotBeComputed) {
  auto runner = makeRunner();
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  // Output 2 needs the input at 3.
  EXPECT_TRUE(failed(runner->prepare(makeRequest(2, 2))));
  EXPECT_NE(message.find("output"), std::string::npos) << message;
  EXPECT_EQ(runner->getNumCompiled(), 0u);
}

} // namespace

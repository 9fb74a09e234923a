//===- NnetRunnerTest.cpp - Computing requests with the interpreter -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/NnetRunner.h"
#include "../Kaldi/TempDir.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::nnet3;
using mlir::nnet3::NnetRunner;
using mlir::nnet3::ProgramCache;
using mlir::nnet3::ProgramKey;
using mlir::nnet3::RunnerOptions;

namespace {

/// y(t) = 2 x(t + 1).
constexpr const char *kNetwork = R"mlir(
nnet3.network @net {
  nnet3.fixed_scale @twice {dim = 1 : i64, scales = dense<2.0> : tensor<1xf32>}
  %in = nnet3.input_node "input" : !nnet3.rows<1>
  %next = nnet3.offset %in, t = 1 : !nnet3.rows<1>
  %c = nnet3.component_node "c" @twice(%next) : (!nnet3.rows<1>) -> !nnet3.rows<1>
  nnet3.output_node "output", %c : !nnet3.rows<1>
}
)mlir";

class NnetRunnerTest : public ::testing::Test {
protected:
  NnetRunnerTest() {
    context.loadDialect<Nnet3Dialect, memref::MemRefDialect>();
    module = parseSourceString<ModuleOp>(kNetwork, &context);
    network = *module->getOps<NetworkOp>().begin();
  }

  std::unique_ptr<NnetRunner> makeRunner(size_t cacheCapacity = 64) {
    RunnerOptions options;
    options.cacheCapacity = cacheCapacity;
    return makeRunner(options);
  }

  std::unique_ptr<NnetRunner> makeRunner(const RunnerOptions &options) {
    auto runner = NnetRunner::create(network, options);
    EXPECT_TRUE(succeeded(runner));
    return std::move(*runner);
  }

  /// Computes outputs 0 to `last` from the inputs that are there at times
  /// `first` to `last` + 1 and equal the time; the last output, or -1.
  float compute(NnetRunner &runner, int32_t last, int32_t first = 1) {
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    Location loc = builder.getUnknownLoc();
    auto request =
        RequestOp::create(builder, loc, "request", "net", false, false);
    builder.setInsertionPointToStart(&request.getBody().emplaceBlock());
    SmallVector<Index> inputs, outputs;
    std::vector<float> values;
    for (int32_t t = first; t <= last + 1; ++t) {
      inputs.push_back({0, t, 0});
      values.push_back(t);
    }
    for (int32_t t = 0; t <= last; ++t)
      outputs.push_back({0, t, 0});
    RequestInputOp::create(builder, loc, "input",
                           IndexesAttr::get(&context, inputs), false);
    RequestOutputOp::create(builder, loc, "output",
                            IndexesAttr::get(&context, outputs), false);
    auto instance = runner.prepare(request);
    request.erase();
    if (failed(instance))
      return -1;
    int32_t rows = values.size();
    EXPECT_TRUE(
        (*instance)->setInput("input", {values.data(), rows, 1, 1}).ok());
    EXPECT_TRUE((*instance)->run().ok());
    auto output = (*instance)->output("output");
    EXPECT_TRUE(output.ok());
    EXPECT_EQ(output->rows, last + 1);
    return *output->row(last);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  NetworkOp network;
};

TEST_F(NnetRunnerTest, ComputesAndKeepsPrograms) {
  auto runner = makeRunner();
  EXPECT_EQ(runner->getDim("input"), 1);
  EXPECT_EQ(runner->getDim("none"), 0);
  EXPECT_EQ(compute(*runner, 4), 10);
  EXPECT_EQ(compute(*runner, 2), 6);
  EXPECT_EQ(compute(*runner, 4), 10);
  EXPECT_EQ(runner->getNumCompiled(), 2u);
  // Other inputs make another request.
  EXPECT_EQ(compute(*runner, 4, /*first=*/0), 10);
  EXPECT_EQ(runner->getNumCompiled(), 3u);
  // Nothing stays behind the network.
  EXPECT_EQ(&module->getBody()->back(), network.getOperation());
}

TEST_F(NnetRunnerTest, GivesUpWhatIsUnusedForLongest) {
  auto runner = makeRunner(/*cacheCapacity=*/2);
  compute(*runner, 1);
  compute(*runner, 2);
  compute(*runner, 1);
  compute(*runner, 3); // 2 goes
  EXPECT_EQ(runner->getNumCompiled(), 3u);
  EXPECT_EQ(compute(*runner, 1), 4);
  EXPECT_EQ(runner->getNumCompiled(), 3u);
  EXPECT_EQ(compute(*runner, 2), 6);
  EXPECT_EQ(runner->getNumCompiled(), 4u);
}

TEST_F(NnetRunnerTest, TakesProgramsFromTheCache) {
  ::nnet3::kaldi::test::TempDir dir;
  std::string message;
  RunnerOptions options;
  options.programCache = std::make_shared<ProgramCache>(dir.path(""), 1 << 20);
  options.report = [&](const Twine &line) { message = line.str(); };
  auto getMessage = [&](NnetRunner &runner) {
    message.clear();
    EXPECT_EQ(compute(runner, 4), 10);
    return StringRef(message).rsplit(" in ").first;
  };
  auto first = makeRunner(options);
  EXPECT_EQ(getMessage(*first), "Request 'request' compiled");
  // What is in memory is not even looked for.
  EXPECT_EQ(getMessage(*first), "");
  EXPECT_EQ(first->getNumCompiled(), 1u);
  auto second = makeRunner(options);
  EXPECT_EQ(getMessage(*second),
            "Request 'request' found in the program cache");
  EXPECT_EQ(second->getNumCompiled(), 0u);

  // Other options, another program.
  options.optimization.optimize = false;
  EXPECT_EQ(getMessage(*makeRunner(options)), "Request 'request' compiled");
  EXPECT_EQ(dir.numFiles(), 2u);
  // Who wants to see the compiler at work is not put off.
  options.debug = true;
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(getMessage(*makeRunner(options)), "Request 'request' compiled");
  EXPECT_NE(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(dir.numFiles(), 2u);
}

/// An intact cache entry that is not a program.
TEST_F(NnetRunnerTest, CompilesWhatTheCacheHasWrong) {
  ::nnet3::kaldi::test::TempDir dir;
  RunnerOptions options;
  options.programCache = std::make_shared<ProgramCache>(dir.path(""), 1 << 20);
  EXPECT_EQ(compute(*makeRunner(options), 4), 10);
  std::error_code code;
  std::string path =
      llvm::sys::fs::directory_iterator(dir.path(""), code)->path();
  ProgramKey key = {};
  std::string digits = llvm::fromHex(llvm::sys::path::stem(path));
  ASSERT_EQ(digits.size(), key.size());
  llvm::copy(digits, key.begin());
  std::string good = *options.programCache->find(key);
  options.programCache->store(key, "no program");
  auto runner = makeRunner(options);
  EXPECT_EQ(compute(*runner, 4), 10);
  EXPECT_EQ(runner->getNumCompiled(), 1u);
  EXPECT_EQ(options.programCache->find(key), good);
}

TEST_F(NnetRunnerTest, ReportsWhatCannotBeComputed) {
  auto runner = makeRunner();
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  // Output 0 needs the input at 1.
  EXPECT_EQ(compute(*runner, 3, /*first=*/2), -1);
  EXPECT_NE(message.find("output"), std::string::npos) << message;
  EXPECT_EQ(runner->getNumCompiled(), 0u);
  EXPECT_EQ(&module->getBody()->back(), network.getOperation());
}

} // namespace

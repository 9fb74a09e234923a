//===- GoldenStreamTest.cpp - Streams of the reference --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files in test/Inputs/golden/looped are the inputs and outputs of five
// chunks, computed by the reference's looped programs.
//
//===----------------------------------------------------------------------===//

#include "GoldenStream.h"

#include "nnet3/Execution/NativeRunner.h"
#include "nnet3/Execution/NnetRunner.h"
#include "nnet3/Execution/StreamStepper.h"
#include "nnet3/Stream/CreateStream.h"

#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

namespace {

using RunnerPtr = std::unique_ptr<RequestRunner>;
using MakeRunner = FailureOr<RunnerPtr> (*)(NetworkOp);

FailureOr<RunnerPtr> makeInterpreter(NetworkOp network) {
  auto runner = NnetRunner::create(network);
  if (failed(runner))
    return failure();
  return RunnerPtr(std::move(*runner));
}

FailureOr<RunnerPtr> makeNative(NetworkOp network) {
  auto runner = NativeRunner::create(network);
  if (failed(runner))
    return failure();
  return RunnerPtr(std::move(*runner));
}

class GoldenStreamTest
    : public ::testing::TestWithParam<std::tuple<std::string, MakeRunner>> {};

TEST_P(GoldenStreamTest, SameOutputs) {
  const auto &[name, makeRunner] = GetParam();
  const GoldenStream golden(name);
  MLIRContext context;
  context.loadDialect<Nnet3Dialect, memref::MemRefDialect>();
  OwningOpRef<ModuleOp> module = golden.readModel(context);
  ASSERT_TRUE(module);
  auto network = *module->getOps<NetworkOp>().begin();
  SymbolTable symbols(*module);
  auto stream = createStream(symbols, network, golden.getOptions());
  ASSERT_TRUE(succeeded(stream));
  ASSERT_TRUE(succeeded(verify(*module)));
  auto runner = makeRunner(network);
  ASSERT_TRUE(succeeded(runner));
  StreamStepper computer(**runner, *stream,
                         golden.getOptions().sequences.front());
  StreamState state;
  const int64_t numFrames = *golden.get().getInteger("chunk_size");
  for (int64_t chunk = 0; chunk < *golden.get().getInteger("chunks"); ++chunk) {
    auto output =
        computer.step(state, numFrames, golden.getMatrices(chunk, "input"));
    ASSERT_TRUE(succeeded(output)) << "chunk " << chunk;
    const Matrix expected = golden.getMatrices(chunk, "output")["output"];
    ASSERT_EQ(output->rows, expected.rows);
    ASSERT_EQ(output->cols, expected.cols);
    for (size_t i = 0; i < expected.data.size(); ++i)
      ASSERT_NEAR(output->data[i], expected.data[i],
                  1e-4f + 1e-4f * std::abs(expected.data[i]))
          << "chunk " << chunk << ", element " << i;
  }
}

std::string
getTestName(const ::testing::TestParamInfo<GoldenStreamTest::ParamType> &info) {
  std::string name = std::get<0>(info.param);
  llvm::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(
    Interpreter, GoldenStreamTest,
    ::testing::Combine(::testing::ValuesIn(GoldenStream::getNames()),
                       ::testing::Values(&makeInterpreter)),
    getTestName);

INSTANTIATE_TEST_SUITE_P(
    Native, GoldenStreamTest,
    ::testing::Combine(::testing::ValuesIn(GoldenStream::getNames()),
                       ::testing::Values(&makeNative)),
    getTestName);

} // namespace

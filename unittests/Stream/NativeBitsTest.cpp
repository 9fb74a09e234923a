//===- NativeBitsTest.cpp - Bit-exactness of machine code -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results of a sequence do not depend on the other sequences of the batch,
// nor on its division into chunks: random networks in a single request, in
// batches and in chunks give equal bits. Most of the time is code generation.
// By default there are fewer cases, and one or two precisions for each larger
// network; NNET3_PROPERTY_CASES enables all.
//
//===----------------------------------------------------------------------===//

#include "GoldenStream.h"
#include "PropertyTest.h"
#include "StreamUtterance.h"

#include "nnet3/Execution/NativeRunner.h"
#include "nnet3/Execution/StreamStepper.h"
#include "nnet3/Pipelines/NativeCode.h"
#include "nnet3/Stream/CreateStream.h"
#include "nnet3/Target/Kaldi/Config.h"

#include "mlir/IR/Diagnostics.h"

#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <cstring>

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;
using ::nnet3::kaldi::Matrix;

namespace {

/// Sequences of the batches.
constexpr int64_t kNumSequences = 3;

bool isLong() { return std::getenv("NNET3_PROPERTY_CASES") != nullptr; }

/// A copy of a network with a stream, and machine code of both.
struct StreamCode {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  StreamOp stream;
  std::unique_ptr<NativeRunner> runner;
};

class NativeBitsTest : public PropertyTest,
                       public ::testing::WithParamInterface<Precision> {
protected:
  void check(mlir::ModuleOp module, StreamOptions options, Random &random);
  StreamCode makeStream(mlir::ModuleOp module, const StreamOptions &options);
  std::unique_ptr<NativeRunner> makeRunner(NetworkOp network);
  void compare(NetworkOp network, const StreamCode &code, Random &random);
  void compareStreams(const StreamCode &code, Random &random);

  std::map<std::string, int> outcomes;
};

/// Returns the values of a sequence.
llvm::StringMap<UtteranceInput>
takeSequence(const llvm::StringMap<UtteranceInput> &inputs, int64_t n) {
  llvm::StringMap<UtteranceInput> result;
  for (const auto &entry : inputs) {
    const UtteranceInput &input = entry.second;
    UtteranceInput &one = result[entry.first()] = {
        input.first, input.step, Matrix(input.numRows, input.values.cols),
        input.numRows};
    std::copy_n(input.values.row(n * input.numRows).begin(),
                input.numRows * input.values.cols, one.values.data.begin());
  }
  return result;
}

/// Returns the outputs of `runner` for an utterance; none if it fails.
std::optional<Matrix> runWhole(NativeRunner &runner, RequestOp request,
                               const llvm::StringMap<UtteranceInput> &inputs) {
  auto instance = runner.makeInstance(request);
  if (mlir::failed(instance))
    return std::nullopt;
  for (const auto &entry : inputs)
    EXPECT_TRUE((*instance)
                    ->setInput(entry.first(), getView(entry.second.values))
                    .ok());
  EXPECT_TRUE((*instance)->run().ok());
  const auto view = (*instance)->output("output");
  EXPECT_TRUE(view.ok());
  Matrix output(view->rows, view->cols);
  for (int64_t r = 0; r < output.rows; ++r)
    std::copy_n(view->row(r), output.cols, output.row(r).begin());
  return output;
}

/// Returns the outputs of a stream with random chunks for an utterance of
/// `numFrames` frames. `numFrames` and all chunks are multiples of the shortest
/// chunk.
Matrix runStream(const StreamCode &code, int64_t numSequences,
                 int64_t numFrames,
                 const llvm::StringMap<UtteranceInput> &inputs,
                 Random &random) {
  StreamOp stream = code.stream;
  const int64_t factor = stream.getFrameSubsamplingFactor();
  StreamStepper stepper(*code.runner, stream, numSequences);
  StreamState state;
  Matrix result;
  for (int64_t start = 0; start < numFrames;) {
    auto chunks = stepper.getChunks(state);
    llvm::erase_if(chunks,
                   [&](int64_t length) { return length > numFrames - start; });
    const int64_t length = chunks[random.between(0, int(chunks.size()) - 1)];
    llvm::StringMap<Matrix> chunk;
    for (const auto &entry : inputs)
      chunk[entry.first()] = entry.second.take(
          stream.getNewRows(entry.first(), length, !state.hasBegun), start);
    auto output = stepper.step(state, length, chunk);
    EXPECT_TRUE(mlir::succeeded(output));
    if (mlir::failed(output))
      return result;
    if (start == 0)
      result = Matrix(numSequences * numFrames / factor, output->cols);
    const int64_t rows = length / factor;
    for (int64_t n = 0; n < numSequences; ++n)
      for (int64_t r = 0; r < rows; ++r)
        llvm::copy(output->row(n * rows + r),
                   result.row((n * numFrames + start) / factor + r).begin());
    start += length;
  }
  return result;
}

/// Returns the first difference of two outputs, or "".
std::string findDifference(const Matrix &actual, const Matrix &expected) {
  for (int64_t r = 0; r < expected.rows; ++r)
    for (int64_t c = 0; c < expected.cols; ++c)
      if (std::memcmp(&actual(r, c), &expected(r, c), sizeof(float)) != 0 &&
          !(std::isnan(actual(r, c)) && std::isnan(expected(r, c))))
        return llvm::formatv("row {0} of {1}, column {2}: {3:e10}, not {4:e10}",
                             r, expected.rows, c, actual(r, c), expected(r, c))
            .str();
  return "";
}

} // namespace

std::unique_ptr<NativeRunner> NativeBitsTest::makeRunner(NetworkOp network) {
  NativeOptions options;
  options.precision = GetParam();
  auto runner = NativeRunner::create(network, options);
  EXPECT_TRUE(mlir::succeeded(runner));
  return std::move(*runner);
}

StreamCode NativeBitsTest::makeStream(mlir::ModuleOp module,
                                      const StreamOptions &options) {
  StreamCode code;
  code.module = module.clone();
  auto network = *code.module->getOps<NetworkOp>().begin();
  EXPECT_TRUE(mlir::succeeded(prepareForStreams(*code.module, GetParam())));
  mlir::SymbolTable symbols(*code.module);
  auto stream = createStream(symbols, network, options);
  if (mlir::failed(stream))
    return code;
  code.stream = *stream;
  code.runner = makeRunner(network);
  return code;
}

void NativeBitsTest::compare(NetworkOp network, const StreamCode &code,
                             Random &random) {
  StreamOp stream = code.stream;
  StreamStepper stepper(*code.runner, stream);
  // The longest chunk can begin, and all can follow.
  int64_t numFrames = stepper.getChunks(StreamState()).back();
  StreamState begun;
  begun.hasBegun = true;
  for (int i = 0; i < 4; ++i) {
    const auto chunks = stepper.getChunks(begun);
    numFrames += chunks[random.between(0, int(chunks.size()) - 1)];
  }
  auto runner = makeRunner(network);
  auto request = makeUtteranceRequest(stream, numFrames, 1);
  auto all = makeUtteranceRequest(stream, numFrames, kNumSequences);
  auto inputs = makeUtteranceInputs(*all, *runner, kNumSequences, random);
  // The network as it was reads the first i-vector alone.
  if (auto found = inputs.find("ivector"); found != inputs.end()) {
    UtteranceInput &ivectors = found->second;
    for (int64_t r = 0; r < ivectors.values.rows; ++r)
      llvm::copy(ivectors.values.row(r / ivectors.numRows * ivectors.numRows),
                 ivectors.values.row(r).begin());
  }
  const auto together = runWhole(*runner, *all, inputs);
  if (!together) {
    ++outcomes["streams, but not computable at once"];
    return;
  }
  const Matrix chunked =
      runStream(code, kNumSequences, numFrames, inputs, random);
  const int64_t numRows = together->rows / kNumSequences;
  for (int64_t n = 0; n < kNumSequences; ++n) {
    const auto one = takeSequence(inputs, n);
    const auto expected = runWhole(*runner, *request, one);
    ASSERT_TRUE(expected);
    auto slice = [&](const Matrix &matrix) {
      Matrix part(numRows, matrix.cols);
      std::copy_n(matrix.row(n * numRows).begin(), numRows * matrix.cols,
                  part.data.begin());
      return part;
    };
    EXPECT_EQ(findDifference(slice(*together), *expected), "")
        << "sequence " << n << " in a batch, at once";
    EXPECT_EQ(findDifference(slice(chunked), *expected), "")
        << "sequence " << n << " in a batch, in chunks";
    if (n == 0)
      EXPECT_EQ(
          findDifference(runStream(code, 1, numFrames, one, random), *expected),
          "")
          << "sequence " << n << " in chunks";
  }
  ++outcomes["compared"];
}

/// A stream whose results depend on its chunks gives the same results alone and
/// in a batch.
void NativeBitsTest::compareStreams(const StreamCode &code, Random &random) {
  StreamOp stream = code.stream;
  StreamStepper stepper(*code.runner, stream);
  const int64_t numFrames = 3 * stepper.getChunks(StreamState()).back();
  // Rows of networks that run in both directions may depend on each other, so
  // that neither chunks nor utterances can be computed.
  auto request = makeUtteranceRequest(stream, numFrames, 1);
  if (mlir::failed(code.runner->makeInstance(*request))) {
    ++outcomes["streams, but not computable at once"];
    return;
  }
  auto all = makeUtteranceRequest(stream, numFrames, kNumSequences);
  const auto inputs =
      makeUtteranceInputs(*all, *code.runner, kNumSequences, random);
  const Random same = random;
  Random draw = same;
  const Matrix together =
      runStream(code, kNumSequences, numFrames, inputs, draw);
  const int64_t numRows = together.rows / kNumSequences;
  for (int64_t n = 0; n < kNumSequences; ++n) {
    draw = same;
    const Matrix alone =
        runStream(code, 1, numFrames, takeSequence(inputs, n), draw);
    Matrix part(numRows, together.cols);
    std::copy_n(together.row(n * numRows).begin(), numRows * together.cols,
                part.data.begin());
    EXPECT_EQ(findDifference(part, alone), "") << "sequence " << n;
  }
  ++outcomes["depends on chunks"];
}

void NativeBitsTest::check(mlir::ModuleOp module, StreamOptions options,
                           Random &random) {
  std::string diagnostic;
  mlir::ScopedDiagnosticHandler handler(module.getContext(),
                                        [&](mlir::Diagnostic &diag) {
                                          diagnostic = diag.str();
                                          return mlir::success();
                                        });
  options.sequences = {1, kNumSequences};
  const StreamCode code = makeStream(module, options);
  if (!code.stream) {
    ++outcomes[diagnostic];
    return;
  }
  StreamOp stream = code.stream;
  if (stream.getDependsOnChunks())
    compareStreams(code, random);
  else
    compare(*module.getOps<NetworkOp>().begin(), code, random);
  ASSERT_FALSE(HasFailure()) << diagnostic;
}

TEST_P(NativeBitsTest, EqualAtOnceInBatchesAndInChunks) {
  forEachCase([&](Case &test) {
    // Each case runs with one precision; some of them are enough.
    if (test.getSeed() % (isLong() ? 6 : 15) != uint64_t(GetParam()))
      return;
    Random random(test.getSeed() * 7919 + 2);
    if (auto options = makeStreamOptions(test.getNetworkOp(), random))
      check(test.getModule(), *options, random);
  });
  for (const auto &[outcome, count] : outcomes)
    std::printf("%d: %s\n", count, outcome.c_str());
  EXPECT_GT(outcomes["compared"], 0);
}

/// Returns the networks of the reference to compare.
static std::vector<std::string> getNetworks(Precision precision) {
  if (isLong()) {
    std::vector<std::string> names = GoldenStream::getNames();
    // Attention that reads rows only if they are there depends on chunks.
    llvm::erase(names, "tdnn-attention");
    if (precision != Precision::F32)
      llvm::erase_if(names, [](const std::string &name) {
        return llvm::is_contained({"fast-lstm", "lstmp-extra-left-context",
                                   "tdnn", "tdnn-two-sequences"},
                                  name);
      });
    return names;
  }
  switch (precision) {
  case Precision::F32:
    return {"cnn-tdnn", "lstmp"};
  case Precision::BF16:
    return {"tdnnf"};
  case Precision::Int8:
  case Precision::Int16:
    return {"lstmp", "opgru"};
  case Precision::FP16:
  case Precision::TF32:
    break; // for GPUs
  }
  llvm_unreachable("all precisions are handled");
}

/// Networks that are large enough for the precision.
TEST_P(NativeBitsTest, EqualForNetworksOfTheReference) {
  const std::vector<std::string> names = getNetworks(GetParam());
  for (const std::string &name : names) {
    SCOPED_TRACE(name);
    const GoldenStream golden(name);
    mlir::MLIRContext context;
    context.loadDialect<Nnet3Dialect, mlir::memref::MemRefDialect>();
    auto module = golden.readModel(context);
    ASSERT_TRUE(module);
    StreamOptions options = golden.getOptions();
    options.chunks.push_back(3 * options.chunks.front());
    Random random(name.size());
    check(*module, options, random);
  }
  EXPECT_EQ(outcomes["compared"], int(names.size()));
}

/// An x-vector of all frames so far, whose statistics end two frames before its
/// outputs.
static constexpr llvm::StringLiteral kXvector = R"(
input-node name=input dim=12
component name=a type=AffineComponent input-dim=60 output-dim=40
component-node name=a component=a input=Append(Offset(input, -2), Offset(input, -1), input, Offset(input, 1), Offset(input, 2))
component name=relu type=RectifiedLinearComponent dim=40
component-node name=relu component=relu input=a
component name=extract type=StatisticsExtractionComponent input-dim=40
component-node name=extract component=extract input=relu
component name=pool type=StatisticsPoolingComponent input-dim=81 left-context=10000 right-context=0 output-stddevs=true
component-node name=pool component=pool input=extract
component name=b type=AffineComponent input-dim=80 output-dim=32
component-node name=b component=b input=pool
output-node name=output input=b
)";

/// The results of such networks depend on chunks, but must not depend on other
/// sequences.
TEST_P(NativeBitsTest, EqualWhereChunksCount) {
  if (GetParam() != Precision::F32 && !isLong())
    GTEST_SKIP() << "in the long form";
  Random random(1);
  {
    mlir::MLIRContext context;
    context.loadDialect<Nnet3Dialect, mlir::memref::MemRefDialect>();
    auto module = importConfigs({{kXvector, "xvector"}}, &context);
    ASSERT_TRUE(module);
    auto network = *module->getOps<NetworkOp>().begin();
    ASSERT_TRUE(mlir::succeeded(initializeParameters(network, /*seed=*/1)));
    StreamOptions options;
    options.chunks = {3, 9};
    check(*module, options, random);
  }
  for (const char *name : {"blstm", "tdnn-attention"}) {
    SCOPED_TRACE(name);
    mlir::MLIRContext context;
    context.loadDialect<Nnet3Dialect, mlir::memref::MemRefDialect>();
    const std::string path =
        std::string(NNET3_TEST_INPUTS "/golden/recipes/") + name + "/model.raw";
    auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
    ASSERT_TRUE(bool(file)) << path;
    auto module = readModel(**file, &context);
    ASSERT_TRUE(module);
    StreamOptions options;
    options.chunks = {9, 18};
    options.frameSubsamplingFactor = 3;
    options.ivectorPeriod = 0;
    options.allowChunkedRecurrence = true;
    check(*module, options, random);
  }
  EXPECT_EQ(outcomes["depends on chunks"], 3);
}

INSTANTIATE_TEST_SUITE_P(Precisions, NativeBitsTest,
                         ::testing::Values(Precision::F32, Precision::BF16,
                                           Precision::Int8, Precision::Int16));

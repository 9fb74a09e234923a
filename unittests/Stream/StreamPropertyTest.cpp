//===- StreamPropertyTest.cpp - Streams of random networks ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stream of random chunks gives the same results as one request for all
// frames. Networks whose outputs depend on chunk ends must run as well, with
// any results. An utterance may end in the middle of a chunk: frames behind it
// do not count, or the stream warns.
//
//===----------------------------------------------------------------------===//

#include "PropertyTest.h"
#include "StreamUtterance.h"

#include "nnet3/Execution/NnetRunner.h"
#include "nnet3/Execution/StreamStepper.h"
#include "nnet3/Stream/CreateStream.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;
using ::nnet3::kaldi::Matrix;

namespace {

class StreamPropertyTest : public PropertyTest {
protected:
  void check(Case &test);
  void compare(StreamOp stream, int64_t numSequences, Random &random);
  void compareEnds(StreamOp stream, bool warns, Random &random);
  void compareWithRows(Case &test, StreamOptions options, Random &random);

  std::map<std::string, int> outcomes;
};

} // namespace

/// Computes an utterance in chunks and as a whole.
void StreamPropertyTest::compare(StreamOp stream, int64_t numSequences,
                                 Random &random) {
  auto network =
      *stream->getParentOfType<mlir::ModuleOp>().getOps<NetworkOp>().begin();
  auto runner = NnetRunner::create(network);
  ASSERT_TRUE(mlir::succeeded(runner));
  StreamStepper computer(**runner, stream, numSequences);
  // The lengths of the chunks.
  std::vector<int64_t> lengths;
  StreamState state;
  int64_t numFrames = 0;
  for (int i = 0; i < 6; ++i) {
    const auto chunks = computer.getChunks(state);
    ASSERT_FALSE(chunks.empty());
    lengths.push_back(chunks[random.between(0, int(chunks.size()) - 1)]);
    numFrames += lengths.back();
    state.hasBegun = true;
  }
  state = StreamState();
  auto request = makeUtteranceRequest(stream, numFrames, numSequences);
  auto whole = (*runner)->makeInstance(*request);
  if (mlir::failed(whole)) {
    ++outcomes["streams, but not computable at once"];
    return;
  }
  const auto inputs =
      makeUtteranceInputs(*request, **runner, numSequences, random);
  for (const auto &input : inputs)
    ASSERT_TRUE(
        (*whole)->setInput(input.first(), getView(input.second.values)).ok());
  ASSERT_TRUE((*whole)->run().ok());
  const auto expected = (*whole)->output("output");
  ASSERT_TRUE(expected.ok());
  const int64_t factor = stream.getFrameSubsamplingFactor();
  int64_t start = 0;
  for (const int64_t length : lengths) {
    llvm::StringMap<Matrix> chunk;
    for (const auto &entry : inputs)
      chunk[entry.first()] = entry.second.take(
          stream.getNewRows(entry.first(), length, !state.hasBegun), start);
    auto output = computer.step(state, length, chunk);
    ASSERT_TRUE(mlir::succeeded(output));
    ASSERT_EQ(output->rows, numSequences * length / factor);
    for (int64_t r = 0; r < output->rows; ++r) {
      const int64_t n = r / (length / factor);
      const float *wanted = expected->row(
          n * (numFrames / factor) + start / factor + r % (length / factor));
      for (int64_t c = 0; c < output->cols; ++c) {
        ASSERT_TRUE(std::isfinite((*output)(r, c)) ||
                    !std::isfinite(wanted[c]));
        if (!stream.getDependsOnChunks() && std::isfinite(wanted[c]))
          ASSERT_NEAR((*output)(r, c), wanted[c],
                      1e-4f * (1 + std::abs(wanted[c])))
              << "chunk at " << start << " of " << length << " frames, output "
              << r << ", " << c;
      }
    }
    start += length;
  }
}

/// Computes an utterance twice: its last chunk has frames after the end, or the
/// frames end with the right context of the last output. Compares the outputs.
void StreamPropertyTest::compareEnds(StreamOp stream, bool warns,
                                     Random &random) {
  auto network =
      *stream->getParentOfType<mlir::ModuleOp>().getOps<NetworkOp>().begin();
  auto runner = NnetRunner::create(network);
  ASSERT_TRUE(mlir::succeeded(runner));
  const int64_t factor = stream.getFrameSubsamplingFactor();
  const int64_t unit = StreamStepper(**runner, stream, 1).getChunks({}).front();
  const int64_t numFrames = (1 + llvm::divideCeil(10, unit)) * unit;
  const int64_t numOutputs =
      numFrames / factor - random.between(1, int(unit / factor)) + 1;
  const int64_t lastOutput = (numOutputs - 1) * factor;
  llvm::StringMap<UtteranceInput> inputs;
  // Without and with the end.
  Matrix outputs[2];
  for (const bool ends : {false, true}) {
    auto request = ends ? makeUtteranceRequest(stream, numFrames, 1, lastOutput)
                        : makeUtteranceRequest(stream, numFrames, 1);
    auto instance = (*runner)->makeInstance(*request);
    if (mlir::failed(instance)) {
      ASSERT_TRUE(!ends || warns);
      ++outcomes["ends, but not computable at once"];
      return;
    }
    if (!ends)
      inputs = makeUtteranceInputs(*request, **runner, 1, random);
    llvm::StringMap<Matrix> values;
    for (auto io : request->getBody().getOps<RequestInputOp>()) {
      Matrix &rows = values[io.getName()];
      rows = inputs[io.getName()].take(io.getIndexes().expand(), 0);
      ASSERT_TRUE((*instance)->setInput(io.getName(), getView(rows)).ok());
    }
    ASSERT_TRUE((*instance)->run().ok());
    const auto output = (*instance)->output("output");
    ASSERT_TRUE(output.ok());
    outputs[ends] = Matrix(output->rows, output->cols);
    for (int64_t r = 0; r < output->rows; ++r)
      std::copy_n(output->row(r), output->cols, outputs[ends].row(r).begin());
  }
  ASSERT_EQ(outputs[1].rows, numOutputs);
  bool equal = true;
  for (size_t i = 0; i < outputs[1].data.size(); ++i) {
    const float value = outputs[1].data[i], wanted = outputs[0].data[i];
    if (!std::isfinite(wanted))
      continue;
    equal &= std::abs(value - wanted) <= 1e-4f * (1 + std::abs(wanted));
    if (!warns)
      ASSERT_TRUE(equal) << "output " << i / outputs[1].cols << " of "
                         << numOutputs << ": " << value << ", " << wanted;
  }
  ++outcomes[std::string(warns ? "warns of ends" : "ends") +
             (equal ? ", equal" : ", different")];
}

/// Widens the windows of statistics beyond all utterances of the test; returns
/// true if there are any.
static bool widenWindows(NetworkOp network, Random &random) {
  bool found = false;
  network.walk([&](StatisticsPoolingOp pool) {
    const int64_t period = pool.getInputPeriod();
    pool.setLeftContext(llvm::alignTo(4000, period));
    if (random.chance(0.5))
      pool.setRightContext(0);
    found = true;
  });
  return found;
}

static bool hasSums(StreamOp stream) {
  return llvm::any_of(
      stream.getBody().getOps<StreamStateOp>(), [](StreamStateOp state) {
        return llvm::StringRef(state.getNode()).ends_with(".sum");
      });
}

/// A stream that keeps running sums of statistics gives the same results as a
/// stream that keeps the statistics of each frame, chunk by chunk.
void StreamPropertyTest::compareWithRows(Case &test, StreamOptions options,
                                         Random &random) {
  mlir::OwningOpRef<mlir::ModuleOp> modules[2];
  std::unique_ptr<NnetRunner> runners[2];
  std::optional<StreamStepper> steppers[2];
  StreamState states[2];
  options.sequences = {1};
  for (int i : {0, 1}) {
    modules[i] = test.getModule().clone();
    auto network = *modules[i]->getOps<NetworkOp>().begin();
    mlir::SymbolTable symbols(*modules[i]);
    options.maxFrames = i == 0 ? 4000 : 0;
    auto stream = createStream(symbols, network, options);
    if (mlir::failed(stream))
      return;
    if (i == 0 && !hasSums(*stream))
      return;
    auto runner = NnetRunner::create(network);
    ASSERT_TRUE(mlir::succeeded(runner));
    runners[i] = std::move(*runner);
    steppers[i].emplace(*runners[i], *stream, 1);
    ASSERT_TRUE(mlir::succeeded(mlir::verify(*modules[i])));
  }
  StreamOp stream = *modules[0]->getOps<StreamOp>().begin();
  for (int step = 0; step < 5; ++step) {
    const auto chunks = steppers[0]->getChunks(states[0]);
    const int64_t length =
        step == 0 ? chunks.back()
                  : chunks[random.between(0, int(chunks.size()) - 1)];
    llvm::StringMap<Matrix> chunk;
    for (const char *node : {"input", "ivector"})
      if (runners[0]->getDim(node) > 0) {
        Matrix &values = chunk[node];
        values = Matrix(stream.getNewRows(node, length, step == 0).size(),
                        runners[0]->getDim(node));
        for (float &value : values.data)
          value = float(random.real(-1, 1));
      }
    const auto output = steppers[0]->step(states[0], length, chunk);
    const auto expected = steppers[1]->step(states[1], length, chunk);
    ASSERT_TRUE(mlir::succeeded(output));
    ASSERT_TRUE(mlir::succeeded(expected));
    ASSERT_EQ(output->data.size(), expected->data.size());
    for (size_t i = 0; i < expected->data.size(); ++i)
      ASSERT_NEAR(output->data[i], expected->data[i],
                  1e-4f * (1 + std::abs(expected->data[i])))
          << "step " << step << ", value " << i;
  }
  ++outcomes["sums are as rows"];
}

void StreamPropertyTest::check(Case &test) {
  Random random(test.getSeed() * 7919 + 1);
  NetworkOp network = test.getNetworkOp();
  // Diagnostics say why a network is not streamed.
  std::string diagnostic;
  mlir::ScopedDiagnosticHandler handler(network.getContext(),
                                        [&](mlir::Diagnostic &diag) {
                                          diagnostic = diag.str();
                                          return mlir::success();
                                        });
  auto options = makeStreamOptions(network, random);
  if (!options) {
    ++outcomes["repeats after more than 64 frames"];
    return;
  }
  if (widenWindows(network, random)) {
    options->maxFrames = 4000;
    compareWithRows(test, *options, random);
    ASSERT_FALSE(HasFailure()) << diagnostic;
  }
  diagnostic.clear();
  const int64_t numSequences = random.between(1, 2);
  options->sequences = {1, numSequences};
  mlir::SymbolTable symbols(test.getModule());
  auto stream = createStream(symbols, network, *options);
  if (mlir::failed(stream)) {
    ASSERT_NE(diagnostic, "");
    ++outcomes[diagnostic];
    return;
  }
  ASSERT_TRUE(mlir::succeeded(mlir::verify(test.getModule()))) << diagnostic;
  ++outcomes[(*stream).getDependsOnChunks() ? "streams, depends on chunks"
                                            : "streams"];
  outcomes["keeps sums"] += hasSums(*stream) && !(*stream).getDependsOnChunks();
  const bool warns = !diagnostic.empty();
  compare(*stream, numSequences, random);
  ASSERT_FALSE(HasFailure()) << diagnostic;
  if (!(*stream).getDependsOnChunks())
    compareEnds(*stream, warns, random);
  ASSERT_FALSE(HasFailure()) << diagnostic;
}

TEST_F(StreamPropertyTest, ChunksAreAsTheUtterance) {
  forEachCase([&](Case &test) { check(test); });
  for (const auto &[outcome, count] : outcomes)
    std::printf("%d: %s\n", count, outcome.c_str());
  EXPECT_GT(outcomes["streams"], 0);
  EXPECT_GT(outcomes["keeps sums"], 0);
  EXPECT_GT(outcomes["sums are as rows"], 0);
  EXPECT_GT(outcomes["streams, depends on chunks"], 0);
  EXPECT_GT(outcomes["ends, equal"], 0);
  EXPECT_GT(outcomes["warns of ends, different"], 0);
}

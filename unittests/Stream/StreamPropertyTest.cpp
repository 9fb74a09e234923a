//===- StreamPropertyTest.cpp - Streams of random networks ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stream of random chunks computes what one request for all frames does.
// Networks whose outputs depend on where chunks end must run, too; what they
// compute is their own.
//
//===----------------------------------------------------------------------===//

#include "PropertyTest.h"
#include "StreamUtterance.h"

#include "nnet3/Execution/NnetRunner.h"
#include "nnet3/Execution/StreamStepper.h"
#include "nnet3/Stream/CreateStream.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir::nnet3::property;
using namespace mlir::nnet3;
using ::nnet3::kaldi::Matrix;

namespace {

class StreamPropertyTest : public PropertyTest {
protected:
  void check(Case &test);
  void compare(StreamOp stream, int64_t numSequences, Random &random);

  std::map<std::string, int> outcomes;
};

} // namespace

/// Computes an utterance in chunks and at once.
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
  compare(*stream, numSequences, random);
  ASSERT_FALSE(HasFailure()) << diagnostic;
}

TEST_F(StreamPropertyTest, ChunksAreAsTheUtterance) {
  forEachCase([&](Case &test) { check(test); });
  for (const auto &[outcome, count] : outcomes)
    std::printf("%d: %s\n", count, outcome.c_str());
  EXPECT_GT(outcomes["streams"], 0);
  EXPECT_GT(outcomes["streams, depends on chunks"], 0);
}

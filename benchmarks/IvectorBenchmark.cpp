//===- IvectorBenchmark.cpp - i-vectors and the network -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/IvectorFiles.h"
#include "support/NativeNetwork.h"
#include "support/Streams.h"
#include "support/Timing.h"

#include "nnet3/runtime/nnet3_ivector.h"

#include <benchmark/benchmark.h>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::benchmarks;

static constexpr int64_t kFrames = 21;

namespace {
/// A stream of i-vectors from an extractor of typical size.
class IvectorStream {
public:
  explicit IvectorStream(int32_t ivectorDim)
      : files(ivectorDim), frames(files.makeFrames(kFrames * kChunks)),
        ivector(ivectorDim) {
    const std::vector<std::string> texts = files.getOptions();
    std::vector<const char *> options;
    for (const std::string &option : texts)
      options.push_back(option.c_str());
    char message[500] = "";
    if (nnet3_ivector_create(options.data(), options.size(), &extractor,
                             message, sizeof(message)) != NNET3_IVECTOR_OK ||
        nnet3_ivector_open(extractor, &stream) != NNET3_IVECTOR_OK) {
      llvm::errs() << message << "\n";
      std::exit(1);
    }
  }
  ~IvectorStream() {
    nnet3_ivector_close(stream);
    nnet3_ivector_destroy(extractor);
  }

  /// Accepts the frames of the next chunk and estimates the i-vector.
  void advance() {
    int64_t used = 0, written = 0;
    nnet3_ivector_push(
        stream, frames.data() + next * kFrames * IvectorFiles::kFeatures,
        kFrames, IvectorFiles::kFeatures, &used, nullptr, 0, &written);
    nnet3_ivector_latest(stream, ivector.data());
    next = (next + 1) % kChunks;
  }

private:
  static constexpr int64_t kChunks = 50;

  IvectorFiles files;
  std::vector<float> frames, ivector;
  nnet3_ivector *extractor = nullptr;
  nnet3_ivector_stream *stream = nullptr;
  int64_t next = 0;
};
} // namespace

/// Runs the i-vector extractor and the network on a chunk, in turn. The counter
/// `of_network` is the time of the extractor relative to that of the network.
static void runIvectors(benchmark::State &state, StringRef name,
                        int32_t ivectorDim) {
  Network network(name);
  StreamOp stream = makeStream(network.getOp(), {kFrames}, {1});
  NativeNetwork step(network, getRequest(stream, kFrames, /*isFirst=*/false));
  IvectorStream ivectors(ivectorDim);
  step.run();
  ivectors.advance();
  double total = 0, networkTotal = 0;
  for (auto _ : state) {
    const double time = processorSeconds([&] { ivectors.advance(); });
    networkTotal += processorSeconds([&] { step.run(); });
    total += time;
    state.SetIterationTime(time);
  }
  state.counters["of_network"] = total / networkTotal;
  state.counters["network_us"] =
      1e6 * networkTotal / double(state.iterations());
  state.counters["us_per_frame"] =
      1e6 * total / double(state.iterations() * kFrames);
}

static bool registerAll() {
  for (StringRef name : {"tdnn", "tdnnf"})
    for (int32_t dim : {40, 100})
      benchmark::RegisterBenchmark(
          ("ivectors/" + name + "/dim:" + Twine(dim) + "/t:21").str().c_str(),
          [=](auto &state) { runIvectors(state, name, dim); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
  return true;
}

static bool registered = registerAll();

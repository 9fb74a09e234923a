//===- RecognizeMain.cpp - The main function of nnet3-recognize -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Recogniser.h"
#include "nnet3/Kaldi/IO/Input.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Pipelines/StageDialects.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Tools/Recognize.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
using Clock = std::chrono::steady_clock;

static constexpr StringRef kName = "nnet3-recognize";

namespace {
/// Recognises the sound files of the command line.
class Recognition {
public:
  Recognition(Recogniser &recogniser, const RecognizeOptions &options,
              MLIRContext *context)
      : recogniser(recogniser), options(options), context(context) {}

  LogicalResult run(StringRef sound);

private:
  LogicalResult readSamples(WaveReader &reader);
  void noteArrival(Clock::time_point readBegin, int32_t rate);
  void printTimes(StringRef key, double seconds) const;

  Recogniser &recogniser;
  const RecognizeOptions &options;
  MLIRContext *context;
  int64_t numSamples = 0;
  /// Arrival time of the latest sample.
  Clock::time_point arrival;
  double slowestPartial = 0;
};
} // namespace

static double countSeconds(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Writes a line of JSON in the format of Vosk's servers.
static void writeJson(StringRef name, StringRef text) {
  llvm::outs() << llvm::json::Value(llvm::json::Object{{name, text}}) << "\n";
  llvm::outs().flush();
}

/// Returns the samples per piece: 10 ms, which bounds the waiting time of a
/// live sample.
static int32_t getPiece(int32_t rate) { return std::max(rate / 100, 1); }

/// Estimates when the last piece arrived. If reading blocked, it arrived just
/// now; otherwise one piece's duration after the previous one.
void Recognition::noteArrival(Clock::time_point readBegin, int32_t rate) {
  const auto now = Clock::now();
  const auto length = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(double(getPiece(rate)) / rate));
  const bool hadToWait = now - readBegin > std::chrono::milliseconds(1);
  arrival = hadToWait ? now : std::min(now, arrival + length);
}

/// Recognises samples while they arrive.
LogicalResult Recognition::readSamples(WaveReader &reader) {
  const int32_t rate = reader.getSampleFrequency();
  const size_t piece = getPiece(rate), partial = rate / 5;
  std::vector<float> all(reader.getNumChannels()), samples;
  arrival = Clock::now();
  for (auto readBegin = arrival; reader.hasMore();) {
    if (failed(reader.readSamples(all)))
      break;
    samples.push_back(all[recogniser.getChannel()]);
    ++numSamples;
    if (samples.size() < piece)
      continue;
    noteArrival(readBegin, rate);
    if (failed(recogniser.push(samples)))
      return failure();
    samples.clear();
    if (options.live && numSamples % partial < piece) {
      writeJson("partial", recogniser.getText(/*isEnd=*/false));
      slowestPartial = std::max(slowestPartial, countSeconds(arrival));
    }
    readBegin = Clock::now();
  }
  return recogniser.push(samples);
}

void Recognition::printTimes(StringRef key, double seconds) const {
  const StageTimes &times = recogniser.getTimes();
  const auto factor = [&](double time) {
    return llvm::formatv("{0:F5}", seconds > 0 ? time / seconds : 0).str();
  };
  printLog(kName, llvm::formatv("{0}: {1:F2} s of sound; real-time factors: "
                                "features {2}, i-vectors {3}, network {4}, "
                                "decoding {5}, all {6}",
                                key, seconds, factor(times.features),
                                factor(times.ivectors), factor(times.network),
                                factor(times.decoding), factor(times.getSum()))
                      .str());
}

LogicalResult Recognition::run(StringRef sound) {
  const auto check = [&](llvm::Error error) {
    return emitFileError(context, std::move(error));
  };
  auto source = openInput(sound);
  if (!source)
    return check(source.takeError());
  KaldiReader reader(**source);
  WaveReader wave(reader);
  if (failed(wave.readHeader()))
    return check(reader.takeError());
  const std::string error =
      recogniser.begin(wave.getSampleFrequency(), wave.getNumChannels());
  if (!error.empty())
    return check(makeFileError((*source)->getName(), error));
  numSamples = 0;
  slowestPartial = 0;
  if (failed(readSamples(wave)))
    return failure();
  if (reader.hasFailed())
    return check(reader.takeError());
  if (failed(recogniser.finish()))
    return failure();
  const StringRef key = sound == "-" ? "stdin" : llvm::sys::path::stem(sound);
  const std::string text = recogniser.getText(/*isEnd=*/true);
  if (options.live) {
    writeJson("text", text);
    printLog(kName,
             llvm::formatv("slowest partial result {0:F1} ms, final "
                           "result {1:F1} ms after the end",
                           1000 * slowestPartial, 1000 * countSeconds(arrival))
                 .str());
  } else {
    llvm::outs() << key << " " << text << "\n";
    llvm::outs().flush();
  }
  printTimes(key, double(numSamples) / wave.getSampleFrequency());
  return success();
}

static LogicalResult recognize(MLIRContext *context,
                               const RecognizeOptions &options) {
  const auto begin = Clock::now();
  auto recogniser = Recogniser::create(options, context);
  if (failed(recogniser))
    return failure();
  printLog(
      kName,
      llvm::formatv("opened the model in {0:F2} s", countSeconds(begin)).str());
  Recognition recognition(**recogniser, options, context);
  for (StringRef sound : options.sounds)
    if (failed(recognition.run(sound)))
      return failure();
  return success();
}

int mlir::nnet3::recognizeMain(int argc, char **argv) {
  RecognizeOptions options;
  if (std::optional<int> status = parseRecognizeOptions(argc, argv, options))
    return *status;
  DialectRegistry registry;
  registerStageDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<Nnet3Dialect>();
  context.printOpOnDiagnostic(false);
  LineDiagnosticHandler handler(&context, llvm::errs());
  return failed(recognize(&context, options)) ? 1 : 0;
}

//===- RunLive.cpp - Computing frames as they arrive ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/StreamedComputer.h"
#include "nnet3/Kaldi/IO/Input.h"
#include "nnet3/Kaldi/IO/OutputFile.h"
#include "nnet3/Kaldi/IO/PrintableText.h"
#include "nnet3/Kaldi/Tables/Tables.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Tools/Run.h"

#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <cmath>

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

/// Longer lines are not frames.
static constexpr size_t kMaxSpaces = 1 << 16, kMaxBytesPerNumber = 64;

namespace {

using Clock = std::chrono::steady_clock;

/// Latencies of any number of outputs, in constant memory: of all outputs, or,
/// beyond a maximum, of every second one, then of every fourth, and so on.
class Latencies {
public:
  void add(double milliseconds);
  void print(llvm::raw_ostream &os);
  int64_t getCount() const { return count; }

private:
  static constexpr size_t kMax = 1 << 16;

  std::vector<double> kept;
  int64_t count = 0, step = 1;
  double largest = 0;
};

/// Computes a sequence of utterances.
class LiveRun {
public:
  LiveRun(StreamedComputer &computer, const RunOptions &options)
      : computer(computer), options(options),
        factor(computer.getFrameSubsamplingFactor()) {
    computer.begin();
    utterance.key = "live";
    utterance.features = &frames;
  }

  LogicalResult run();

private:
  MLIRContext *getContext() {
    return computer.getRunner().getNetwork().getContext();
  }
  LogicalResult findIvector();
  LogicalResult readInput();
  LogicalResult readLines(ByteSource &source);
  LogicalResult readSound(ByteSource &source);
  LogicalResult addLine(StringRef line, StringRef file, int64_t number);
  LogicalResult computeNew();
  LogicalResult compute(bool isWhole);
  LogicalResult endUtterance();
  void write(const Matrix &rows);
  void printLatency();

  StreamedComputer &computer;
  const RunOptions &options;
  const int64_t factor;
  std::unique_ptr<OutputFile> output;

  /// The current utterance: the frames that are still needed, and the arrival
  /// time of each.
  Utterance utterance;
  Matrix frames;
  std::vector<Clock::time_point> arrivals;
  int64_t firstOutput = 0; ///< frame of the next output

  std::vector<float> ivector;
  Latencies latencies;
  int64_t numDone = 0;
};

} // namespace

void Latencies::add(double milliseconds) {
  largest = std::max(largest, milliseconds);
  if (count++ % step != 0)
    return;
  if (kept.size() == kMax) {
    for (size_t i = 0; i < kMax / 2; ++i)
      kept[i] = kept[2 * i];
    kept.resize(kMax / 2);
    step *= 2;
  }
  kept.push_back(milliseconds);
}

void Latencies::print(llvm::raw_ostream &os) {
  if (kept.empty())
    return;
  llvm::sort(kept);
  auto getPercentile = [&](double share) {
    return kept[size_t(share * double(kept.size() - 1))];
  };
  os << llvm::formatv("Latency, ms: median {0:F1}, 99% {1:F1}, "
                      "largest {2:F1}\n",
                      getPercentile(0.5), getPercentile(0.99), largest);
}

LogicalResult LiveRun::findIvector() {
  if (options.ivectors.empty())
    return success();
  auto table = RandomAccessVectorReader::open(options.ivectors, {});
  if (!table)
    return emitFileError(getContext(), table.takeError());
  auto found = (*table)->find("live");
  if (!found)
    return emitFileError(getContext(), found.takeError());
  if (!*found)
    return mlir::emitError(computer.getRunner().getNetwork().getLoc())
           << "expects an i-vector of key 'live' in "
           << quoteForMessage(options.ivectors);
  ivector = **found;
  utterance.ivector = &ivector;
  return success();
}

/// Handles line `number` of the input: a frame, or the end of an utterance.
LogicalResult LiveRun::addLine(StringRef line, StringRef file, int64_t number) {
  if (line.trim().empty())
    return endUtterance();
  const int64_t dim = computer.getRunner().getDim("input");
  auto emitError = [&](int64_t column) {
    return mlir::emitError(
        FileLineColLoc::get(getContext(), file, number, column + 1));
  };
  frames.cols = dim;
  const size_t begin = frames.data.size();
  for (StringRef rest = line.ltrim(); !rest.empty(); rest = rest.ltrim()) {
    const StringRef word = rest.take_until(llvm::isSpace);
    const int64_t column = word.begin() - line.begin();
    if (int64_t(frames.data.size() - begin) == dim)
      return emitError(column)
             << "expects a frame of " << dim << " numbers, but got more";
    double value = 0;
    if (word.getAsDouble(value) || !std::isfinite(float(value)))
      return emitError(column)
             << "expects a number, but got " << quoteForMessage(word);
    frames.data.push_back(float(value));
    rest = rest.drop_front(word.size());
  }
  if (const int64_t count = frames.data.size() - begin; count < dim)
    return emitError(0) << "expects a frame of " << dim << " numbers, but got "
                        << count;
  ++frames.rows;
  return computeNew();
}

/// Computes the outputs of the newly arrived frames.
LogicalResult LiveRun::computeNew() {
  arrivals.resize(frames.rows, Clock::now());
  return compute(/*isWhole=*/false);
}

/// Writes the outputs that can be computed now.
LogicalResult LiveRun::compute(bool isWhole) {
  while (true) {
    FailureOr<Matrix> rows = computer.advance(utterance, isWhole);
    if (failed(rows))
      return failure();
    if (rows->rows == 0)
      return success();
    write(*rows);
    if (llvm::Error error = output->flush())
      return emitFileError(getContext(), std::move(error));
    const auto now = Clock::now();
    for (int64_t r = 0; r < rows->rows; ++r)
      latencies.add(std::chrono::duration<double, std::milli>(
                        now - arrivals[firstOutput + r * factor])
                        .count());
    const int64_t numDropped = computer.dropFrames(frames);
    arrivals.erase(arrivals.begin(), arrivals.begin() + numDropped);
    firstOutput += rows->rows * factor - numDropped;
  }
}

void LiveRun::write(const Matrix &rows) {
  llvm::raw_ostream &os = output->getStream();
  for (int64_t r = 0; r < rows.rows; ++r) {
    for (float value : rows.row(r))
      os << llvm::format("%.9g ", double(value));
    os << "\n";
  }
}

LogicalResult LiveRun::endUtterance() {
  if (frames.rows == 0)
    return success();
  if (failed(compute(/*isWhole=*/true)))
    return failure();
  output->getStream() << "\n";
  frames = Matrix();
  arrivals.clear();
  computer.begin();
  firstOutput = 0;
  ++numDone;
  return emitFileError(getContext(), output->flush());
}

LogicalResult LiveRun::readLines(ByteSource &source) {
  const int64_t dim = computer.getRunner().getDim("input");
  const size_t maxBytes = kMaxSpaces + kMaxBytesPerNumber * dim;
  int64_t number = 0;
  std::string line;
  std::vector<char> buffer(1 << 16);
  while (true) {
    llvm::Expected<size_t> size = source.read(buffer.data(), buffer.size());
    if (!size)
      return emitFileError(
          getContext(),
          makeFileError(source.getName(), llvm::toString(size.takeError())));
    if (*size == 0)
      break;
    for (char c : ArrayRef(buffer.data(), *size)) {
      if (c != '\n' && line.size() < maxBytes) {
        line.push_back(c);
        continue;
      }
      if (c != '\n')
        return mlir::emitError(FileLineColLoc::get(
                   getContext(), source.getName(), number + 1, 1))
               << "expects a frame of " << dim
               << " numbers, but got a line of more than " << maxBytes
               << " bytes";
      if (failed(addLine(line, source.getName(), ++number)))
        return failure();
      line.clear();
    }
  }
  if (!line.empty() && failed(addLine(line, source.getName(), ++number)))
    return failure();
  if (llvm::Error error = source.close())
    return emitFileError(getContext(), std::move(error));
  return endUtterance();
}

/// Reads one utterance of sound.
LogicalResult LiveRun::readSound(ByteSource &source) {
  auto features = SoundFeatures::create(options.sound);
  if (!features)
    return emitFileError(getContext(), features.takeError());
  auto emit = [&](const llvm::Twine &message) {
    return emitFileError(getContext(),
                         makeFileError(source.getName(), message));
  };
  const int64_t dim = computer.getRunner().getDim("input");
  if ((*features)->getDim() != dim)
    return emit("expects features of dimension " + llvm::Twine(dim) +
                " for the network, but the configuration gives " +
                llvm::Twine((*features)->getDim()));
  KaldiReader reader(source);
  WaveReader sound(reader);
  if (failed(sound.readHeader()))
    return emitFileError(getContext(), reader.takeError());
  const std::string error =
      (*features)->begin(sound.getSampleFrequency(), sound.getNumChannels());
  if (!error.empty())
    return emit(error);
  std::vector<float> samples(sound.getNumChannels());
  while (sound.hasMore()) {
    if (failed(sound.readSamples(samples)))
      break;
    const int64_t before = frames.rows;
    (*features)->push(samples[(*features)->getChannel()], frames);
    if (frames.rows > before && failed(computeNew()))
      return failure();
  }
  if (reader.hasFailed())
    return emitFileError(getContext(), reader.takeError());
  (*features)->finish(frames);
  return failure(failed(computeNew()) || failed(endUtterance()));
}

LogicalResult LiveRun::readInput() {
  auto source = openInput(options.features);
  if (!source)
    return emitFileError(getContext(), source.takeError());
  return options.sound.wav ? readSound(**source) : readLines(**source);
}

/// Prints the latency from the arrival of a frame to its output.
void LiveRun::printLatency() {
  llvm::errs() << "Done " << numDone << " utterances, " << latencies.getCount()
               << " outputs\n";
  latencies.print(llvm::errs());
}

LogicalResult LiveRun::run() {
  auto file = OutputFile::create(options.output);
  if (!file)
    return emitFileError(getContext(), file.takeError());
  output = std::move(*file);
  if (failed(findIvector()))
    return failure();
  const LogicalResult result = readInput();
  printLatency();
  if (failed(result))
    return failure();
  return emitFileError(getContext(), output->commit());
}

/// Compiles all chunks of the stream, so that the first frames do not wait for
/// it.
static LogicalResult compileChunks(RequestRunner &runner, StreamOp stream) {
  for (auto chunk : stream.getBody().getOps<StreamChunkOp>())
    for (FlatSymbolRefAttr name : {chunk.getFirstAttr(), chunk.getNextAttr()})
      if (name &&
          failed(runner.prepare(
              SymbolTable::lookupNearestSymbolFrom<RequestOp>(stream, name))))
        return failure();
  return success();
}

namespace mlir::nnet3 {

LogicalResult runLive(const Runners &runners, const RunOptions &options) {
  if (failed(checkIvectors(*runners.backend, options, options.model)))
    return failure();
  auto computer = makeStreamedComputer(runners, *runners.backend, options);
  if (failed(computer))
    return failure();
  if (!runners.compiled &&
      failed(compileChunks(*runners.backend, runners.stream)))
    return failure();
  return LiveRun(**computer, options).run();
}

} // namespace mlir::nnet3

//===- RunTables.cpp - The network over a table of features ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/ChunkedComputer.h"
#include "nnet3/Execution/Chunking.h"
#include "nnet3/Execution/StreamedComputer.h"
#include "nnet3/Execution/TerminalLine.h"
#include "nnet3/Execution/UtteranceComputer.h"
#include "nnet3/Kaldi/IO/PrintableText.h"
#include "nnet3/Kaldi/Tables/Tables.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Tools/Comparison.h"
#include "nnet3/Tools/Run.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
using llvm::StringRef;

namespace {

using Clock = std::chrono::steady_clock;

/// What has been done so far, and a line about it on a terminal.
class Progress {
public:
  void utteranceDone(int64_t numFrames, const RequestRunner &runner) {
    ++numDone;
    frames += numFrames;
    if (onTerminal && Clock::now() - lastShown > std::chrono::milliseconds(100))
      show(runner.getActivity());
  }
  void utteranceFailed(const llvm::Twine &reason) {
    ++numFailed;
    warn("warning: " + reason);
  }
  void warn(const llvm::Twine &message) {
    clear();
    llvm::errs() << makeShortMessage(message.str()) << "\n";
  }
  /// Removes the line, so that something else can be printed.
  void clear() { showOnTerminal(""); }
  void printSummary();

  int64_t numDone = 0, numFailed = 0;

private:
  double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }
  void show(const std::string &activity) {
    showOnTerminal(
        llvm::Twine(numDone) + " utterances, " + llvm::Twine(frames) +
        " frames, " +
        llvm::formatv("{0:F0}", frames / std::max(seconds(), 1e-9)).str() +
        " frames/s" + (activity.empty() ? "" : ", ") + activity);
    lastShown = Clock::now();
  }

  int64_t frames = 0;
  bool onTerminal = llvm::sys::Process::StandardErrIsDisplayed();
  Clock::time_point start = Clock::now(), lastShown = start;
};

/// The tables of one run.
class TableRun {
public:
  /// `reference` may be null.
  TableRun(UtteranceComputer &computer, UtteranceComputer *reference,
           const RunOptions &options)
      : computer(computer), reference(reference), options(options) {}

  LogicalResult run();

private:
  LogicalResult open();
  LogicalResult openFeatures(const TableOptions &tableOptions);
  LogicalResult computeAll();
  LogicalResult closeInputs();
  LogicalResult computeNext(StringRef key, const Matrix &features);
  FailureOr<bool> findIvectors(Utterance &utterance);
  LogicalResult compare(const Utterance &utterance, const Matrix &output);

  /// Prints `error`, if there is one. The errors of tables name their places
  /// themselves.
  LogicalResult check(llvm::Error error) {
    if (!error)
      return success();
    progress.warn(llvm::toString(std::move(error)));
    return failure();
  }
  template <typename T> LogicalResult take(llvm::Expected<T> value, T &result) {
    if (!value)
      return check(value.takeError());
    result = std::move(*value);
    return success();
  }

  UtteranceComputer &computer, *reference;
  const RunOptions &options;
  Comparison comparison;
  Progress progress;
  std::unique_ptr<SequentialMatrixReader> features;
  std::unique_ptr<RandomAccessVectorReader> ivectors;
  std::unique_ptr<RandomAccessTokenReader> speakers;
  std::unique_ptr<RandomAccessMatrixReader> onlineIvectors;
  std::unique_ptr<MatrixWriter> writer;
};

} // namespace

/// Throughput, counting 100 frames per second of speech.
void Progress::printSummary() {
  clear();
  double elapsed = seconds();
  if (frames > 0)
    llvm::errs() << "Time taken " << llvm::format("%.3f", elapsed)
                 << " s: real-time factor assuming 100 frames/s is "
                 << llvm::format("%.6g", elapsed * 100 / frames) << ", "
                 << llvm::format("%.0f", frames / std::max(elapsed, 1e-9))
                 << " frames/s\n";
  llvm::errs() << "Done " << numDone << " utterances, failed for " << numFailed
               << "\n";
}

LogicalResult TableRun::openFeatures(const TableOptions &tableOptions) {
  if (!options.sound.wav)
    return take(SequentialMatrixReader::open(options.features, tableOptions),
                features);
  std::unique_ptr<SoundFeatures> sound;
  return failure(failed(take(SoundFeatures::create(options.sound), sound)) ||
                 failed(take(openSoundTable(options.features, tableOptions,
                                            std::move(sound)),
                             features)));
}

LogicalResult TableRun::open() {
  TableOptions tableOptions;
  tableOptions.allowScpPipes = options.allowScpPipes;
  tableOptions.warn = [this](StringRef message) { progress.warn(message); };
  if (failed(openFeatures(tableOptions)))
    return failure();
  if (!options.ivectors.empty() &&
      failed(
          take(RandomAccessVectorReader::open(options.ivectors, tableOptions),
               ivectors)))
    return failure();
  if (!options.utt2spk.empty() &&
      failed(take(RandomAccessTokenReader::open(options.utt2spk, tableOptions),
                  speakers)))
    return failure();
  if (!options.onlineIvectors.empty() &&
      failed(take(
          RandomAccessMatrixReader::open(options.onlineIvectors, tableOptions),
          onlineIvectors)))
    return failure();
  return take(MatrixWriter::open(options.output, tableOptions), writer);
}

/// Looks the i-vectors of an utterance up; false, with a warning, if they are
/// missing.
FailureOr<bool> TableRun::findIvectors(Utterance &utterance) {
  if (ivectors) {
    StringRef key = utterance.key;
    if (speakers) {
      const std::string *speaker = nullptr;
      if (failed(take(speakers->find(key), speaker)))
        return failure();
      if (!speaker) {
        progress.utteranceFailed("no speaker for utterance '" + key + "'");
        return false;
      }
      key = *speaker;
    }
    if (failed(take(ivectors->find(key), utterance.ivector)))
      return failure();
    if (!utterance.ivector) {
      progress.utteranceFailed("no i-vector for utterance '" + utterance.key +
                               "'");
      return false;
    }
  }
  if (onlineIvectors) {
    if (failed(take(onlineIvectors->find(utterance.key),
                    utterance.onlineIvectors)))
      return failure();
    if (!utterance.onlineIvectors) {
      progress.utteranceFailed("no online i-vectors for utterance '" +
                               utterance.key + "'");
      return false;
    }
  }
  return true;
}

LogicalResult TableRun::compare(const Utterance &utterance,
                                const Matrix &output) {
  if (!reference)
    return success();
  FailureOr<Matrix> expected = reference->compute(utterance);
  if (failed(expected))
    return failure();
  comparison.add(getView(*expected), getView(output));
  return success();
}

LogicalResult TableRun::computeNext(StringRef key, const Matrix &matrix) {
  if (matrix.rows == 0) {
    progress.utteranceFailed("zero-length utterance '" + key + "'");
    return success();
  }
  Utterance utterance;
  utterance.key = key;
  utterance.features = &matrix;
  FailureOr<bool> found = findIvectors(utterance);
  if (failed(found))
    return failure();
  if (!*found)
    return success();
  FailureOr<Matrix> output = computer.compute(utterance);
  if (failed(output) || failed(compare(utterance, *output)) ||
      failed(check(writer->write(key, *output))))
    return failure();
  progress.utteranceDone(matrix.rows, computer.getRunner());
  return success();
}

LogicalResult TableRun::closeInputs() {
  if (ivectors && failed(check(ivectors->close())))
    return failure();
  if (speakers && failed(check(speakers->close())))
    return failure();
  return onlineIvectors ? check(onlineIvectors->close()) : success();
}

LogicalResult TableRun::computeAll() {
  while (true) {
    bool more = false;
    if (failed(take(features->next(), more)))
      return failure();
    if (!more)
      return closeInputs();
    if (failed(computeNext(features->getKey(), features->getValue())))
      return failure();
  }
}

LogicalResult TableRun::run() {
  if (failed(open()))
    return failure();
  LogicalResult result = computeAll();
  // Whole utterances are kept when a later one fails.
  if (succeeded(result) || progress.numDone > 0)
    if (failed(check(writer->close())))
      result = failure();
  progress.printSummary();
  if (reference && progress.numDone > 0)
    comparison.print(llvm::errs(), "output", options.describeComparison());
  return success(succeeded(result) && progress.numDone > 0);
}

namespace mlir::nnet3 {

/// How the model wants utterances to be cut.
static FailureOr<Chunking> getChunking(const Runners &runners,
                                       const RunOptions &options) {
  const ChunkOptions &wanted = options.compute.chunks;
  if (runners.compiled) {
    auto chunking = getLibraryChunking(runners.compiled->getLibrary(), wanted,
                                       options.givenChunkOptions);
    if (chunking)
      return *chunking;
    return emitFileError(
        runners.backend->getNetwork().getContext(),
        makeFileError(options.model, llvm::toString(chunking.takeError())));
  }
  auto chunking = getNetworkChunking(*runners.backend, wanted);
  // Each shape that machine code is made for takes the compiler's time.
  if (succeeded(chunking))
    chunking->pads = options.backend != "interpreter";
  if (succeeded(chunking) && chunking->framesPerChunk != wanted.framesPerChunk)
    llvm::errs() << "increasing --frames-per-chunk from "
                 << wanted.framesPerChunk << " to " << chunking->framesPerChunk
                 << ", a multiple of --frame-subsampling-factor and of the "
                    "network's modulus\n";
  return chunking;
}

FailureOr<std::unique_ptr<StreamedComputer>>
makeStreamedComputer(const Runners &runners, RequestRunner &runner,
                     const RunOptions &options) {
  if (!runners.compiled)
    return StreamedComputer::create(
        runner, makeNetworkStream(runner, runners.stream), options.compute);
  MLIRContext *context = runner.getNetwork().getContext();
  auto stream =
      makeLibraryStream(runners.compiled->getSharedLibrary(),
                        options.compute.chunks, options.givenChunkOptions,
                        options.numThreads, runner.getNetwork().getLoc());
  if (!stream)
    return emitFileError(
        context,
        makeFileError(options.model, llvm::toString(stream.takeError())));
  return StreamedComputer::create(runner, std::move(*stream), options.compute);
}

LogicalResult checkIvectors(const RequestRunner &runner,
                            const RunOptions &options) {
  const int64_t dim = runner.getDim("ivector");
  const bool areGiven =
      !options.ivectors.empty() || !options.onlineIvectors.empty();
  if ((dim > 0) == areGiven)
    return success();
  return emitFileError(
      runner.getNetwork().getContext(),
      dim > 0
          ? makeFileError(options.model,
                          "the network has an input 'ivector' of dimension " +
                              llvm::Twine(dim) +
                              ", so option '--ivectors' or "
                              "'--online-ivectors' is needed")
          : makeFileError(options.model,
                          "the network has no input 'ivector', so option '--" +
                              llvm::Twine(options.ivectors.empty()
                                              ? "online-ivectors"
                                              : "ivectors") +
                              "' is of no use"));
}

/// What computes utterances with `runner`, the backend or the reference.
static FailureOr<std::unique_ptr<UtteranceComputer>>
makeComputer(const Runners &runners, RequestRunner &runner,
             const RunOptions &options) {
  if (options.streaming) {
    auto made = makeStreamedComputer(runners, runner, options);
    if (failed(made))
      return failure();
    return std::unique_ptr<UtteranceComputer>(std::move(*made));
  }
  auto chunking = getChunking(runners, options);
  if (failed(chunking))
    return failure();
  chunking->pads &= &runner == runners.backend.get();
  return ChunkedComputer::create(runner, *chunking, options.compute);
}

LogicalResult runTables(const Runners &runners, const RunOptions &options) {
  if (failed(checkIvectors(*runners.backend, options)))
    return failure();
  auto computer = makeComputer(runners, *runners.backend, options);
  if (failed(computer))
    return failure();
  std::unique_ptr<UtteranceComputer> reference;
  if (runners.reference) {
    auto made = makeComputer(runners, *runners.reference, options);
    if (failed(made))
      return failure();
    reference = std::move(*made);
  }
  LogicalResult result = TableRun(**computer, reference.get(), options).run();
  if (options.verbose > 0)
    llvm::errs() << "compiled " << runners.backend->getNumCompiled()
                 << " computations\n";
  return result;
}

} // namespace mlir::nnet3

//===- RunTables.cpp - Computing tables of features -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/BatchedComputer.h"
#include "nnet3/Execution/Chunking.h"
#include "nnet3/Execution/StreamedComputer.h"
#include "nnet3/Execution/TerminalLine.h"
#include "nnet3/Execution/UtteranceComputer.h"
#include "nnet3/Kaldi/IO/PrintableText.h"
#include "nnet3/Kaldi/Tables/Tables.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Tools/Common/Comparison.h"
#include "nnet3/Tools/Common/UtteranceReader.h"
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

/// Counts the work so far, and shows it on a terminal.
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
  /// Clears the progress line before other output.
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

/// Processes the tables of one run.
class TableRun {
public:
  /// `batched` equals `computer` if that computes batches; otherwise it is
  /// null. `reference` may be null.
  TableRun(UtteranceComputer &computer, BatchedComputer *batched,
           UtteranceComputer *reference, const RunOptions &options)
      : computer(computer), batched(batched), reference(reference),
        options(options) {}

  LogicalResult run();

private:
  LogicalResult open();
  LogicalResult openFeatures(const TableOptions &tableOptions,
                             std::unique_ptr<SequentialMatrixReader> &features);
  LogicalResult computeAll();
  LogicalResult computeNext(const Utterance &utterance);
  LogicalResult takeOutput(const Utterance &utterance, const Matrix &output);
  LogicalResult compare(const Utterance &utterance, const Matrix &output);

  /// Prints `error`, if there is one. Errors of tables contain their positions.
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

  UtteranceComputer &computer;
  BatchedComputer *batched;
  UtteranceComputer *reference;
  const RunOptions &options;
  Comparison comparison;
  Progress progress;
  std::unique_ptr<UtteranceReader> utterances;
  std::unique_ptr<MatrixWriter> writer;
};

} // namespace

/// Prints the throughput, for 100 frames per second of speech.
void Progress::printSummary() {
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

LogicalResult
TableRun::openFeatures(const TableOptions &tableOptions,
                       std::unique_ptr<SequentialMatrixReader> &features) {
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
  std::unique_ptr<SequentialMatrixReader> features;
  if (failed(openFeatures(tableOptions, features)))
    return failure();
  auto skip = [this](const llvm::Twine &reason) {
    progress.utteranceFailed(reason);
  };
  return failure(
      failed(take(UtteranceReader::open(std::move(features), options,
                                        tableOptions, skip),
                  utterances)) ||
      failed(take(MatrixWriter::open(options.output, tableOptions), writer)));
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

LogicalResult TableRun::computeNext(const Utterance &utterance) {
  if (batched)
    return batched->add(utterance);
  FailureOr<Matrix> output = computer.compute(utterance);
  return failed(output) ? failure() : takeOutput(utterance, *output);
}

LogicalResult TableRun::takeOutput(const Utterance &utterance,
                                   const Matrix &output) {
  if (failed(compare(utterance, output)) ||
      failed(check(writer->write(utterance.key, output))))
    return failure();
  progress.utteranceDone(utterance.features->rows, computer.getRunner());
  return success();
}

LogicalResult TableRun::computeAll() {
  while (true) {
    const Utterance *utterance = nullptr;
    if (failed(take(utterances->next(), utterance)))
      return failure();
    if (!utterance)
      return success();
    if (failed(computeNext(*utterance)))
      return failure();
  }
}

LogicalResult TableRun::run() {
  if (failed(open()))
    return failure();
  if (batched)
    batched->setSink([this](const Utterance &utterance, const Matrix &output) {
      return takeOutput(utterance, output);
    });
  LogicalResult result = computeAll();
  if (batched && failed(batched->finish()))
    result = failure();
  // If a later utterance fails, the earlier ones are kept.
  if (progress.numDone > 0 && failed(check(writer->close())))
    result = failure();
  progress.clear();
  if (succeeded(result) || progress.numDone + progress.numFailed > 0)
    progress.printSummary();
  if (reference && progress.numDone > 0)
    comparison.print(llvm::errs(), "output", options.describeComparison());
  if (succeeded(result) && progress.numDone == 0)
    return check(makeFileError(options.features, "no utterance was computed"));
  return result;
}

namespace mlir::nnet3 {

/// Sets how the program splits the ends of utterances into chunks.
static void setRules(Chunking &chunking, const RunOptions &options) {
  if (options.program == RunProgram::ComputeBatch) {
    chunking.rules = ChunkRules::ComputeBatch;
    chunking.exactShort = options.ensureExactFinalContext;
    return;
  }
  // Each shape costs compile time with machine code, and fewer shapes fill
  // batches sooner.
  const bool isNative = options.backend != "interpreter";
  chunking.pads = isNative || options.isBatched();
  chunking.batches = !isNative && options.isBatched();
}

/// Returns how utterances are split into chunks.
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
  if (succeeded(chunking))
    setRules(*chunking, options);
  return chunking;
}

/// Prints a note if the chunks are longer than requested.
static void noteLongerChunks(const Runners &runners, int64_t framesPerChunk,
                             const RunOptions &options) {
  const int64_t wanted = options.compute.chunks.framesPerChunk;
  if (!runners.compiled && framesPerChunk != wanted)
    llvm::errs() << "increasing --frames-per-chunk from " << wanted << " to "
                 << framesPerChunk
                 << ", a multiple of --frame-subsampling-factor and of the "
                    "network's modulus\n";
}

FailureOr<std::unique_ptr<StreamedComputer>>
makeStreamedComputer(const Runners &runners, RequestRunner &runner,
                     const RunOptions &options) {
  if (!runners.compiled) {
    // The other backend of a comparison has the same chunks.
    if (&runner == runners.backend.get()) {
      StreamOp stream = runners.stream;
      auto chunks = stream.getBody().getOps<StreamChunkOp>();
      noteLongerChunks(runners, (*chunks.begin()).getNumFrames(), options);
    }
    return StreamedComputer::create(
        runner,
        makeNetworkStream(runner, runners.stream,
                          options.compute.chunks.framesPerChunk),
        options.compute);
  }
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

/// Makes a computer for single utterances with `runner`, the backend or the
/// reference.
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
  if (&runner == runners.backend.get())
    noteLongerChunks(runners, chunking->framesPerChunk, options);
  else
    chunking->pads = false;
  return ChunkedComputer::create(runner, *chunking, options.compute);
}

/// Makes a computer that batches utterances, with the backend.
static FailureOr<std::unique_ptr<BatchedComputer>>
makeBatchedComputer(const Runners &runners, const RunOptions &options) {
  auto chunking = getChunking(runners, options);
  if (failed(chunking))
    return failure();
  noteLongerChunks(runners, chunking->framesPerChunk, options);
  BatchOptions batches = options.batches;
  if (options.program != RunProgram::ComputeBatch)
    batches.edgeMinibatchSize = batches.minibatchSize;
  return BatchedComputer::create(*runners.backend, *chunking, options.compute,
                                 batches);
}

LogicalResult runTables(const Runners &runners, const RunOptions &options) {
  if (failed(checkIvectors(*runners.backend, options, options.model)))
    return failure();
  std::unique_ptr<UtteranceComputer> computer, reference;
  BatchedComputer *batched = nullptr;
  if (options.isBatched()) {
    auto made = makeBatchedComputer(runners, options);
    if (failed(made))
      return failure();
    batched = made->get();
    computer = std::move(*made);
  } else {
    auto made = makeComputer(runners, *runners.backend, options);
    if (failed(made))
      return failure();
    computer = std::move(*made);
  }
  if (runners.reference) {
    auto made = makeComputer(runners, *runners.reference, options);
    if (failed(made))
      return failure();
    reference = std::move(*made);
  }
  LogicalResult result =
      TableRun(*computer, batched, reference.get(), options).run();
  if (options.verbose > 0)
    llvm::errs() << "compiled " << runners.backend->getNumCompiled()
                 << " computations\n";
  return result;
}

} // namespace mlir::nnet3

//===- Recogniser.cpp - From sound to words -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Recogniser.h"
#include "NetworkLibrary.h"
#include "nnet3/Execution/NnetRunner.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Pipelines/TestMode.h"
#include "nnet3/Stream/CreateStream.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Target/Kaldi/TensorData.h"
#include "nnet3/Target/Kaldi/TrainTransitions.h"

#include "llvm/Support/FileSystem.h"
#include <ctime>
#include <limits>

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;
using llvm::Error;

/// Returns processor time in seconds, which does not count other processes.
static double getProcessorSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

namespace {
/// Adds its lifetime to the time of a stage.
class StageTimer {
public:
  explicit StageTimer(double &seconds)
      : seconds(seconds), begin(getProcessorSeconds()) {}
  ~StageTimer() { seconds += getProcessorSeconds() - begin; }

private:
  double &seconds;
  double begin;
};
} // namespace

LogicalResult Recogniser::check(Error error) {
  return emitFileError(context, std::move(error));
}

/// Reads the network output of each transition-id.
static llvm::Expected<std::vector<int32_t>> readOutputs(NetworkOp network) {
  TransitionModel model;
  std::optional<StringRef> packed =
      getByteData(network.getTransitionModelAttr());
  if (Error error =
          readPackedTransitionModel(packed.value_or(StringRef()), model))
    return std::move(error);
  auto ids = getTransitionIds(model);
  if (!ids)
    return ids.takeError();
  std::vector<int32_t> outputs = {-1};
  for (const TransitionId &id : *ids)
    outputs.push_back(id.pdf);
  return outputs;
}

static ChunkOptions getChunkOptions(const RecognizeOptions &options) {
  ChunkOptions chunks;
  chunks.framesPerChunk = options.framesPerChunk;
  chunks.frameSubsamplingFactor = options.frameSubsamplingFactor;
  return chunks;
}

/// Opens the model with the interpreter.
FailureOr<std::unique_ptr<ChunkStream>> Recogniser::openInterpreter() {
  if (failed(setTestMode(model.network, options.folder)))
    return failure();
  StreamOptions plan;
  plan.chunks = options.getChunkLengths();
  plan.frameSubsamplingFactor = options.frameSubsamplingFactor;
  // The default period, as in libraries of nnet3-compile, so that the same rows
  // read a new i-vector.
  plan.ivectorPeriod = 0;
  SymbolTable symbols(*model.module);
  auto stream = createStream(symbols, model.network, plan);
  if (failed(stream))
    return failure();
  auto made = NnetRunner::create(model.network);
  if (failed(made))
    return failure();
  runner = std::move(*made);
  return makeNetworkStream(*runner, *stream, options.framesPerChunk);
}

/// Opens a library of the model.
FailureOr<std::unique_ptr<ChunkStream>>
Recogniser::openLibrary(StringRef path) {
  auto file = findNetworkLibrary(path, options);
  if (!file)
    return check(file.takeError());
  auto opened = LibraryRunner::create(*file, /*cacheCapacity=*/1,
                                      options.numThreads, context);
  if (failed(opened))
    return failure();
  NetworkOp network = (*opened)->getNetwork();
  network.setPriorsAttr(model.network.getPriorsAttr());
  // The user's own library determines these values.
  GivenChunkOptions given;
  given.framesPerChunk = given.frameSubsamplingFactor = options.library.empty();
  auto stream =
      makeLibraryStream((*opened)->getSharedLibrary(), getChunkOptions(options),
                        given, options.numThreads, network.getLoc());
  if (!stream)
    return check(makeFileError(*file, llvm::toString(stream.takeError())));
  runner = std::move(*opened);
  return std::move(*stream);
}

LogicalResult Recogniser::openModel() {
  const std::string path = findModelFile(options.folder);
  auto loaded = loadAcousticModel(path, context);
  if (failed(loaded))
    return failure();
  model = std::move(*loaded);
  auto outputs = readOutputs(model.network);
  if (!outputs)
    return check(outputs.takeError());
  outputOfTransition = std::move(*outputs);
  auto stream =
      options.backend == "interpreter" ? openInterpreter() : openLibrary(path);
  if (failed(stream))
    return failure();
  ComputeOptions compute;
  compute.chunks = getChunkOptions(options);
  compute.usePriors = true;
  // There is a single row of i-vectors, the latest.
  compute.onlineIvectorPeriod = std::numeric_limits<int32_t>::max();
  auto made = StreamedComputer::create(*runner, std::move(*stream), compute);
  if (failed(made))
    return failure();
  computer = std::move(*made);
  const int64_t numOutputs = runner->getDim("output");
  for (int32_t output : outputOfTransition)
    if (output >= numOutputs)
      return check(makeFileError(path, "has a transition to output " +
                                           llvm::Twine(output) + " of " +
                                           llvm::Twine(numOutputs)));
  return success();
}

LogicalResult Recogniser::openSound() {
  SoundOptions sound;
  sound.channel = options.channel;
  const std::string mfcc = options.getPath("conf/mfcc.conf");
  const std::string fbank = options.getPath("conf/fbank.conf");
  if (llvm::sys::fs::exists(mfcc))
    sound.mfccConfig = mfcc;
  else if (llvm::sys::fs::exists(fbank))
    sound.fbankConfig = fbank;
  auto opened = SoundFeatures::create(sound);
  if (!opened)
    return check(opened.takeError());
  features = std::move(*opened);
  const int64_t ivectorDim = runner->getDim("ivector");
  if (ivectorDim == 0)
    return success();
  const auto file = [&](StringRef option, StringRef name) {
    return "--" + option.str() + "=" +
           options.getPath(("ivector/" + name).str());
  };
  // The defaults of Vosk's servers.
  auto extractor = IvectorExtractor::create(
      {file("splice-config", "splice.conf"),
       file("cmvn-config", "online_cmvn.conf"), file("lda-matrix", "final.mat"),
       file("global-cmvn-stats", "global_cmvn.stats"),
       file("diag-ubm", "final.dubm"), file("ivector-extractor", "final.ie"),
       "--num-gselect=5", "--min-post=0.025", "--posterior-scale=0.1",
       "--max-remembered-frames=1000", "--max-count=100",
       "--use-most-recent-ivector=true"});
  if (!extractor)
    return check(extractor.takeError());
  ivectors = std::move(*extractor);
  if (ivectors->getDim() != ivectorDim)
    return check(makeFileError(
        options.getPath("ivector/final.ie"),
        "expects i-vectors of dimension " + llvm::Twine(ivectorDim) +
            " for the network, but got " + llvm::Twine(ivectors->getDim())));
  if (ivectors->getFeatureDim() != features->getDim())
    return check(makeFileError(
        options.getPath("ivector/global_cmvn.stats"),
        "expects statistics of " + llvm::Twine(features->getDim()) +
            " features, but got " + llvm::Twine(ivectors->getFeatureDim())));
  ivector = Matrix(1, ivectorDim);
  return success();
}

LogicalResult Recogniser::openGraph() {
  std::string error;
  graph = rt::DecodingGraph::read(options.graph, error);
  if (!error.empty()) {
    auto [file, text] = StringRef(error).split(": ");
    return check(makeFileError(file, text));
  }
  rt::DecoderOptions search;
  search.beam = options.beam;
  search.maxActive = options.maxActive;
  search.minActive = options.minActive;
  search.acousticScale = options.acousticScale;
  decoder =
      std::make_unique<rt::BeamDecoder>(*graph, outputOfTransition, search);
  return success();
}

FailureOr<std::unique_ptr<Recogniser>>
Recogniser::create(const RecognizeOptions &options, MLIRContext *context) {
  std::unique_ptr<Recogniser> made(new Recogniser(options, context));
  if (failed(made->openModel()) || failed(made->openSound()) ||
      failed(made->openGraph()))
    return failure();
  return made;
}

//===----------------------------------------------------------------------===//
// Utterances
//===----------------------------------------------------------------------===//

std::string Recogniser::begin(int32_t sampleFrequency, int32_t numChannels) {
  std::string error = features->begin(sampleFrequency, numChannels);
  if (!error.empty())
    return error;
  if (ivectors)
    ivectors->beginSpeaker();
  computer->begin();
  decoder->begin();
  frames = Matrix(0, features->getDim());
  numIvectorFrames = 0;
  times = {};
  utterance = {"sound", &frames, nullptr, ivectors ? &ivector : nullptr};
  return {};
}

/// Sets `ivector` to the i-vector of the first `numFrames` frames.
void Recogniser::findIvector(int64_t numFrames, bool isEnd) {
  if (!ivectors)
    return;
  const StageTimer timer(times.ivectors);
  Matrix none;
  if (numFrames > numIvectorFrames)
    ivectors->push(frames.row(numIvectorFrames).data(),
                   numFrames - numIvectorFrames, frames.cols, none);
  numIvectorFrames = std::max(numFrames, numIvectorFrames);
  if (isEnd)
    ivectors->finish(none);
  ivectors->getLatest(ivector.row(0));
}

LogicalResult Recogniser::decode(const Matrix &rows) {
  const StageTimer timer(times.decoding);
  for (int64_t r = 0; r < rows.rows; ++r)
    decoder->advance(rows.row(r).data());
  if (!decoder->sawWrongLabel())
    return success();
  return check(makeFileError(options.graph,
                             "the graph has labels above the model's " +
                                 llvm::Twine(outputOfTransition.size() - 1) +
                                 " transition-ids"));
}

/// Computes and decodes all chunks whose frames are complete.
LogicalResult Recogniser::computeNew(bool isWhole) {
  while (frames.rows > 0) {
    const int64_t numRead = computer->getNumFramesRead(utterance, isWhole);
    if (numRead > frames.rows)
      return success();
    findIvector(numRead, isWhole && numRead == frames.rows);
    FailureOr<Matrix> rows = [&] {
      const StageTimer timer(times.network);
      return computer->advance(utterance, isWhole);
    }();
    if (failed(rows) || failed(decode(*rows)))
      return failure();
    if (rows->rows == 0)
      return success();
  }
  return success();
}

LogicalResult Recogniser::push(ArrayRef<float> samples) {
  {
    const StageTimer timer(times.features);
    features->push(samples, frames);
  }
  return computeNew(/*isWhole=*/false);
}

LogicalResult Recogniser::finish() {
  {
    const StageTimer timer(times.features);
    features->finish(frames);
  }
  return computeNew(/*isWhole=*/true);
}

std::string Recogniser::getText(bool isEnd) const {
  std::string text;
  for (int32_t label : decoder->getBestWords(isEnd))
    text += (text.empty() ? "" : " ") + graph->getWord(label);
  return text;
}

//===- RunOptions.cpp - The command line of nnet3-run ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/RunOptions.h"
#include "nnet3/Dialect/Kernel/IR/Precision.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Kaldi/Tables/TableSpecifier.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Tools/Common/SharedOptions.h"
#include "nnet3/runtime/GeneratedCode.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

static void registerTableOptions(OptionParser &parser, RunOptions &o) {
  parser.beginGroup("Features from tables");
  o.registerInputOptions(parser);
  o.registerOutputOptions(parser);
  parser.add("allow-scp-pipes", &o.allowScpPipes,
             "Run the commands that scp files name as inputs");
}

static void registerBatchOptions(OptionParser &parser, RunOptions &o) {
  parser.beginGroup("Batches");
  parser.add("minibatch-size", &o.batches.minibatchSize,
             "How many chunks of equal shape, of any utterances, are computed "
             "at once; 1: each one alone");
  if (o.program != RunProgram::ComputeBatch)
    return;
  parser.add("edge-minibatch-size", &o.batches.edgeMinibatchSize,
             "The same for chunks with another context at the start or end of "
             "an utterance");
  parser.add("partial-minibatch-factor", &o.batches.partialMinibatchFactor,
             "Batches that are not full have the size of a full one times a "
             "power of this; 0: the full size");
  parser.add("ensure-exact-final-context", &o.ensureExactFinalContext,
             "Compute utterances shorter than a chunk at their own length, "
             "rather than as if their last frame went on");
}

static void registerStreamOptions(OptionParser &parser, RunOptions &o) {
  parser.beginGroup("Streams");
  parser.add("streaming", &o.streaming,
             "Compute each chunk from its own frames and the state that the "
             "chunk before has left, as for live speech");
  parser.add("live", &o.live,
             "With --streaming, read frames as lines of numbers as they come, "
             "an empty line after each utterance, and write outputs as lines "
             "as soon as they exist; '-' is standard input and output. The "
             "i-vector is that of key 'live'");
  parser.add("allow-chunked-recurrence", &o.allowChunkedRecurrence,
             "With --streaming, compute a recurrence that runs backward in "
             "each chunk as if no frames followed");
}

static void registerSoundOptions(OptionParser &parser, SoundOptions &o) {
  parser.beginGroup("Features from sound");
  parser.add("wav", &o.wav,
             "The table to read, or with --live the file, has sound: WAV files "
             "of 16-bit samples. A single FILE.wav is a table too");
  parser.add("mfcc-config", &o.mfccConfig,
             "Kaldi's configuration of MFCC features; MODEL/conf/mfcc.conf if "
             "MODEL is a folder that has it");
  parser.add("fbank-config", &o.fbankConfig,
             "Kaldi's configuration of fbank features, in place of MFCC");
  parser.add("channel", &o.channel,
             "Channel of the sound, from 0; -1: the only one");
}

/// Kaldi's options of training steps (spec: nnet3bin.md 9).
static void registerTrainingOptions(OptionParser &parser, RunOptions &o) {
  parser.beginGroup("Training steps");
  parser.add("trained-model", &o.trainedModel,
             "Train on the request, with --output-deriv as supervision, and "
             "write the model to this file");
  parser.add("training-steps", &o.trainingSteps,
             "With --trained-model, how often");
  registerTrainerOptions(parser, o.training);
}

static void registerBackendOptions(OptionParser &parser, RunOptions &o) {
  parser.beginGroup("Backends");
  parser.add("backend", &o.backend,
             "interpreter|native|cuda: what computes; native compiles to "
             "machine code first, cuda to code for the first GPU");
  parser.add("native-after", &o.nativeAfter,
             "With --backend=native over tables: the interpreter computes so "
             "many frames of each chunk shape, while the shape is compiled; 0 "
             "compiles first. -1: 20000, or 0 with --streaming, --compare, "
             "--precision or --program-cache");
  parser.add(
      "precision", &o.precision,
      "f32|bf16|fp16|int16|int8: the number format of large matmuls in the "
      "native backend; f32|tf32|bf16|fp16 with cuda");
  parser.add("component-precisions", &o.componentPrecisions,
             "Components that compute in other numbers than --precision says, "
             "each as NAME:PRECISION, with commas between them: f32, or int16 "
             "or bf16 beside int8");
  parser.add("num-threads", &o.numThreads,
             "Threads that share large matmuls of the native backend "
             "or a library, or all that the native backend computes with "
             "derivatives; results do not depend on it");
  parser.addOptional("compare", &o.compare, "interpreter",
                     "Compute with this backend too, and print how far the "
                     "outputs of --backend are from its");
  parser.add("debug-computation", &o.debugComputation,
             "Print compiled computations, and every command that runs");
  parser.add("program-cache", &o.programCache,
             "Folder that keeps compiled programs from run to run; several "
             "processes may share it");
  parser.add("program-cache-size", &o.programCacheMegabytes,
             "Megabytes of --program-cache; what is unused for longest is "
             "removed beyond");
  parser.add("use-gpu", &o.useGpu,
             "yes|no|optional|wait: accepted for compatibility; see --backend");
}

void RunOptions::registerRequestOptions(OptionParser &parser) {
  parser.beginGroup("Training examples");
  parser.add("egs", &egs, "The table to read has training examples");
  parser.add("output-name", &outputName, "With --egs, the output to compute");
  parser.beginGroup("Single requests");
  parser.add("request", &request,
             "Compute this request once, on the matrices of --input");
  parser.add("input", &inputTexts,
             "NAME=MATRIX: file with the value of a request's input");
  parser.add("output", &outputTexts,
             "NAME=MATRIX: file for the value of a request's output");
  parser.add("output-deriv", &outputDerivTexts,
             "NAME=MATRIX: file with the derivative of a request's output");
  parser.add("input-deriv", &inputDerivTexts,
             "NAME=MATRIX: file for the derivative of a request's input");
  parser.add("model-deriv", &modelDeriv,
             "File for the derivative of the model's parameters, a raw model");
  parser.add("model-stats", &modelStats,
             "File for the model with the statistics of this run in place of "
             "its own");
  parser.add("binary", &binary,
             "Write what a request gives, matrices and models, in binary");
}

void RunOptions::registerOptions(OptionParser &parser) {
  parser.add("init-seed", &initSeed,
             "Seed of the parameters, where the model is a config");
  parser.add("train-mode", &trainMode,
             "Batch norm and dropout keep the mode that the model has, rather "
             "than test mode; derivatives, statistics and training always keep "
             "it");
  parser.add("print-args", &printArgs, "Print the command line to stderr");
  parser.add("verbose", &verbose, "Print more the higher it is");
  registerTableOptions(parser, *this);
  registerBatchOptions(parser, *this);
  registerSoundOptions(parser, sound);
  registerBackendOptions(parser, *this);
  if (program == RunProgram::Run) {
    registerStreamOptions(parser, *this);
    registerRequestOptions(parser);
    registerTrainingOptions(parser, *this);
  }
  registerCompilerOptions(parser, optimization, cacheCapacity);
}

static Error expectAtLeast(StringRef option, int64_t least, int64_t got) {
  if (got >= least)
    return Error::success();
  return optionError("option '--" + option + "' expects at least " +
                     Twine(least) + ", but got " + Twine(got));
}

static Error expectAtMost(StringRef option, int64_t most, int64_t got) {
  if (got <= most)
    return Error::success();
  return optionError("option '--" + option + "' expects at most " +
                     Twine(most) + ", but got " + Twine(got));
}

/// Splits the values `NAME=MATRIX` of option `option`; names must be unique.
static Error splitNamedFiles(StringRef option,
                             llvm::ArrayRef<std::string> texts,
                             std::vector<NamedFile> &files) {
  for (StringRef text : texts) {
    auto [name, file] = text.split('=');
    if (name.empty() || file.empty())
      return optionError("option '--" + option +
                         "' expects NAME=MATRIX, but got " +
                         quoteForMessage(text));
    for (const NamedFile &other : files)
      if (other.name == name)
        return optionError("option '--" + option + "' names '" + name +
                           "' twice");
    files.push_back({name.str(), file.str()});
  }
  return Error::success();
}

static Error checkBackend(StringRef option, StringRef backend) {
  if (backend == "interpreter" || backend == "native" || backend == "cuda")
    return Error::success();
  return optionError("option '--" + option +
                     "' expects interpreter, native or cuda, but got " +
                     quoteForMessage(backend));
}

Error RunOptions::checkBackends() const {
  if (Error error = checkBackend("backend", backend))
    return error;
  if (!compare.empty())
    if (Error error = checkBackend("compare", compare))
      return error;
  auto known = mlir::nnet3::parsePrecision(precision);
  if (!known)
    return optionError("option '--precision' expects f32, tf32, bf16, fp16, "
                       "int16 or int8, but got " +
                       quoteForMessage(precision));
  if (precision != "f32" && backend == "interpreter")
    return optionError("option '--precision' needs --backend=native or cuda");
  if (!componentPrecisions.empty() &&
      (backend != "native" || precision == "f32"))
    return optionError("option '--component-precisions' needs --backend=native "
                       "and --precision=bf16, fp16, int16 or int8");
  for (StringRef choice : llvm::split(componentPrecisions, ','))
    if (!componentPrecisions.empty() &&
        !mlir::nnet3::parseComponentPrecision(choice))
      return optionError("option '--component-precisions' expects "
                         "NAME:PRECISION, but got " +
                         quoteForMessage(choice));
  if (!(backend == "cuda" ? isForGpu(*known) : isForCpu(*known)))
    return optionError(
        "option '--precision=" + precision +
        "' needs --backend=" + (backend == "cuda" ? "native" : "cuda"));
  if (nativeAfter > 0 && (backend != "native" || precision != "f32"))
    return optionError("option '--native-after' needs --backend=native and "
                       "--precision=f32");
  if (backend != "interpreter" && debugComputation)
    return optionError("option '--debug-computation' needs "
                       "--backend=interpreter");
  return Error::success();
}

static GivenChunkOptions getGivenChunkOptions(const OptionParser &parser) {
  GivenChunkOptions given;
  given.framesPerChunk = parser.wasGiven("frames-per-chunk");
  given.frameSubsamplingFactor = parser.wasGiven("frame-subsampling-factor");
  for (const char *name :
       {"extra-left-context", "extra-right-context",
        "extra-left-context-initial", "extra-right-context-final"})
    if (parser.wasGiven(name))
      given.extraContext = name;
  return given;
}

int64_t RunOptions::getNativeAfter() const {
  // About the compile time of a typical network, in frames. All chunks of
  // streams but the first have one shape, which is worth compiling at once.
  constexpr int64_t kDefault = 20000;
  if (nativeAfter >= 0 || streaming || !compare.empty() || precision != "f32" ||
      !programCache.empty())
    return std::max(nativeAfter, 0);
  return kDefault;
}

Error RunOptions::checkModel() const {
  if (numThreads == 1 || backend == "native" || compare == "native")
    return Error::success();
  return optionError("option '--num-threads' needs --backend=native, or a "
                     "library");
}

Error RunOptions::checkLibrary() const {
  auto needs = [&](StringRef what) {
    return makeFileError(model, what + " needs a model, not a library");
  };
  if (givenBackend && backend != "native")
    return needs("--backend=" + backend);
  if (!compare.empty())
    return needs("--compare");
  if (debugComputation)
    return needs("--debug-computation");
  if (compute.usePriors)
    return needs("--use-priors");
  if (precision != "f32")
    return needs("--precision");
  if (trainMode)
    return needs("--train-mode");
  if (allowChunkedRecurrence)
    return needs("--allow-chunked-recurrence");
  if (!trainedModel.empty())
    return needs("--trained-model");
  if (isBatched())
    return needs("computing chunks in batches");
  return trains() ? needs("what has derivatives or statistics")
                  : Error::success();
}

Error RunOptions::finish(llvm::ArrayRef<std::string> positional,
                         const OptionParser &parser) {
  givenBackend = parser.wasGiven("backend");
  givenChunkOptions = getGivenChunkOptions(parser);
  if (Error error = checkBackends())
    return error;
  if (!llvm::StringSwitch<bool>(useGpu)
           .Cases({"yes", "no", "optional", "wait"}, true)
           .Default(false))
    return optionError("option '--use-gpu' expects yes, no, optional or wait, "
                       "but got " +
                       quoteForMessage(useGpu));
  for (auto [option, value] :
       {std::pair<StringRef, int32_t>{"compiler.cache-capacity", cacheCapacity},
        {"program-cache-size", programCacheMegabytes},
        {"num-threads", numThreads}})
    if (Error error = expectAtLeast(option, 1, value))
      return error;
  if (Error error =
          expectAtMost("num-threads", NNET3LIB_MAX_THREADS, numThreads))
    return error;
  if (Error error = expectAtLeast("native-after", -1, nativeAfter))
    return error;
  size_t expected = request.empty() ? 3 : 1;
  if (positional.size() != expected)
    return optionError("expects " + Twine(expected) +
                       (expected == 1 ? " argument" : " arguments") +
                       (request.empty() ? "" : " with --request") +
                       ", but got " + Twine(positional.size()));
  model = findModelFile(positional[0]);
  if (Error error = finishSound(positional[0]))
    return error;
  if (Error error = finishTraining(parser))
    return error;
  if (egs && !request.empty())
    return optionError("--egs and --request exclude each other");
  if (Error error = checkStreaming())
    return error;
  if (Error error = checkBatches())
    return error;
  if (!request.empty())
    return finishRequest();
  features = positional[1];
  output = positional[2];
  return finishTables();
}

Error RunOptions::checkStreaming() const {
  if (live && !streaming)
    return optionError("option '--live' needs --streaming");
  if (live && !compare.empty())
    return optionError("--live and --compare exclude each other");
  if (live && (!onlineIvectors.empty() || !utt2spk.empty()))
    return optionError("--live takes the i-vector of key 'live' in --ivectors, "
                       "but got --online-ivectors or --utt2spk");
  if (!streaming)
    return allowChunkedRecurrence
               ? optionError("option '--allow-chunked-recurrence' needs "
                             "--streaming")
               : Error::success();
  if (egs || !request.empty())
    return optionError("option '--streaming' needs a table of features");
  const ChunkOptions &c = compute.chunks;
  if (c.extraLeftContext > 0 || c.extraRightContext > 0 ||
      c.extraRightContextFinal > 0)
    return optionError("--streaming allows no extra context but "
                       "--extra-left-context-initial");
  return Error::success();
}

Error RunOptions::checkBatches() const {
  if (Error error = expectAtLeast("minibatch-size", 1, batches.minibatchSize))
    return error;
  if (Error error =
          expectAtLeast("edge-minibatch-size", 1, batches.edgeMinibatchSize))
    return error;
  if (!(batches.partialMinibatchFactor >= 0 &&
        batches.partialMinibatchFactor < 1))
    return optionError("option '--partial-minibatch-factor' expects a number "
                       "from 0 to below 1, but got " +
                       std::to_string(batches.partialMinibatchFactor));
  if (isBatched() && (streaming || egs || !request.empty()))
    return optionError("option '--minibatch-size' needs a table of features, "
                       "without --streaming");
  return Error::success();
}

Error RunOptions::finishRequest() {
  if (Error error = splitNamedFiles("input", inputTexts, inputs))
    return error;
  if (Error error = splitNamedFiles("output", outputTexts, outputs))
    return error;
  if (Error error =
          splitNamedFiles("output-deriv", outputDerivTexts, outputDerivs))
    return error;
  if (Error error =
          splitNamedFiles("input-deriv", inputDerivTexts, inputDerivs))
    return error;
  if (trains() && !compare.empty())
    return optionError("--compare is about outputs; it excludes derivatives "
                       "and statistics");
  return Error::success();
}

Error RunOptions::finishTraining(const OptionParser &parser) const {
  if (trainedModel.empty()) {
    for (const char *name :
         {"training-steps", "srand", "zero-component-stats", "momentum",
          "l2-regularize-factor", "max-param-change", "batchnorm-stats-scale",
          "backstitch-training-scale", "backstitch-training-interval"})
      if (parser.wasGiven(name))
        return optionError("option '--" + Twine(name) +
                           "' needs --trained-model");
    return Error::success();
  }
  if (request.empty())
    return optionError("option '--trained-model' needs --request");
  if (precision != "f32")
    return optionError("--trained-model needs --precision=f32");
  if (!outputTexts.empty() || !inputDerivTexts.empty() || !modelDeriv.empty() ||
      !modelStats.empty())
    return optionError("--trained-model and what else a request gives exclude "
                       "each other");
  return expectAtLeast("training-steps", 0, trainingSteps);
}

Error RunOptions::finishSound(StringRef modelArgument) {
  if (!sound.wav) {
    if (!sound.mfccConfig.empty() || !sound.fbankConfig.empty() ||
        sound.channel >= 0)
      return optionError("options '--mfcc-config', '--fbank-config' and "
                         "'--channel' need --wav");
    return Error::success();
  }
  if (egs || !request.empty())
    return optionError("--wav and --egs or --request exclude each other");
  if (!sound.mfccConfig.empty() && !sound.fbankConfig.empty())
    return optionError("--mfcc-config and --fbank-config exclude each other");
  llvm::SmallString<128> config(modelArgument);
  llvm::sys::path::append(config, "conf", "mfcc.conf");
  if (sound.mfccConfig.empty() && sound.fbankConfig.empty() &&
      llvm::sys::fs::exists(config))
    sound.mfccConfig = config.str().str();
  return expectAtLeast("channel", -1, sound.channel);
}

Error RunOptions::finishTables() {
  if (egs && !compare.empty())
    return optionError("--egs and --compare exclude each other");
  for (auto [option, given] :
       {std::pair<StringRef, bool>{"input", !inputTexts.empty()},
        {"output", !outputTexts.empty()},
        {"input-deriv", !inputDerivTexts.empty()},
        {"output-deriv", !outputDerivTexts.empty()},
        {"model-deriv", !modelDeriv.empty()},
        {"model-stats", !modelStats.empty()}})
    if (given)
      return optionError("option '--" + option + "' needs --request");
  for (StringRef table : {features, ivectors, onlineIvectors})
    if (Error error = checkIsNotRead(output, table))
      return error;
  return finishUtteranceOptions();
}

//===- RunMain.cpp - The main function of nnet3-run -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/CpuTrainer.h"
#include "nnet3/Execution/CudaRunner.h"
#include "nnet3/Execution/CudaTrainer.h"
#include "nnet3/Execution/HybridRunner.h"
#include "nnet3/Execution/NativeTrainer.h"
#include "nnet3/Pipelines/NativeCode.h"
#include "nnet3/Pipelines/StageDialects.h"
#include "nnet3/Pipelines/TestMode.h"
#include "nnet3/Stream/CreateStream.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Tools/Common/CommandLine.h"
#include "nnet3/Tools/Common/TestModes.h"
#include "nnet3/Tools/Run.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"

using namespace mlir;
using namespace mlir::nnet3;

static const char kUsage[] =
    "Runs a network over features, as Kaldi's nnet3-compute does, or computes "
    "one request.\n"
    "\n"
    "Usage: nnet3-run [options] MODEL FEATURES-RSPECIFIER OUTPUT-WSPECIFIER\n"
    "   or: nnet3-run [options] --wav MODEL WAV-RSPECIFIER "
    "OUTPUT-WSPECIFIER\n"
    "   or: nnet3-run [options] --egs MODEL EGS-RSPECIFIER OUTPUT-WSPECIFIER\n"
    "   or: nnet3-run [options] --request=FILE --input=NAME=MATRIX... "
    "--output=NAME=MATRIX...\n"
    "         [--output-deriv=NAME=MATRIX... --input-deriv=NAME=MATRIX... "
    "--model-deriv=RAW]\n"
    "         [--model-stats=RAW] [--trained-model=RAW] MODEL\n"
    "\n"
    "MODEL is a raw model, an acoustic model (.mdl), a config, an xconfig, "
    "MLIR, a\n"
    "library of nnet3-compile, or a folder with am/final.mdl or final.mdl.\n"
    "e.g.: nnet3-run --frames-per-chunk=50 final.raw scp:feats.scp "
    "ark:output.ark\n";

static const char kComputeUsage[] =
    "Runs a network over features.\n"
    "\n"
    "Usage: nnet3-compute [options] MODEL FEATURES-RSPECIFIER "
    "OUTPUT-WSPECIFIER\n"
    "\n"
    "e.g.: nnet3-compute --frames-per-chunk=50 final.raw scp:feats.scp "
    "ark:output.ark\n";

static const char kComputeBatchUsage[] =
    "Runs a network over features, chunks of several utterances at once.\n"
    "\n"
    "Usage: nnet3-compute-batch [options] MODEL FEATURES-RSPECIFIER "
    "OUTPUT-WSPECIFIER\n"
    "\n"
    "All chunks have one length. The last one of an utterance begins earlier\n"
    "instead, and a shorter utterance is computed as if its last frame went "
    "on.\n"
    "e.g.: nnet3-compute-batch --minibatch-size=128 final.raw scp:feats.scp "
    "ark:output.ark\n";

/// Returns true if `file` begins with a transition model, as acoustic models
/// do.
static bool isAcousticModel(StringRef file) {
  auto data = llvm::MemoryBuffer::getFileSlice(file, 32, 0);
  if (!data)
    return false;
  StringRef head = (*data)->getBuffer();
  head.consume_front(StringRef("\0B", 2));
  return head.ltrim().starts_with("<TransitionModel>");
}

/// Checks that a raw model is not used with priors; an acoustic model may have
/// none.
static LogicalResult checkPriors(mlir::nnet3::NetworkOp network,
                                 const RunOptions &options) {
  ElementsAttr priors = network.getPriorsAttr();
  if (!options.compute.usePriors || (priors && !priors.empty()))
    return success();
  if (!isAcousticModel(options.model))
    return network.emitError("option '--use-priors' needs an acoustic model "
                             "(.mdl), but this model has no priors");
  llvm::errs() << "warning: " << options.model
               << " has no priors; --use-priors has no effect\n";
  return success();
}

static void printLine(const llvm::Twine &line) {
  // Clear a possible progress line.
  if (llvm::sys::Process::StandardErrIsDisplayed())
    llvm::errs() << "\r\033[K";
  llvm::errs() << line << "\n";
}

static ProgramCache::Report getReport(const RunOptions &options) {
  return options.verbose > 0 ? ProgramCache::Report(printLine)
                             : ProgramCache::Report();
}

/// Returns the program cache; null if it is disabled.
static std::shared_ptr<ProgramCache>
makeProgramCache(const RunOptions &options) {
  if (options.programCache.empty())
    return nullptr;
  return std::make_shared<ProgramCache>(
      options.programCache, uint64_t(options.programCacheMegabytes) << 20,
      printLine, getReport(options));
}

static FailureOr<std::unique_ptr<NnetRunner>>
makeInterpreter(mlir::nnet3::NetworkOp network, const RunOptions &options) {
  RunnerOptions result;
  result.debug = options.debugComputation;
  result.cacheCapacity = options.cacheCapacity;
  result.optimization = options.optimization;
  result.report = getReport(options);
  result.programCache = makeProgramCache(options);
  return NnetRunner::create(network, result);
}

static NativeOptions getNativeOptions(const RunOptions &options) {
  NativeOptions result;
  result.cacheCapacity = options.cacheCapacity;
  result.optimization = options.optimization;
  result.precision = *mlir::nnet3::parsePrecision(options.precision);
  if (!options.componentPrecisions.empty())
    for (StringRef choice : llvm::split(options.componentPrecisions, ','))
      result.precision.components.push_back(choice.str());
  result.editNetwork = !options.streaming;
  result.numThreads = options.numThreads;
  result.report = getReport(options);
  result.programCache = makeProgramCache(options);
  return result;
}

template <typename Runner>
static LogicalResult makeCompiling(mlir::nnet3::NetworkOp network,
                                   const RunOptions &options,
                                   std::unique_ptr<RequestRunner> &runner) {
  auto made = Runner::create(network, getNativeOptions(options));
  if (failed(made))
    return failure();
  runner = std::move(*made);
  return success();
}

/// Sets `runner` to the backend; sets `interpreter`, if not null, to the
/// interpreter.
static LogicalResult makeRunner(StringRef backend,
                                mlir::nnet3::NetworkOp network,
                                const RunOptions &options,
                                std::unique_ptr<RequestRunner> &runner,
                                NnetRunner **interpreter = nullptr) {
  if (backend == "native")
    return makeCompiling<NativeRunner>(network, options, runner);
  if (backend == "cuda")
    return makeCompiling<CudaRunner>(network, options, runner);
  auto made = makeInterpreter(network, options);
  if (failed(made))
    return failure();
  if (interpreter)
    *interpreter = made->get();
  runner = std::move(*made);
  return success();
}

/// Sets `runner` to the interpreter, which machine code replaces later.
static LogicalResult makeHybrid(mlir::nnet3::NetworkOp network,
                                const RunOptions &options,
                                std::unique_ptr<RequestRunner> &runner) {
  auto interpreter = makeInterpreter(network, options);
  if (failed(interpreter))
    return failure();
  auto made =
      HybridRunner::create(std::move(*interpreter), getNativeOptions(options),
                           options.getNativeAfter());
  if (failed(made))
    return failure();
  runner = std::move(*made);
  return success();
}

/// Creates the trainer, if requested.
static LogicalResult makeTrainer(const RunOptions &options, Runners &runners) {
  if (options.trainedModel.empty())
    return success();
  auto make = [&](auto create) -> LogicalResult {
    auto made = create(*runners.interpreter, options.training);
    if (failed(made))
      return failure();
    runners.trainer = std::move(*made);
    return success();
  };
  if (options.backend == "interpreter")
    return make(CpuTrainer::create);
  if (options.backend == "native")
    return make([](auto &interpreter, const auto &training) {
      return NativeTrainer::create(interpreter, training);
    });
  return make([](auto &interpreter, const auto &training) {
    return CudaTrainer::create(interpreter, training);
  });
}

FailureOr<StreamOp> mlir::nnet3::makeStream(ModuleOp module,
                                            mlir::nnet3::NetworkOp network,
                                            const RunOptions &options) {
  const bool onDevice = options.backend == "cuda";
  if ((options.backend == "native" || onDevice) &&
      failed(prepareForStreams(module, *parsePrecision(options.precision),
                               onDevice)))
    return failure();
  const ChunkOptions &chunks = options.compute.chunks;
  StreamOptions result;
  result.chunks = {chunks.framesPerChunk};
  result.frameSubsamplingFactor = chunks.frameSubsamplingFactor;
  result.extraLeftContextInitial = std::max(chunks.extraLeftContextInitial, 0);
  result.ivectorPeriod = 0;
  result.allowChunkedRecurrence = options.allowChunkedRecurrence;
  SymbolTable symbols(module);
  return createStream(symbols, network, result);
}

/// Runs the mode that the options select.
static LogicalResult run(const Runners &runners, const RunOptions &options) {
  if (runners.trainer)
    return trainRequest(runners, options);
  if (options.live)
    return runLive(runners, options);
  if (options.egs)
    return runExamples(*runners.backend, options);
  return options.request.empty() ? runTables(runners, options)
                                 : runRequest(runners, options);
}

static LogicalResult runLibrary(MLIRContext *context,
                                const RunOptions &options) {
  if (llvm::Error error = options.checkLibrary())
    return emitFileError(context, std::move(error));
  auto runner = LibraryRunner::create(options.model, options.cacheCapacity,
                                      options.numThreads, context);
  if (failed(runner))
    return failure();
  Runners runners;
  runners.compiled = runner->get();
  runners.backend = std::move(*runner);
  return run(runners, options);
}

static LogicalResult run(MLIRContext *context, const RunOptions &options) {
  if (isLibraryFile(options.model))
    return runLibrary(context, options);
  if (llvm::Error error = options.checkModel())
    return emitFileError(context, std::move(error));
  OwningOpRef<ModuleOp> module =
      loadModel(options.model, context, options.initSeed);
  if (!module)
    return failure();
  mlir::nnet3::NetworkOp network = getOnlyNetwork(*module);
  if (!network || failed(checkPriors(network, options)))
    return failure();
  if (options.isInference() && failed(setTestMode(network, options.model)))
    return failure();
  // A request may name a node that collapsing would remove.
  if (options.isInference() && options.request.empty() && !options.egs &&
      failed(collapseModel(network)))
    return failure();
  Runners runners;
  if (options.streaming) {
    auto stream = makeStream(*module, network, options);
    if (failed(stream))
      return failure();
    runners.stream = *stream;
  }
  StringRef backend =
      options.trainedModel.empty() ? StringRef(options.backend) : "interpreter";
  const bool isHybrid = backend == "native" && options.request.empty() &&
                        !options.egs && options.getNativeAfter() > 0;
  if (failed(isHybrid ? makeHybrid(network, options, runners.backend)
                      : makeRunner(backend, network, options, runners.backend,
                                   &runners.interpreter)) ||
      failed(makeTrainer(options, runners)))
    return failure();
  // The trained model is written from a model of the runtime.
  if (options.trains() && !runners.interpreter &&
      failed(makeRunner("interpreter", network, options, runners.reference,
                        &runners.interpreter)))
    return failure();
  RunOptions exact = options;
  exact.precision = "f32";
  exact.componentPrecisions.clear();
  if (!options.compare.empty() &&
      failed(makeRunner(options.compare, network, exact, runners.reference)))
    return failure();
  return run(runners, options);
}

static int runProgram(RunProgram program, const char *usage, int argc,
                      char **argv) {
  RunOptions options(program);
  OptionParser parser(usage);
  options.registerOptions(parser);
  auto positional = parser.parse(llvm::ArrayRef(argv + 1, argc - 1));
  if (!positional) {
    llvm::errs() << llvm::toString(positional.takeError()) << "\n";
    return 1;
  }
  if (parser.wantsText())
    return parser.printText();
  if (options.printArgs)
    printArguments(llvm::ArrayRef(argv, argc));
  if (positional->empty()) {
    parser.printHelp(llvm::errs());
    return 1;
  }
  if (llvm::Error error = options.finish(*positional, parser)) {
    llvm::errs() << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  DialectRegistry registry;
  registerStageDialects(registry);
  // Threads of an MLIR context would only cost time here.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<Nnet3Dialect, memref::MemRefDialect>();
  context.printOpOnDiagnostic(false);
  LineDiagnosticHandler handler(&context, llvm::errs());
  return succeeded(run(&context, options)) ? 0 : 1;
}

int mlir::nnet3::runMain(int argc, char **argv) {
  return runProgram(RunProgram::Run, kUsage, argc, argv);
}

int mlir::nnet3::computeMain(int argc, char **argv) {
  return runProgram(RunProgram::Compute, kComputeUsage, argc, argv);
}

int mlir::nnet3::computeBatchMain(int argc, char **argv) {
  return runProgram(RunProgram::ComputeBatch, kComputeBatchUsage, argc, argv);
}

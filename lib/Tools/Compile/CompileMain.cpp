//===- CompileMain.cpp - The main function of nnet3-compile ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EmittedStage.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/IR/ModuleAttributes.h"
#include "nnet3/Kaldi/IO/OutputFile.h"
#include "nnet3/Pipelines/DeviceCode.h"
#include "nnet3/Pipelines/StageDialects.h"
#include "nnet3/Pipelines/TensorCode.h"
#include "nnet3/Pipelines/TestMode.h"
#include "nnet3/Stream/CreateStream.h"
#include "nnet3/Surgery/Passes.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Target/Kaldi/RequestReader.h"
#include "nnet3/Target/Library/WebModule.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Path.h"
#include "llvm/Target/TargetMachine.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

static LogicalResult writeFile(MLIRContext *context, StringRef path,
                               ArrayRef<char> bytes) {
  auto file = OutputFile::create(path);
  if (!file)
    return emitFileError(context, file.takeError());
  (*file)->getStream().write(bytes.data(), bytes.size());
  return emitFileError(context, (*file)->commit());
}

/// Prints `module` without its parameters and marks it as such.
static void printWithoutWeights(ModuleOp module, raw_ostream &os) {
  module->setAttr(kElidedWeightsAttr, UnitAttr::get(module.getContext()));
  // Larger tables are printed as hexadecimal digits.
  constexpr int64_t kMaxElements = 100;
  module.print(
      os, OpPrintingFlags().elideLargeResourceString(0).elideLargeElementsAttrs(
              kMaxElements));
  os << "\n";
}

/// Writes the IR of a stage; another run can continue from it.
static LogicalResult writeStage(ModuleOp module,
                                const CompilerOptions &options) {
  auto file = OutputFile::create(options.output);
  if (!file)
    return emitFileError(module.getContext(), file.takeError());
  raw_ostream &os = (*file)->getStream();
  if (options.elideWeights)
    printWithoutWeights(module, os);
  else if (failed(writeMlirModule(module, os, options.emitBytecode)))
    return failure();
  return emitFileError(module.getContext(), (*file)->commit());
}

/// Collects the parts of a library besides CPU code; for a GPU, including its
/// code. With `takeParameters`, no other module needs the parameters
/// afterwards.
static FailureOr<LibraryData> collectData(ModuleOp module,
                                          const CompilerOptions &options,
                                          bool takeParameters) {
  if (options.device == Device::CPU)
    return collectLibraryData(module, options.target.getRequirements(),
                              /*device=*/nullptr, takeParameters);
  auto program = emitDeviceProgram(module, options.gpuArchs);
  if (failed(program))
    return failure();
  return collectLibraryData(module, /*cpuFeatures=*/{}, &*program,
                            /*takeParameters=*/true);
}

static LogicalResult writePTX(ModuleOp module, const CompilerOptions &options) {
  auto ptx = emitPTX(module, options.gpuArchs);
  if (failed(ptx))
    return failure();
  if (ptx->empty())
    return module.emitError("has no kernels for a GPU");
  const std::string &text = ptx->front().text;
  return writeFile(module.getContext(), options.output,
                   ArrayRef(text.data(), text.size()));
}

/// Returns the text files of a library, by extension: a C header, or an ES
/// module and its types.
static SmallVector<std::pair<const char *, std::string>>
getTexts(const LibraryData &data, const CompilerOptions &options) {
  if (!options.isWebModule())
    return {{".h", getLibraryHeader(options)}};
  const StringRef name = llvm::sys::path::filename(options.output);
  return {{".mjs", getWebModule(options, name, data.weights.size())},
          {".d.mts", getWebTypes(name)}};
}

/// Writes the library of `objects`, its text files and, if separate, the
/// weights.
static LogicalResult writeLibrary(Location loc, ArrayRef<ObjectFile> objects,
                                  const LibraryData &data,
                                  const CompilerOptions &options) {
  MLIRContext *context = loc.getContext();
  // All files are written under temporary names before any is renamed.
  SmallVector<std::unique_ptr<OutputFile>> files;
  auto add = [&](const char *extension, ArrayRef<char> bytes) -> LogicalResult {
    auto file = OutputFile::create(options.getPath(extension));
    if (!file)
      return emitFileError(context, file.takeError());
    (*file)->getStream().write(bytes.data(), bytes.size());
    files.push_back(std::move(*file));
    return emitFileError(context, files.back()->flush());
  };
  for (const auto &[extension, text] : getTexts(data, options))
    if (failed(add(extension, ArrayRef(text.data(), text.size()))))
      return failure();
  if (!options.embedWeights && failed(add(".weights", data.weights)))
    return failure();
  auto *link = options.emit == Emit::Library   ? linkLibrary
               : options.emit == Emit::Archive ? archiveLibrary
                                               : linkObject;
  // Errors of linking are not located in the model.
  if (failed(link(UnknownLoc::get(context), objects, data, options,
                  options.getLibraryPath())))
    return failure();
  for (const auto &file : files)
    if (failed(emitFileError(context, file->commit())))
      return failure();
  return success();
}

static LogicalResult writeLibrary(ModuleOp module,
                                  const CompilerOptions &options) {
  auto data = collectData(module, options, /*takeParameters=*/true);
  if (failed(data))
    return failure();
  auto object = emitLibraryObject(module, *data, options);
  if (failed(object))
    return failure();
  return writeLibrary(module.getLoc(), *object, *data, options);
}

static LogicalResult write(ModuleOp module, const CompilerOptions &options) {
  if (options.emitsIR())
    return writeStage(module, options);
  if (options.emitsLibrary())
    return writeLibrary(module, options);
  if (options.emit == Emit::PTX)
    return writePTX(module, options);
  auto code = emitCode(module, options.target,
                       CodeForm(int(options.emit) - int(Emit::LLVM)));
  if (failed(code))
    return failure();
  return writeFile(module.getContext(), options.output, *code);
}

/// Libraries compute only the forward pass, without statistics.
static void makeForward(RequestOp request) {
  request.setNeedModelDerivative(false);
  request.setStoreComponentStats(false);
  for (Operation &io : request.getBody().front())
    io.removeAttr("has_deriv");
}

/// Makes the priors part of the network, if requested.
static LogicalResult usePriors(ModuleOp module,
                               const CompilerOptions &options) {
  if (!options.usePriors)
    return success();
  NetworkOp network = getOnlyNetwork(module);
  if (!network)
    return failure();
  PassManager passes(module.getContext(), network.getOperationName());
  passes.addPass(createNnet3SubtractLogPriors());
  return passes.run(network);
}

/// Inserts the stream of the network, and its requests, after the network.
static LogicalResult createStream(ModuleOp module, NetworkOp network,
                                  const CompilerOptions &options) {
  // Components in training mode cannot be streamed.
  if ((options.testMode && failed(setTestMode(network, options.model))) ||
      failed(prepareForStreams(module, options.precision,
                               options.device == Device::CUDA)))
    return failure();
  StreamOptions result;
  result.chunks.assign(options.chunks.frames.begin(),
                       options.chunks.frames.end());
  result.frameSubsamplingFactor = options.chunks.frameSubsamplingFactor;
  result.extraLeftContextInitial = options.chunks.extraLeftContext;
  result.ivectorPeriod = options.ivectorPeriod;
  result.sequences.assign(options.chunks.sequences.begin(),
                          options.chunks.sequences.end());
  result.allowChunkedRecurrence = options.allowChunkedRecurrence;
  SymbolTable symbols(module);
  return createStream(symbols, network, std::move(result));
}

/// Inserts the requests of the options after the network, unless the model has
/// requests.
static LogicalResult createRequests(ModuleOp module,
                                    const CompilerOptions &options) {
  NetworkOp network = getOnlyNetwork(module);
  if (!network)
    return failure();
  auto requests = llvm::to_vector(module.getOps<RequestOp>());
  if (requests.empty() && !options.hasRequests())
    return module.emitError("expects either --request or --chunk, or requests "
                            "after the network");
  if (!requests.empty() && options.hasRequests())
    return requests.front().emitError(
        "is in the model, but got --request or --chunk");
  if (options.streaming)
    return createStream(module, network, options);
  if (!options.chunks.frames.empty())
    return createChunkRequests(network, options.chunks);
  if (!options.request.empty()) {
    auto read = readRequestFile(options.request, network);
    if (failed(read))
      return failure();
    requests = std::move(*read);
  }
  for (RequestOp request : requests)
    makeForward(request);
  return success();
}

static LogicalResult addPasses(PassManager &passes,
                               const CompilerOptions &options, ModuleOp module,
                               Stage from) {
  if (options.emit == Emit::Linalg) {
    if (from != Stage::Network)
      return module.emitError("is past the stage that --emit=linalg needs");
    addLinalgPasses(passes, options.testMode);
    return success();
  }
  const StageRange stages = {from,
                             std::min(Stage(options.emit), Stage::Lowered)};
  if (options.device == Device::CUDA) {
    addDevicePasses(passes, stages, options.testMode, options.precision);
    return success();
  }
  addNativePasses(passes, stages, getPassOptions(options.target),
                  options.testMode,
                  {options.precision, options.componentPrecisions});
  return success();
}

static LogicalResult runPasses(ModuleOp module, const CompilerOptions &options,
                               Stage from) {
  auto passes = PassManager::on<ModuleOp>(module.getContext());
  if (failed(addPasses(passes, options, module, from)))
    return failure();
  if (!options.dumpPipeline)
    return passes.run(module);
  passes.printAsTextualPipeline(llvm::outs());
  llvm::outs() << "\n";
  return success();
}

/// Writes a library with code for each CPU of `options`. The variants share
/// their weights.
static LogicalResult compileVariants(ModuleOp module, CompilerOptions options,
                                     Stage from) {
  if (from >= Stage::Kernels)
    return module.emitError("is for one CPU, but got --target-cpu=multi");
  options.numVariants = options.variants.size();
  SmallVector<ObjectFile> objects;
  std::optional<LibraryData> first;
  for (const CodeTarget &target : options.variants) {
    options.target = target;
    options.variant = objects.size();
    const bool isLast = options.variant + 1 == options.numVariants;
    OwningOpRef<ModuleOp> copy = module.clone();
    if (failed(runPasses(*copy, options, from)))
      return failure();
    if (options.dumpPipeline)
      continue;
    auto data = collectData(*copy, options, /*takeParameters=*/isLast);
    if (failed(data))
      return failure();
    auto object = emitLibraryObject(*copy, *data, options);
    if (failed(object))
      return failure();
    objects.push_back(std::move(*object));
    if (!first)
      first = std::move(*data);
    else if (ArrayRef<char>(data->weights) != ArrayRef<char>(first->weights))
      return module.emitError("has other weights for CPU '")
             << target.cpu << "' than for the others";
  }
  if (options.dumpPipeline)
    return success();
  return writeLibrary(module.getLoc(), objects, *first, options);
}

/// Chooses the precision of each component, if requested.
static LogicalResult calibrate(ModuleOp module, CompilerOptions &options) {
  if (options.search.features.empty())
    return success();
  NetworkOp network = getOnlyNetwork(module);
  if (!network || failed(setTestMode(network, options.model)))
    return failure();
  module.getContext()->getOrLoadDialect<kernel::KernelDialect>();
  std::string error;
  auto target = options.target.getAttribute(module.getContext(), error);
  if (failed(target))
    return module.emitError(error);
  if (target->multipliesInt16())
    options.search.sixteenBits = Precision::Int16;
  auto choices = searchPrecisions(network, options.precision, options.search);
  if (failed(choices))
    return failure();
  options.componentPrecisions = std::move(*choices);
  return success();
}

static LogicalResult compile(CompilerOptions options, MLIRContext &context) {
  OwningOpRef<ModuleOp> module =
      loadModel(options.model, &context, options.initSeed);
  if (!module)
    return failure();
  auto stage = readStage(*module, options);
  if (failed(stage))
    return failure();
  if (*stage != Stage::Network && !options.search.features.empty())
    return module->emitError("is past the stage that --calibrate needs");
  if (*stage != Stage::Network && options.usePriors)
    return module->emitError("is past the stage that --use-priors needs");
  if (*stage == Stage::Network) {
    if (failed(usePriors(*module, options)) ||
        failed(calibrate(*module, options)) ||
        failed(createRequests(*module, options)))
      return failure();
    if (options.testMode && options.emit != Emit::Network)
      noteTestMode(getOnlyNetwork(*module), options.model);
  }
  if (!options.variants.empty())
    return compileVariants(*module, options, *stage);
  if (failed(runPasses(*module, options, *stage)))
    return failure();
  return options.dumpPipeline ? success() : write(*module, options);
}

int mlir::nnet3::compileMain(int argc, char **argv) {
  CompilerOptions options;
  if (!options.parse(argc, argv))
    return 1;
  DialectRegistry registry;
  registerStageDialects(registry);
  registerKernelModels(registry);
  // Threads of an MLIR context would only cost time here.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<Nnet3Dialect>();
  context.printOpOnDiagnostic(false);
  LineDiagnosticHandler handler(&context, llvm::errs());
  return failed(compile(options, context));
}

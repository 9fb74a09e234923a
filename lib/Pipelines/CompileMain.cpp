//===- CompileMain.cpp - The main function of nnet3-compile ---------------===//

#include "CompileOptions.h"
#include "TestMode.h"
#include "nnet3/Fusion/KernelInterfaces.h"
#include "nnet3/Pipelines/DeviceCode.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Target/Kaldi/OutputFile.h"
#include "nnet3/Target/Kaldi/RequestReader.h"

#include "mlir/Pass/PassManager.h"

using namespace nnet3;
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

static LogicalResult writeModule(ModuleOp module, StringRef path) {
  auto file = OutputFile::create(path);
  if (!file)
    return emitFileError(module.getContext(), file.takeError());
  (*file)->getStream() << module << "\n";
  return emitFileError(module.getContext(), (*file)->commit());
}

/// What a library has beside its code; for a GPU, with it.
static FailureOr<LibraryData> collectData(ModuleOp module,
                                          const CompileOptions &options) {
  if (options.device == Device::CPU)
    return collectLibraryData(module, options.target.getLevel(),
                              /*device=*/nullptr, /*takeParameters=*/true);
  auto program = emitDeviceProgram(module, options.gpuArchs);
  if (failed(program))
    return failure();
  return collectLibraryData(module, /*cpuLevel=*/0, &*program,
                            /*takeParameters=*/true);
}

static LogicalResult writePTX(ModuleOp module, const CompileOptions &options) {
  auto ptx = emitPTX(module, options.gpuArchs);
  if (failed(ptx))
    return failure();
  if (ptx->empty())
    return module.emitError("has no kernels for a GPU");
  const std::string &text = ptx->front().text;
  return writeFile(module.getContext(), options.output,
                   ArrayRef(text.data(), text.size()));
}

/// Writes libNAME.so or libNAME.a, NAME.h and, where they are apart, the
/// weights.
static LogicalResult writeLibrary(ModuleOp module,
                                  const CompileOptions &options) {
  MLIRContext *context = module.getContext();
  auto data = collectData(module, options);
  if (failed(data))
    return failure();
  auto object = emitLibraryObject(module, *data, options);
  if (failed(object))
    return failure();
  // None is under its name until all are whole.
  std::string header = getLibraryHeader(options);
  SmallVector<std::unique_ptr<OutputFile>> files;
  auto add = [&](StringRef path, ArrayRef<char> bytes) -> LogicalResult {
    auto file = OutputFile::create(path);
    if (!file)
      return emitFileError(context, file.takeError());
    (*file)->getStream().write(bytes.data(), bytes.size());
    files.push_back(std::move(*file));
    return emitFileError(context, files.back()->flush());
  };
  if (failed(add(options.getHeaderPath(),
                 ArrayRef(header.data(), header.size()))) ||
      (!options.embedWeights &&
       failed(add(options.getWeightsPath(), data->weights))))
    return failure();
  auto *link = options.emit == Emit::Archive ? archiveLibrary : linkLibrary;
  if (failed(link(module.getLoc(), *object, *data, options,
                  options.getLibraryPath())))
    return failure();
  for (const auto &file : files)
    if (failed(emitFileError(context, file->commit())))
      return failure();
  return success();
}

static LogicalResult write(ModuleOp module, const CompileOptions &options) {
  if (options.emit <= Emit::LLVMDialect)
    return writeModule(module, options.output);
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

/// Libraries compute forward only, and keep no statistics.
static void makeForward(RequestOp request) {
  request.setNeedModelDerivative(false);
  request.setStoreComponentStats(false);
  for (Operation &io : request.getBody().front())
    io.removeAttr("has_deriv");
}

/// Puts what is to be compiled behind the network.
static LogicalResult createRequests(NetworkOp network,
                                    const CompileOptions &options) {
  if (options.request.empty())
    return createChunkRequests(network, options.chunks);
  auto requests = readRequestFile(options.request, network);
  if (failed(requests))
    return failure();
  for (RequestOp request : *requests)
    makeForward(request);
  return success();
}

static LogicalResult addPasses(PassManager &passes,
                               const CompileOptions &options, ModuleOp module) {
  const Stage stage = std::min(Stage(options.emit), Stage::Lowered);
  if (options.device == Device::CUDA) {
    addDevicePasses(passes, stage, options.testMode, options.precision);
    return success();
  }
  std::string error;
  auto vectors = options.target.getVectors(error);
  if (failed(vectors))
    return module.emitError(error);
  addNativePasses(passes, stage, *vectors, options.testMode, options.precision);
  return success();
}

static LogicalResult compile(const CompileOptions &options,
                             MLIRContext &context) {
  OwningOpRef<ModuleOp> module =
      loadModel(options.model, &context, options.initSeed);
  if (!module)
    return failure();
  NetworkOp network = getOnlyNetwork(*module);
  if (!network || failed(createRequests(network, options)))
    return failure();
  if (options.testMode && options.emit != Emit::Network)
    noteTestMode(network, options.model);
  PassManager passes(&context);
  if (failed(addPasses(passes, options, *module)) ||
      failed(passes.run(*module)))
    return failure();
  return write(*module, options);
}

int ::nnet3::compileMain(int argc, char **argv) {
  CompileOptions options;
  if (!options.parse(argc, argv))
    return 1;
  DialectRegistry registry;
  registry.insert<Nnet3Dialect>();
  registerKernelModels(registry);
  // The threads of an MLIR context would only cost time here.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<Nnet3Dialect>();
  context.printOpOnDiagnostic(false);
  LineDiagnosticHandler handler(&context, llvm::errs());
  return failed(compile(options, context));
}

//===- NativeRunner.cpp - Requests by machine code ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A request becomes the object file of a library, which is linked into this
// process rather than into a file. This program contains the runtime functions
// that libraries use.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Execution/NativeRunner.h"
#include "LoweredRequest.h"
#include "RequestTimer.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Dialect/Nnet3/IR/StreamOps.h"
#include "nnet3/Execution/CompiledLibrary.h"
#include "nnet3/Execution/NativeStep.h"
#include "nnet3/Execution/TerminalLine.h"
#include "nnet3/Pipelines/NativeCode.h"
#include "nnet3/Target/Library/LoadedObject.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

FailureOr<std::unique_ptr<NativeRunner>>
NativeRunner::create(NetworkOp network, const NativeOptions &options) {
  FailureOr<NodeTable> nodes = NodeTable::get(network);
  if (failed(nodes))
    return failure();
  std::unique_ptr<NativeRunner> runner(
      new NativeRunner(network, std::move(*nodes), options));
  DialectRegistry registry;
  registerKernelModels(registry);
  network.getContext()->appendDialectRegistry(registry);
  return runner;
}

FailureOr<OwningOpRef<ModuleOp>> NativeRunner::lower(RequestOp request) const {
  return lowerRequest(network, request, [&](OpPassManager &passes) {
    addNativePasses(passes, Stage::Lowered, /*target=*/{}, /*testMode=*/false,
                    options.precision,
                    options.editNetwork && !hasStream(network));
  });
}

/// Returns the symbols that the object refers to: the weights, and the runtime
/// functions that the public functions and the generated code call.
static SmallVector<HostSymbol> getSymbols(StringRef weightsName,
                                          const void *weights) {
  auto symbol = [](StringRef name, auto *function) {
    return HostSymbol{name, reinterpret_cast<const void *>(function)};
  };
  return {
      HostSymbol{weightsName, weights},
      symbol("nnet3lib_propagate", nnet3lib_propagate),
      symbol("nnet3lib_parallel_rows", nnet3lib_parallel_rows),
#define NNET3LIB_WRAPPER(name, signature)                                      \
  symbol("nnet3lib_" #name, nnet3lib_##name),
#define NNET3LIB_IMAGE_WRAPPER(name, signature)                                \
  symbol("nnet3lib_" #name "_image", nnet3lib_##name##_image),
#include "nnet3/runtime/LibraryWrappers.def"
  };
}

llvm::Expected<NativeRunner::Library>
NativeRunner::link(StringRef object,
                   std::shared_ptr<const NativeWeights> weights) {
  /// The weights and the code of the library.
  struct Code {
    std::shared_ptr<const NativeWeights> weights;
    std::unique_ptr<LoadedObject> object;
  };
  auto code = std::make_shared<Code>();
  std::string weightsName = library.getWeightsSymbol();
  auto loaded =
      LoadedObject::load(ArrayRef(object.data(), object.size()),
                         getSymbols(weightsName, weights->getBytes().data()));
  if (!loaded)
    return loaded.takeError();
  code->weights = std::move(weights);
  code->object = std::move(*loaded);
  llvm::Error missing = llvm::Error::success();
  auto lookup = [&](StringRef name) -> void * {
    auto address = code->object->lookup(name);
    if (address)
      return *address;
    missing = llvm::joinErrors(std::move(missing), address.takeError());
    return nullptr;
  };
  auto opened = CompiledLibrary::open(library.prefix, lookup, code);
  if (missing) {
    llvm::consumeError(opened.takeError());
    return std::move(missing);
  }
  return opened;
}

FailureOr<NativeRunner::Library>
NativeRunner::compile(RequestOp request, const std::optional<ProgramKey> &key) {
  showOnTerminal("compiling '" + request.getSymName() + "' to machine code");
  auto module = lower(request);
  if (failed(module))
    return failure();
  auto data = collectLibraryData(**module, library.target.getRequirements());
  if (failed(data))
    return failure();
  auto object = emitLibraryObject(**module, *data, library);
  if (failed(object))
    return failure();
  NativeProgram program = {std::string(object->begin(), object->end()),
                           NativeWeights::getKey(data->weights)};
  auto linked =
      link(program.object, weights.add(program.weights, data->weights));
  if (!linked)
    return emitError(request.getLoc()) << llvm::toString(linked.takeError());
  ++numCompiled;
  if (key)
    options.programCache->store(*key, program.encode());
  return std::move(*linked);
}

//===----------------------------------------------------------------------===//
// The program cache
//===----------------------------------------------------------------------===//

/// Returns the settings and the properties of the machine that the code depends
/// on.
static std::string describeCode(const MatmulPrecision &precision) {
  return ("native " + getPrecisionName(precision.precision) + " " +
          llvm::join(precision.components, ",") + " " + describeMachine())
      .str();
}

/// The code contains a checksum of the weights, so the key covers their values.
FailureOr<ProgramKey> NativeRunner::getProgramKey(RequestOp request) {
  if (!keyParts) {
    auto parameters = ParameterBlob::create(network);
    if (failed(parameters))
      return failure();
    ProgramKey values = NativeWeights::getKey(
        ArrayRef(parameters->getData().get(), parameters->getSize()));
    keyParts = {describeTool(),
                describeNetwork(network, *parameters) + toHex(values),
                /*request=*/"", describeCode(options.precision)};
  }
  keyParts->request = describeRequest(request);
  return keyParts->getKey();
}

/// Returns the library from the program cache; null if there is no valid one.
NativeRunner::Library NativeRunner::findLibrary(const ProgramKey &key) {
  std::optional<std::string> bytes = options.programCache->find(key);
  auto program = bytes ? NativeProgram::decode(*bytes) : std::nullopt;
  auto found = program ? weights.find(program->weights) : nullptr;
  if (!found)
    return nullptr;
  auto linked = link(program->object, std::move(found));
  if (linked)
    return *linked;
  llvm::consumeError(linked.takeError());
  return nullptr;
}

FailureOr<NativeRunner::Library> NativeRunner::makeLibrary(RequestOp request) {
  RequestTimer timer(options.report, request);
  std::optional<ProgramKey> key;
  if (options.programCache) {
    auto made = getProgramKey(request);
    if (failed(made))
      return failure();
    key = *made;
    if (Library found = findLibrary(*key)) {
      timer.report("found in the program cache");
      return found;
    }
  }
  auto compiled = compile(request, key);
  if (succeeded(compiled))
    timer.report("compiled to machine code");
  return compiled;
}

/// Compiles a request with derivatives or statistics, which are not cached.
FailureOr<std::unique_ptr<RequestInstance>>
NativeRunner::makeTrainingInstance(RequestOp request) {
  RequestTimer timer(options.report, request);
  auto code = compileStep(network, request,
                          {/*updates=*/false, options.optimization,
                           std::max<int32_t>(1, options.numThreads)});
  if (failed(code))
    return failure();
  auto steps = rt::CompiledSteps::create(*code, /*program=*/nullptr);
  if (!steps.ok())
    return emitError(request.getLoc()) << steps.status().message();
  ++numCompiled;
  timer.report("compiled to machine code");
  return makeStepInstance(std::move(*steps), **code);
}

FailureOr<std::unique_ptr<RequestInstance>>
NativeRunner::makeInstance(RequestOp request) {
  if (isTraining(request))
    return makeTrainingInstance(request);
  auto made = makeLibrary(request);
  if (failed(made))
    return failure();
  auto instance = (*made)->makeInstance(0, options.numThreads);
  if (!instance)
    return emitError(request.getLoc()) << llvm::toString(instance.takeError());
  return std::move(*instance);
}

//===- NativeRunner.cpp - Requests by machine code ------------------------===//
//
// A request becomes the object file of a library, which is linked into this
// process rather than into a file. The runtime's part of libraries is that of
// this program.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Pipelines/NativeRunner.h"
#include "nnet3/Fusion/KernelInterfaces.h"
#include "nnet3/Pipelines/CompiledLibrary.h"
#include "nnet3/Pipelines/NativeCode.h"
#include "nnet3/Target/Library/LoadedObject.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemAlloc.h"
#include <chrono>
#include <cstring>

using namespace nnet3;
using namespace mlir;
using namespace mlir::nnet3;

class NativeRunner::Weights {
public:
  explicit Weights(ArrayRef<char> bytes) : size(bytes.size()) {
    data = static_cast<char *>(
        llvm::allocate_buffer(std::max<size_t>(size, 1), NNET3LIB_ALIGNMENT));
    std::memcpy(data, bytes.data(), size);
  }
  ~Weights() {
    llvm::deallocate_buffer(data, std::max<size_t>(size, 1),
                            NNET3LIB_ALIGNMENT);
  }
  Weights(const Weights &) = delete;
  Weights &operator=(const Weights &) = delete;

  ArrayRef<char> getBytes() const { return {data, size}; }

private:
  size_t size;
  char *data;
};

FailureOr<std::unique_ptr<NativeRunner>>
NativeRunner::create(NetworkOp network, const NativeOptions &options) {
  FailureOr<NodeTable> nodes = NodeTable::get(network);
  if (failed(nodes))
    return failure();
  std::unique_ptr<NativeRunner> runner(
      new NativeRunner(network, std::move(*nodes), options));
  std::string error;
  auto vectors = runner->library.target.getVectors(error);
  if (failed(vectors))
    return network.emitError(error);
  runner->vectors = *vectors;
  DialectRegistry registry;
  registerKernelModels(registry);
  network.getContext()->appendDialectRegistry(registry);
  return runner;
}

/// The request with the network in a module of their own, lowered.
FailureOr<OwningOpRef<ModuleOp>> NativeRunner::lower(RequestOp request) const {
  OwningOpRef<ModuleOp> module = ModuleOp::create(request.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  builder.clone(*network);
  builder.clone(*request);
  PassManager passes(module->getContext());
  // Verifying after every pass would take longer than some of them.
  passes.enableVerifier(false);
  addNativePasses(passes, Stage::Lowered, vectors, /*testMode=*/false,
                  options.precision);
  if (failed(passes.run(*module)))
    return failure();
  return module;
}

std::shared_ptr<const NativeRunner::Weights>
NativeRunner::share(ArrayRef<char> bytes) {
  llvm::erase_if(weights, [](const auto &known) { return known.expired(); });
  for (const auto &known : weights)
    if (auto held = known.lock(); held->getBytes() == bytes)
      return held;
  auto made = std::make_shared<const Weights>(bytes);
  weights.push_back(made);
  return made;
}

size_t NativeRunner::getNumWeights() const {
  return llvm::count_if(weights,
                        [](const auto &known) { return !known.expired(); });
}

/// What the object refers to: the weights, what the public functions call, and
/// what the code of requests calls.
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

FailureOr<std::shared_ptr<CompiledLibrary>>
NativeRunner::compile(RequestOp request) {
  auto module = lower(request);
  if (failed(module))
    return failure();
  auto data = collectLibraryData(**module, library.target.getLevel());
  if (failed(data))
    return failure();
  auto object = emitLibraryObject(**module, *data, library);
  if (failed(object))
    return failure();
  auto fail = [&](llvm::Error error) {
    return emitError(request.getLoc()) << llvm::toString(std::move(error));
  };
  /// What the library consists of.
  struct Code {
    std::shared_ptr<const Weights> weights;
    std::unique_ptr<LoadedObject> object;
  };
  auto code = std::make_shared<Code>();
  code->weights = share(data->weights);
  std::string weightsName = library.getWeightsSymbol();
  auto loaded = LoadedObject::load(
      *object, getSymbols(weightsName, code->weights->getBytes().data()));
  if (!loaded)
    return fail(loaded.takeError());
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
    return fail(std::move(missing));
  }
  if (!opened)
    return fail(opened.takeError());
  return std::move(*opened);
}

FailureOr<std::unique_ptr<RequestInstance>>
NativeRunner::makeInstance(RequestOp request) {
  using Clock = std::chrono::steady_clock;
  auto start = Clock::now();
  auto compiled = compile(request);
  if (failed(compiled))
    return failure();
  ++numCompiled;
  std::chrono::duration<double, std::milli> elapsed = Clock::now() - start;
  if (options.report)
    options.report("Request '" + request.getSymName() +
                   "' compiled to machine code in " +
                   llvm::formatv("{0:F3} ms", elapsed.count()).str());
  auto instance = (*compiled)->makeInstance(0);
  if (!instance)
    return emitError(request.getLoc()) << llvm::toString(instance.takeError());
  return std::move(*instance);
}

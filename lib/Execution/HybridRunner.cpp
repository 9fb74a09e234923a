//===- HybridRunner.cpp - Machine code in the background ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler works on a copy of the network, since the interpreter keeps
// using the original.
//
//===----------------------------------------------------------------------===//

#include "nnet3/Execution/HybridRunner.h"
#include "NetworkCopy.h"
#include "nnet3/Execution/TerminalLine.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"

#include <atomic>
#include <future>
#include <mutex>

using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

//===----------------------------------------------------------------------===//
// The compiler
//===----------------------------------------------------------------------===//

/// Compiles requests one at a time, each on its own thread. Instances keep it
/// alive, as their threads use it.
class HybridRunner::Compiler {
public:
  using Result = std::unique_ptr<RequestInstance>;

  Compiler(NetworkOp network, const NativeOptions &options)
      : network(network), options(options) {}

  /// Begins to compile `request`, which may be erased afterwards. The result is
  /// null after an error has been emitted.
  std::future<Result> start(RequestOp request);

  /// Returns the number of requests that are being compiled or wait for it.
  int getNumPending() const { return numPending; }
  size_t getNumCompiled() const { return numCompiled; }

private:
  Result compile(const std::string &request);
  LogicalResult makeRunner();

  /// In the interpreter's context.
  NetworkOp network;
  NativeOptions options;
  std::atomic<int> numPending = 0;
  std::atomic<size_t> numCompiled = 0;

  /// Held by the compiling thread; guards the members below.
  std::mutex mutex;
  std::unique_ptr<NetworkCopy> copy;
  std::unique_ptr<NativeRunner> runner;
};

std::future<HybridRunner::Compiler::Result>
HybridRunner::Compiler::start(RequestOp request) {
  if (!copy)
    copy = std::make_unique<NetworkCopy>(network);
  std::string text;
  llvm::raw_string_ostream(text) << request;
  ++numPending;
  return std::async(std::launch::async, [this, text = std::move(text)] {
    std::lock_guard<std::mutex> lock(mutex);
    Result result = compile(text);
    --numPending;
    return result;
  });
}

/// Makes the native runner, with the copy of the network.
LogicalResult HybridRunner::Compiler::makeRunner() {
  auto own = copy->getNetwork();
  if (failed(own))
    return failure();
  auto made = NativeRunner::create(*own, options);
  if (failed(made))
    return failure();
  runner = std::move(*made);
  return success();
}

HybridRunner::Compiler::Result
HybridRunner::Compiler::compile(const std::string &request) {
  LineDiagnosticHandler handler(&copy->getContext(), llvm::errs());
  if (!runner && failed(makeRunner()))
    return nullptr;
  auto parsed = copy->parse(request);
  if (failed(parsed))
    return nullptr;
  auto instance = runner->makeInstance(**parsed);
  numCompiled = runner->getNumCompiled();
  return failed(instance) ? nullptr : std::move(*instance);
}

//===----------------------------------------------------------------------===//
// Instances
//===----------------------------------------------------------------------===//

class HybridRunner::Instance : public RequestInstance {
public:
  Instance(std::unique_ptr<RequestInstance> interpreter,
           std::shared_ptr<Compiler> compiler, RequestOp request,
           int64_t numFrames)
      : current(std::move(interpreter)), compiler(std::move(compiler)),
        request(cast<RequestOp>(request->clone())), numFrames(numFrames) {}

  rt::Status setInput(StringRef name, rt::ConstMatrixView value) override {
    rows = std::max<int64_t>(rows, value.rows);
    inputs.push_back({name.str(), value});
    return {};
  }
  rt::Status run() override;
  rt::Result<rt::ConstMatrixView> output(StringRef name) const override {
    return current->output(name);
  }

private:
  rt::Status advance();

  /// The interpreter's instance, later that of the machine code.
  std::unique_ptr<RequestInstance> current;
  std::shared_ptr<Compiler> compiler;
  OwningOpRef<RequestOp> request;
  int64_t numFrames;
  /// Frames that the interpreter has computed.
  int64_t numDone = 0;
  bool isNative = false;
  std::future<Compiler::Result> code;
  /// The inputs of the next run, and the largest number of rows among them.
  SmallVector<std::pair<std::string, rt::ConstMatrixView>, 2> inputs;
  int64_t rows = 0;
};

/// Begins to compile, or switches to the machine code, when it is time to.
rt::Status HybridRunner::Instance::advance() {
  if (isNative)
    return {};
  if (numDone >= numFrames / 4 && !code.valid())
    code = compiler->start(*request);
  if (numDone < numFrames)
    return {};
  if (code.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    showOnTerminal("waiting for machine code of chunks of " +
                   llvm::Twine(rows) + " input frames");
  auto made = code.get();
  if (!made)
    return rt::invalidArgument("there is no machine code for a request");
  current = std::move(made);
  isNative = true;
  return {};
}

rt::Status HybridRunner::Instance::run() {
  rt::Status status = advance();
  for (const auto &[name, value] : inputs)
    if (status.ok())
      status = current->setInput(name, value);
  if (status.ok())
    status = current->run();
  numDone += rows;
  inputs.clear();
  rows = 0;
  return status;
}

//===----------------------------------------------------------------------===//
// The runner
//===----------------------------------------------------------------------===//

HybridRunner::HybridRunner(std::unique_ptr<RequestRunner> interpreter,
                           NodeTable nodes, const NativeOptions &options,
                           int64_t numFrames)
    : RequestRunner(interpreter->getNetwork(), std::move(nodes),
                    options.cacheCapacity),
      interpreter(std::move(interpreter)),
      compiler(std::make_shared<Compiler>(network, options)),
      numFrames(numFrames) {}

HybridRunner::~HybridRunner() = default;

FailureOr<std::unique_ptr<HybridRunner>>
HybridRunner::create(std::unique_ptr<RequestRunner> interpreter,
                     const NativeOptions &options, int64_t numFrames) {
  auto nodes = NodeTable::get(interpreter->getNetwork());
  if (failed(nodes))
    return failure();
  return std::unique_ptr<HybridRunner>(new HybridRunner(
      std::move(interpreter), std::move(*nodes), options, numFrames));
}

FailureOr<std::unique_ptr<RequestInstance>>
HybridRunner::makeInstance(RequestOp request) {
  auto instance = interpreter->makeInstance(request);
  if (failed(instance))
    return failure();
  return std::unique_ptr<RequestInstance>(std::make_unique<Instance>(
      std::move(*instance), compiler, request, numFrames));
}

std::string HybridRunner::getActivity() const {
  const int pending = compiler->getNumPending();
  if (pending == 0)
    return {};
  return "compiling " + std::to_string(pending) +
         (pending == 1 ? " chunk shape" : " chunk shapes");
}

size_t HybridRunner::getNumCompiled() const {
  return compiler->getNumCompiled();
}

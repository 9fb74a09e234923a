//===- NativeTrainer.cpp - Training steps by machine code -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/NativeTrainer.h"
#include "NetworkCopy.h"
#include "nnet3/Execution/NativeStep.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"

#include <future>
#include <map>
#include <mutex>

using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;
using Code = std::shared_ptr<const rt::CompiledStep>;
using ProgramPtr = std::shared_ptr<const rt::Program>;

//===----------------------------------------------------------------------===//
// The compiler
//===----------------------------------------------------------------------===//

/// Compiles requests one at a time, each on its own thread.
class NativeTrainer::Compiler {
public:
  Compiler(const TrainingCode &training, std::shared_ptr<ProgramCache> cache)
      : training(training), cache(std::move(cache)) {}

  /// Begins to compile `request`, which may be erased afterwards, for
  /// `program`.
  void start(const ProgramPtr &program, NetworkOp network, RequestOp request);
  bool isStarted(const ProgramPtr &program) const {
    return codes.find(program) != codes.end();
  }
  /// Waits for the code of a program whose compilation has started; null after
  /// an error has been emitted.
  Code get(const ProgramPtr &program) const {
    return codes.find(program)->second.get();
  }

  /// Whether the interpreter runs the next minibatch.
  bool interprets = false;

private:
  Code compile(const std::string &request);

  TrainingCode training;
  std::shared_ptr<ProgramCache> cache;
  std::unique_ptr<NetworkCopy> copy;
  /// Held by the compiling thread; guards the copy.
  std::mutex mutex;
  /// Only looked up, never iterated. Declared last: its threads end before the
  /// members that they use.
  std::map<ProgramPtr, std::shared_future<Code>> codes;
};

void NativeTrainer::Compiler::start(const ProgramPtr &program,
                                    NetworkOp network, RequestOp request) {
  if (!copy)
    copy = std::make_unique<NetworkCopy>(network);
  std::string text;
  llvm::raw_string_ostream(text) << request;
  codes.emplace(program,
                std::async(std::launch::async, [this, text = std::move(text)] {
                  std::lock_guard<std::mutex> lock(mutex);
                  return compile(text);
                }).share());
}

Code NativeTrainer::Compiler::compile(const std::string &request) {
  LineDiagnosticHandler handler(&copy->getContext(), llvm::errs());
  auto network = copy->getNetwork();
  if (failed(network))
    return nullptr;
  auto parsed = copy->parse(request);
  if (failed(parsed))
    return nullptr;
  auto code = compileStep(*network, **parsed, training, cache.get());
  return succeeded(code) ? *code : nullptr;
}

//===----------------------------------------------------------------------===//
// Instances
//===----------------------------------------------------------------------===//

/// Runs the interpreter, and later the machine code. Both train the same
/// models, which are consistent between two minibatches.
class NativeTrainer::Steps : public rt::StepInstance {
public:
  Steps(std::shared_ptr<Compiler> compiler, ProgramPtr owner,
        const rt::InstanceOptions &options)
      : compiler(std::move(compiler)), owner(std::move(owner)),
        options(options) {}

  const rt::Program &program() const override { return *owner; }
  /// Begins a minibatch: selects the interpreter or the code.
  void setSeed(uint64_t seed) override {
    status = select();
    if (status.ok())
      current->setSeed(seed);
  }
  rt::Status setInput(std::string_view name,
                      rt::ConstMatrixView value) override {
    return status.ok() ? current->setInput(name, value) : status;
  }
  rt::Status run() override { return status.ok() ? current->run() : status; }
  rt::Result<rt::ConstMatrixView> output(std::string_view name) const override {
    return current->output(name);
  }
  uint64_t bytes() const override {
    return current ? current->bytes() : owner->arenaBytes();
  }

private:
  rt::Status select();

  std::shared_ptr<Compiler> compiler;
  ProgramPtr owner;
  rt::InstanceOptions options;
  rt::Status status;
  std::unique_ptr<rt::StepInstance> current;
  bool isNative = false;
};

rt::Status NativeTrainer::Steps::select() {
  if (isNative || (current && compiler->interprets))
    return rt::Status();
  if (compiler->interprets) {
    auto made = rt::interpretSteps(owner, options);
    if (made.ok())
      current = std::move(*made);
    return made.status();
  }
  Code code = compiler->get(owner);
  if (!code)
    return rt::invalidArgument("there is no machine code for a minibatch");
  current.reset();
  auto made = rt::CompiledSteps::create(std::move(code), owner, options);
  if (!made.ok())
    return made.status();
  current = std::move(*made);
  isNative = true;
  return rt::Status();
}

//===----------------------------------------------------------------------===//
// The trainer
//===----------------------------------------------------------------------===//

NativeTrainer::NativeTrainer(NnetRunner &interpreter,
                             std::unique_ptr<rt::Trainer> trainer,
                             const rt::TrainerOptions &options,
                             const NativeTrainingOptions &native,
                             std::shared_ptr<Compiler> compiler)
    : CpuTrainer(interpreter, std::move(trainer)),
      storesStats(options.storeComponentStats), nativeAfter(native.nativeAfter),
      compiler(std::move(compiler)) {}

NativeTrainer::~NativeTrainer() = default;

FailureOr<std::unique_ptr<NativeTrainer>>
NativeTrainer::create(NnetRunner &interpreter, rt::TrainerOptions options,
                      const NativeTrainingOptions &native) {
  auto compiler = std::make_shared<Compiler>(
      TrainingCode{/*updates=*/!options.gradientOnly,
                   interpreter.getOptimization(), native.numThreads,
                   options.isShared()},
      native.programCache);
  options.numThreads = native.numThreads;
  options.makeInstance = [compiler](const ProgramPtr &program,
                                    const rt::InstanceOptions &instance)
      -> rt::Result<std::unique_ptr<rt::StepInstance>> {
    if (!compiler->isStarted(program))
      return rt::invalidArgument("the trainer has no code for the program");
    return std::unique_ptr<rt::StepInstance>(
        std::make_unique<Steps>(compiler, program, instance));
  };
  auto trainer = createTrainer(interpreter, options);
  if (failed(trainer))
    return failure();
  return std::unique_ptr<NativeTrainer>(new NativeTrainer(
      interpreter, std::move(*trainer), options, native, std::move(compiler)));
}

FailureOr<ProgramPtr> NativeTrainer::prepare(RequestOp request) {
  if (!storesStats)
    request.setStoreComponentStats(false);
  auto program = interpreter.load(request);
  if (succeeded(program) && !compiler->isStarted(*program))
    compiler->start(*program, interpreter.getNetwork(), request);
  return program;
}

rt::Result<rt::TrainingStep>
NativeTrainer::train(const ProgramPtr &program,
                     const rt::Minibatch &minibatch) {
  compiler->interprets = getNumSteps() < nativeAfter;
  return CpuTrainer::train(program, minibatch);
}

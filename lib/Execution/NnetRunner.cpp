//===- NnetRunner.cpp - Requests by the interpreter -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/NnetRunner.h"
#include "RequestTimer.h"
#include "nnet3/Compile/Compile.h"
#include "nnet3/Loops/CompileInLoops.h"
#include "nnet3/Target/Program/ProgramEmitter.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

FailureOr<std::unique_ptr<NnetRunner>>
NnetRunner::create(NetworkOp network, const RunnerOptions &options) {
  FailureOr<NodeTable> nodes = NodeTable::get(network);
  if (failed(nodes))
    return failure();
  FailureOr<ParameterBlob> parameters = ParameterBlob::create(network);
  if (failed(parameters))
    return failure();
  return std::unique_ptr<NnetRunner>(
      new NnetRunner(network, std::move(*nodes), *parameters, options));
}

FailureOr<std::shared_ptr<const rt::Program>>
NnetRunner::loadModelProgram() const {
  NetworkOp network = getNetwork();
  OpBuilder builder(network->getBlock(), network->getBlock()->end());
  // A program contains all components of its network, so an empty computation
  // gives the model.
  auto computation = ComputationOp::create(
      builder, network.getLoc(), "model_computation", network.getSymName());
  llvm::scope_exit erase([&] { computation->erase(); });
  computation.getBody().emplaceBlock();
  FailureOr<std::string> bytes = emitProgram(computation, parameters);
  if (failed(bytes))
    return failure();
  auto program = makeProgram(*bytes);
  if (!program.ok())
    return emitError(network.getLoc()) << program.status().message();
  return *program;
}

FailureOr<std::unique_ptr<rt::Model>> NnetRunner::createModel() const {
  auto program = loadModelProgram();
  if (failed(program))
    return failure();
  auto model = rt::Model::create(*program);
  if (!model.ok())
    return emitError(getNetwork().getLoc()) << model.status().message();
  return std::move(*model);
}

CompileOptions NnetRunner::getCompileOptions() const {
  CompileOptions compileOptions;
  compileOptions.debugInfo =
      options.debug || options.optimization.limitsDerivativeTimes();
  compileOptions.elideRounds = options.loops && options.optimization.optimize;
  return compileOptions;
}

/// Compiles `request` to a program that the runtime can load.
FailureOr<std::string> NnetRunner::compile(RequestOp request) {
  OpBuilder builder(network->getBlock(), network->getBlock()->end());
  // The verifier would take longer than the passes.
  PassManager manager(network.getContext(), ComputationOp::getOperationName());
  manager.enableVerifier(false);
  addOptimizePasses(manager, options.optimization);
  auto optimize = [&](ComputationOp op) { return manager.run(op); };
  std::string reason;
  FailureOr<ComputationOp> computation;
  if (getCompileOptions().elideRounds) {
    computation = compileInLoops(builder, network, nodes, request,
                                 getCompileOptions(), optimize, reason);
  } else {
    computation =
        compileRequest(builder, network, nodes, request, getCompileOptions());
    if (succeeded(computation) && failed(optimize(*computation))) {
      computation->erase();
      return failure();
    }
  }
  if (failed(computation))
    return failure();
  llvm::scope_exit erase([&] { computation->erase(); });
  if (options.debug)
    llvm::errs() << *computation << "\n";
  return emitProgram(*computation, parameters, request);
}

/// Prints a command that has run and the root mean square of its output.
static void printCommand(const rt::TraceEvent &event) {
  if (!event.after)
    return;
  llvm::errs() << "c" << event.command << ": "
               << StringRef(event.text.data(), event.text.size());
  for (size_t i = 0; i < event.numWritten; ++i) {
    const rt::ConstMatrixView &matrix = event.written[i];
    double sum = 0;
    for (int32_t r = 0; r < matrix.rows; ++r)
      for (int32_t c = 0; c < matrix.cols; ++c)
        sum += double(matrix.row(r)[c]) * matrix.row(r)[c];
    double count = double(matrix.rows) * matrix.cols;
    llvm::errs() << "  [rms " << llvm::format("%.4g", std::sqrt(sum / count))
                 << "]";
  }
  llvm::errs() << "\n";
}

ProgramKey NnetRunner::getProgramKey(RequestOp request) {
  if (!keyParts)
    keyParts = {describeTool(), describeNetwork(network, parameters),
                /*request=*/"",
                describeOptions(getCompileOptions(), options.optimization)};
  keyParts->request = describeRequest(request);
  return keyParts->getKey();
}

rt::Result<std::shared_ptr<const rt::Program>>
NnetRunner::makeProgram(StringRef bytes) const {
  rt::LoadOptions loadOptions;
  loadOptions.weights = parameters.getData().get();
  loadOptions.weightsSize = parameters.getSize();
  loadOptions.keepAlive = parameters.getData();
  return rt::Program::load(bytes.data(), bytes.size(), loadOptions);
}

/// Returns the program from the program cache; null if there is no valid one.
std::shared_ptr<const rt::Program>
NnetRunner::findProgram(const ProgramKey &key) {
  std::optional<std::string> bytes = options.programCache->find(key);
  if (!bytes)
    return nullptr;
  auto program = makeProgram(*bytes);
  return program.ok() ? std::move(*program) : nullptr;
}

FailureOr<std::shared_ptr<const rt::Program>>
NnetRunner::load(RequestOp request) {
  RequestTimer timer(options.report, request);
  std::optional<ProgramKey> key;
  if (options.programCache && !options.debug) {
    key = getProgramKey(request);
    if (auto program = findProgram(*key)) {
      timer.report("found in the program cache");
      return program;
    }
  }
  FailureOr<std::string> bytes = compile(request);
  if (failed(bytes))
    return failure();
  auto program = makeProgram(*bytes);
  if (!program.ok())
    return emitError(request.getLoc()) << program.status().message();
  ++numCompiled;
  timer.report("compiled");
  if (key)
    options.programCache->store(*key, *bytes);
  return std::move(*program);
}

FailureOr<std::unique_ptr<rt::Instance>>
NnetRunner::instantiate(std::shared_ptr<const rt::Program> program,
                        Location loc,
                        rt::InstanceOptions instanceOptions) const {
  if (options.debug)
    instanceOptions.trace = printCommand;
  auto instance = rt::Instance::create(std::move(program), instanceOptions);
  if (!instance.ok())
    return emitError(loc) << instance.status().message();
  return std::move(*instance);
}

FailureOr<std::unique_ptr<RequestInstance>>
NnetRunner::makeInstance(RequestOp request) {
  auto program = load(request);
  if (failed(program))
    return failure();
  auto instance = instantiate(std::move(*program), request.getLoc());
  if (failed(instance))
    return failure();
  return std::unique_ptr<RequestInstance>(
      std::make_unique<InterpreterInstance>(std::move(*instance)));
}

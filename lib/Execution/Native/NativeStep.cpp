//===- NativeStep.cpp - Training steps as machine code --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/NativeStep.h"
#include "LoweredRequest.h"
#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Execution/ProgramKey.h"
#include "nnet3/Execution/TrainedWeights.h"
#include "nnet3/Target/Library/LoadedObject.h"
#include "nnet3/Target/Library/ObjectEmitter.h"
#include "nnet3/Target/Library/WeightPacker.h"
#include "nnet3/Target/Program/ParameterBlob.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <cstring>

using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;
using rt::CompiledStep;

static std::vector<CompiledStep::Io> getIos(ArrayAttr list) {
  std::vector<CompiledStep::Io> ios;
  for (auto io : list.getAsRange<kernel::IoAttr>())
    ios.push_back({io.getNode().str(), uint64_t(io.getOffset()),
                   int32_t(io.getRows()), int32_t(io.getCols())});
  return ios;
}

/// Returns the position of a gradient in the code.
static llvm::Expected<size_t> findGradient(const CompiledStep &code,
                                           StringRef component,
                                           StringRef parameter) {
  auto found = llvm::find_if(
      code.gradients, [&](const CompiledStep::Parameter &gradient) {
        return gradient.component == component && gradient.name == parameter;
      });
  if (found == code.gradients.end())
    return llvm::createStringError("there is no gradient of parameter '" +
                                   parameter + "' of component '" + component +
                                   "'");
  return found - code.gradients.begin();
}

static CompiledStep::Step getStep(kernel::StepAttr step, LoadedObject &object,
                                  const CompiledStep &code,
                                  llvm::Error &error) {
  CompiledStep::Step result;
  if (FlatSymbolRefAttr function = step.getFunction()) {
    auto address = object.lookup(function.getValue());
    if (address)
      result.function = reinterpret_cast<CompiledStep::Function>(*address);
    else
      error = llvm::joinErrors(std::move(error), address.takeError());
    return result;
  }
  if (StringAttr parameter = step.getParameter()) {
    auto found = findGradient(code, step.getComponent(), parameter);
    if (found)
      result.gradient = *found;
    else
      error = llvm::joinErrors(std::move(error), found.takeError());
    return result;
  }
  result.place = step.getOffset();
  result.sums = step.getAllreduce();
  if (StringAttr component = step.getComponent())
    result.component = component.str();
  result.number = int32_t(step.getNumber());
  result.part = int32_t(step.getPart().value_or(-1));
  result.isTwoSided = step.getTwoSided();
  result.rows = int32_t(step.getRows());
  result.cols = int32_t(step.getCols());
  result.stride = step.getStride();
  if (kernel::ProductAttr of = step.getProduct())
    result.product = {uint64_t(of.getOffset()), int32_t(of.getCols()),
                      of.getStride(),           uint64_t(of.getBasis()),
                      uint64_t(of.getSums()),   int32_t(of.getRank()),
                      int32_t(of.getGroups()),  of.getDistance()};
  return result;
}

/// Copies the entry op's properties, except the steps.
static void addEntry(kernel::EntryOp entry, CompiledStep &code) {
  code.arenaFloats = entry.getArenaSize();
  code.inputs = getIos(entry.getInputs());
  code.outputs = getIos(entry.getOutputs());
  if (auto list = entry.getGradients())
    for (auto of : list->getAsRange<kernel::GradientAttr>())
      code.gradients.push_back(
          {of.getComponent().str(), of.getParameter().str(),
           uint64_t(of.getOffset()), uint64_t(of.getRows() * of.getCols())});
  if (auto list = entry.getParameters())
    for (auto of : list->getAsRange<kernel::ParameterAttr>())
      code.parameters.push_back(
          {of.getComponent().str(), of.getParameter().str(),
           uint64_t(of.getOffset()), uint64_t(of.getSize())});
  if (auto of = entry.getConstants())
    code.constants = {uint64_t(of->getFirst()), uint64_t(of->getOffset()),
                      uint64_t(of->getSize())};
  if (auto list = entry.getStatistics())
    for (auto of : list->getAsRange<kernel::StatisticAttr>())
      code.statistics.push_back({of.getComponent().str(), of.getGradient(),
                                 uint64_t(of.getOffset()),
                                 uint64_t(of.getSize())});
  if (auto random = entry.getRandom())
    code.random = *random;
}

/// Sets the initial weights, and lists the weights that are derived from
/// parameters.
static LogicalResult addWeights(ModuleOp module, CompiledStep &code) {
  auto resources = kernel::ResourcesOp::find(module);
  const size_t floats = resources.getSize();
  auto packed = packWeights(resources, sizeof(float) * floats);
  if (failed(packed))
    return failure();
  code.weights.resize(floats);
  if (floats > 0)
    std::memcpy(code.weights.data(), packed->data(), sizeof(float) * floats);
  code.rowTables = resources.getRowTableEntries();
  std::vector<DeviceProgram::Parameter> parameters;
  for (const CompiledStep::Parameter &parameter : code.parameters)
    parameters.push_back(
        {parameter.component, parameter.name, parameter.place, parameter.size});
  auto derived = findDerivedWeights(module, parameters);
  if (failed(derived))
    return failure();
  // They are no parameters, so they are among the constants.
  for (auto &each : *derived)
    code.derived.push_back(
        {each.place - code.constants.first + code.constants.place,
         std::move(each.table), each.least});
  return success();
}

static LogicalResult addCode(ModuleOp module, kernel::EntryOp entry,
                             StringRef bytes, CompiledStep &code) {
  SmallVector<HostSymbol> symbols;
  for (const CompiledStep::Symbol &symbol : CompiledStep::symbols())
    symbols.push_back({symbol.name, symbol.address});
  auto loaded =
      LoadedObject::load(ArrayRef(bytes.data(), bytes.size()), symbols);
  if (!loaded)
    return module.emitError(llvm::toString(loaded.takeError()));
  std::shared_ptr<LoadedObject> object = std::move(*loaded);
  llvm::Error error = llvm::Error::success();
  if (auto steps = entry.getSteps())
    for (auto step : steps->getAsRange<kernel::StepAttr>())
      code.steps.push_back(getStep(step, *object, code, error));
  else
    code.steps.push_back(getStep(
        kernel::StepAttr::get(module.getContext(), entry.getFunctionAttr(), {},
                              0, std::nullopt, false, 0, 0, 0, 0, {},
                              /*allreduce=*/false, {}),
        *object, code, error));
  if (error)
    return module.emitError(llvm::toString(std::move(error)));
  code.keepAlive = std::move(object);
  return success();
}

/// Makes the step from its machine code and a module with networks, entry and
/// resources.
static FailureOr<std::shared_ptr<const CompiledStep>>
makeStep(ModuleOp module, StringRef object, int64_t threads) {
  auto entries = module.getOps<kernel::EntryOp>();
  if (entries.empty())
    return module.emitError("expects a computation");
  kernel::EntryOp entry = *entries.begin();
  auto code = std::make_shared<CompiledStep>();
  code->numThreads = int32_t(threads);
  addEntry(entry, *code);
  if (failed(addWeights(module, *code)) ||
      failed(addCode(module, entry, object, *code)))
    return failure();
  return std::shared_ptr<const CompiledStep>(std::move(code));
}

//===----------------------------------------------------------------------===//
// The program cache
//===----------------------------------------------------------------------===//

/// The parameters are not part of the code, so the key does not cover their
/// values.
static FailureOr<ProgramKey> getKey(NetworkOp network, RequestOp request,
                                    const TrainingCode &training) {
  auto parameters = ParameterBlob::create(network);
  if (failed(parameters))
    return failure();
  ProgramKeyParts parts = {
      describeTool(), describeNetwork(network, *parameters),
      describeRequest(request),
      "training " + std::to_string(training.updates) +
          std::to_string(training.isShared) + " threads " +
          std::to_string(training.threads) + " " + describeMachine() +
          describeOptions(CompileOptions(), training.optimization)};
  return parts.getKey();
}

/// Encodes the size of the description, the description as IR text, and the
/// object.
static std::string encode(ModuleOp module, StringRef object) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (Operation &op : *module.getBody())
    if (isa<kernel::EntryOp, kernel::ResourcesOp>(op)) {
      op.print(os, OpPrintingFlags().printGenericOpForm());
      os << "\n";
    }
  return std::to_string(text.size()) + "\n" + text + object.str();
}

/// Decodes a step from a cache file; null if the file is invalid.
static std::shared_ptr<const CompiledStep>
decode(NetworkOp network, StringRef bytes, int64_t threads) {
  auto [header, rest] = bytes.split('\n');
  size_t size = 0;
  if (header.getAsInteger(10, size) || size > rest.size())
    return nullptr;
  MLIRContext *context = network.getContext();
  context->loadDialect<kernel::KernelDialect>();
  ScopedDiagnosticHandler silent(context,
                                 [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = ModuleOp::create(network.getLoc());
  OpBuilder::atBlockEnd(module->getBody()).clone(*network);
  // The function bodies are in the object.
  if (failed(
          parseSourceString(rest.take_front(size), module->getBody(),
                            ParserConfig(context, /*verifyAfterParse=*/false))))
    return nullptr;
  auto step = makeStep(*module, rest.drop_front(size), threads);
  return succeeded(step) ? *step : nullptr;
}

FailureOr<std::shared_ptr<const CompiledStep>>
mlir::nnet3::compileStep(NetworkOp network, RequestOp request,
                         const TrainingCode &training, ProgramCache *cache) {
  DialectRegistry registry;
  registerKernelModels(registry);
  network.getContext()->appendDialectRegistry(registry);
  std::optional<ProgramKey> key;
  if (cache) {
    auto made = getKey(network, request, training);
    if (failed(made))
      return failure();
    key = *made;
    if (auto bytes = cache->find(*key))
      if (auto known = decode(network, *bytes, training.threads))
        return known;
  }
  auto module = lowerRequest(network, request, [&](OpPassManager &passes) {
    addNativeTrainingPasses(passes, Stage::Lowered, training);
  });
  if (failed(module))
    return failure();
  auto object = emitCode(**module, CodeTarget(), CodeForm::Object);
  if (failed(object))
    return failure();
  const StringRef bytes(object->data(), object->size());
  if (key)
    cache->store(*key, encode(**module, bytes));
  return makeStep(**module, bytes, training.threads);
}

//===----------------------------------------------------------------------===//
// Instances
//===----------------------------------------------------------------------===//

namespace {
class StepRequest : public RequestInstance {
public:
  StepRequest(std::unique_ptr<rt::CompiledSteps> steps,
              const CompiledStep &code)
      : steps(std::move(steps)) {
    for (const CompiledStep::Io &input : code.inputs)
      isGiven[input.node] = false;
    for (const CompiledStep::Step &step : code.steps)
      numParts += step.endsPart();
  }

  rt::Status setInput(StringRef name, rt::ConstMatrixView value) override {
    auto given = isGiven.find(name);
    if (given == isGiven.end())
      return rt::invalidArgument("there is no input '" + name.str() + "'");
    rt::Status status = steps->setInput(name, value);
    given->second = status.ok();
    return status;
  }

  rt::Status run() override {
    for (auto &[name, given] : isGiven) {
      if (!given)
        return rt::Status(NNET3RT_NOT_READY, "input '" + name + "' is missing");
      given = false;
    }
    rt::Status status;
    for (int part = 0; part < numParts && status.ok(); ++part)
      status = steps->run();
    return status;
  }

  rt::Result<rt::ConstMatrixView> output(StringRef name) const override {
    return steps->output(name);
  }
  rt::Status setStatistics(const rt::Model &model,
                           const rt::Model *gradient) override {
    return steps->setStatistics(model, gradient);
  }
  rt::Status getStatistics(rt::Model &model,
                           rt::Model *gradient) const override {
    return steps->getStatistics(model, gradient);
  }
  rt::Status addGradient(rt::Model &model) const override {
    return steps->addGradient(model);
  }

private:
  std::unique_ptr<rt::CompiledSteps> steps;
  /// Whether an input is given for the next run, by name.
  std::map<std::string, bool, std::less<>> isGiven;
  int numParts = 1;
};
} // namespace

std::unique_ptr<RequestInstance>
mlir::nnet3::makeStepInstance(std::unique_ptr<rt::CompiledSteps> steps,
                              const CompiledStep &code) {
  return std::make_unique<StepRequest>(std::move(steps), code);
}

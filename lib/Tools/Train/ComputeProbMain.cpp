//===- ComputeProbMain.cpp - Objectives over examples ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ExampleQueue.h"
#include "ExampleRequests.h"
#include "ProbOptions.h"
#include "Probabilities.h"
#include "RunTool.h"
#include "nnet3/Dialect/Nnet3/Analysis/TestMode.h"
#include "nnet3/Execution/NnetRunner.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Tools/Train.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

static const char kUsage[] =
    "Computes the objectives of a network on examples, and its accuracy.\n"
    "Usage: nnet3-compute-prob [options] MODEL EGS-RSPECIFIER\n"
    "       nnet3-compute-prob [options] MODEL DEN-FST CHAIN-EGS-RSPECIFIER\n"
    "\n"
    "MODEL is what nnet3-run reads.\n"
    "e.g.: nnet3-compute-prob final.raw ark:valid.egs\n";

namespace {
/// The sums over one table.
class ProbRun {
public:
  ProbRun(NnetRunner &runner, const ProbOptions &options)
      : runner(runner), options(options), examples(runner, options.chain) {}

  LogicalResult run();

private:
  LogicalResult compute(const ExampleQueue::Entry &entry);
  LogicalResult addChain(const rt::Minibatch &minibatch, RequestOp request,
                         RequestInstance &instance, Location loc);
  LogicalResult addPlain(const rt::Minibatch &minibatch,
                         RequestInstance &instance, Location loc);
  LogicalResult check(llvm::Error error) {
    return emitFileError(runner.getNetwork().getContext(), std::move(error));
  }
  bool isQuadratic(StringRef output);

  NnetRunner &runner;
  const ProbOptions &options;
  ExampleRequests examples;
  Probabilities sums;
};
} // namespace

bool ProbRun::isQuadratic(StringRef output) {
  return llvm::any_of(runner.getNetwork().getOps<OutputNodeOp>(),
                      [&](OutputNodeOp node) {
                        return node.getName() == output &&
                               node.getObjective() == Objective::Quadratic;
                      });
}

LogicalResult ProbRun::addPlain(const rt::Minibatch &minibatch,
                                RequestInstance &instance, Location loc) {
  for (const rt::NamedSupervision &wanted : minibatch.supervision) {
    auto output = instance.output(wanted.name);
    if (!output.ok())
      return emitError(loc) << output.status().message();
    const bool quadratic = isQuadratic(wanted.name);
    auto objective = rt::computeObjective(
        quadratic ? rt::ObjectiveType::Quadratic : rt::ObjectiveType::Linear,
        *output, wanted.value);
    if (!objective.ok())
      return emitError(loc) << "output '" << wanted.name << "' "
                            << objective.status().message();
    const std::string name(wanted.name);
    sums.add({name, *objective}, quadratic ? Probabilities::Kind::Objective
                                           : Probabilities::Kind::Likelihood);
    if (options.computeAccuracy || options.computePerDimAccuracy)
      sums.getAccuracy(name).add(*output, wanted.value);
  }
  return success();
}

LogicalResult ProbRun::addChain(const rt::Minibatch &minibatch,
                                RequestOp request, RequestInstance &instance,
                                Location loc) {
  std::vector<rt::OutputSupervisor::Output> outputs;
  std::deque<std::vector<float>> derivatives;
  for (RequestOutputOp op : request.getOps<RequestOutputOp>()) {
    auto value = instance.output(op.getName());
    if (!value.ok())
      return emitError(loc) << value.status().message();
    std::vector<float> &storage =
        derivatives.emplace_back(size_t(value->rows) * value->cols);
    outputs.push_back({op.getName(), *value,
                       rt::MatrixView(storage.data(), value->rows, value->cols,
                                      value->cols)});
  }
  auto objectives = minibatch.supervisor->supervise(outputs, /*seed=*/0);
  if (!objectives.ok())
    return emitError(loc) << objectives.status().message();
  for (const rt::OutputObjective &objective : *objectives)
    sums.add(objective, Probabilities::Kind::Probability);
  return success();
}

LogicalResult ProbRun::compute(const ExampleQueue::Entry &entry) {
  Location loc = NameLoc::get(StringAttr::get(runner.getNetwork().getContext(),
                                              "example " + entry.key));
  auto request =
      examples.createRequest(entry.example, ExampleRequestOptions(), loc);
  if (failed(request))
    return failure();
  auto instance = runner.prepare(**request);
  auto minibatch = examples.createMinibatch(entry.example, loc);
  if (failed(instance) || failed(minibatch))
    return failure();
  for (const rt::NamedMatrix &input : (*minibatch)->get().inputs)
    if (rt::Status status = (*instance)->setInput(input.name, input.value);
        !status.ok())
      return emitError(loc) << status.message();
  if (rt::Status status = (*instance)->run(); !status.ok())
    return emitError(loc) << status.message();
  return examples.isChain()
             ? addChain((*minibatch)->get(), **request, **instance, loc)
             : addPlain((*minibatch)->get(), **instance, loc);
}

LogicalResult ProbRun::run() {
  if (failed(check(examples.readDenominator(options.denominator))))
    return failure();
  TableOptions tableOptions;
  tableOptions.allowScpPipes = options.allowScpPipes;
  tableOptions.warn = [](StringRef message) {
    llvm::errs() << (message + "\n").str();
  };
  auto queue = ExampleQueue::open(options.examples, tableOptions);
  if (!queue)
    return check(queue.takeError());
  while (true) {
    auto entry = (*queue)->next();
    if (!entry)
      return check(entry.takeError());
    if (!*entry)
      break;
    if (failed(compute(**entry)))
      return failure();
  }
  if (sums.print(options.computePerDimAccuracy))
    return success();
  return check(makeFileError(options.examples, "there are no examples"));
}

/// Puts batch norm, and what is random, in test mode.
static void setTestModes(NetworkOp network, const ProbOptions &options) {
  for (auto component : network.getOps<ComponentOpInterface>())
    if (isInTrainingMode(component) &&
        (has(component.getComponentProperties(), ComponentProperties::Random)
             ? options.dropoutTestMode
             : options.batchnormTestMode))
      component->setAttr(kTestModeAttr,
                         BoolAttr::get(component.getContext(), true));
}

static LogicalResult run(MLIRContext *context, const ProbOptions &options) {
  OwningOpRef<ModuleOp> module = loadModel(options.model, context);
  if (!module)
    return failure();
  NetworkOp network = getOnlyNetwork(*module);
  if (!network)
    return failure();
  setTestModes(network, options);
  RunnerOptions runnerOptions;
  runnerOptions.cacheCapacity = options.cacheCapacity;
  runnerOptions.optimization = options.optimization;
  auto runner = NnetRunner::create(network, runnerOptions);
  if (failed(runner))
    return failure();
  return ProbRun(**runner, options).run();
}

int mlir::nnet3::computeProbMain(int argc, char **argv) {
  return runTool<ProbOptions>(kUsage, argc, argv, run);
}

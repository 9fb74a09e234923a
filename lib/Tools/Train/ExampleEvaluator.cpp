//===- ExampleEvaluator.cpp - Objectives of a model on examples -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ExampleEvaluator.h"

#include "llvm/ADT/STLExtras.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

bool ExampleEvaluator::isQuadratic(StringRef output) {
  return llvm::any_of(runner.getNetwork().getOps<OutputNodeOp>(),
                      [&](OutputNodeOp node) {
                        return node.getName() == output &&
                               node.getObjective() == Objective::Quadratic;
                      });
}

LogicalResult ExampleEvaluator::addPlain(const rt::Minibatch &minibatch,
                                         const rt::Instance &instance,
                                         Location loc, Probabilities &sums) {
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
    if (options.accuracy)
      sums.getAccuracy(name).add(*output, wanted.value);
  }
  return success();
}

LogicalResult ExampleEvaluator::addChain(const rt::Minibatch &minibatch,
                                         const rt::Instance &instance,
                                         Location loc, Probabilities &sums) {
  std::vector<rt::OutputSupervisor::Output> outputs;
  std::deque<std::vector<float>> derivatives;
  for (const rt::IoInfo &info : instance.program().outputs()) {
    auto value = instance.output(info.name);
    if (!value.ok())
      return emitError(loc) << value.status().message();
    std::vector<float> &storage =
        derivatives.emplace_back(size_t(value->rows) * value->cols);
    outputs.push_back({info.name, *value,
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

FailureOr<rt::Instance *> ExampleEvaluator::prepare(const AnyExample &example,
                                                    Location loc) {
  const std::string structure = describeStructure(example);
  if (!instances.contains(structure) &&
      instances.size() >= options.cacheCapacity)
    instances.clear();
  std::unique_ptr<rt::Instance> &known = instances[structure];
  if (known)
    return known.get();
  ExampleRequestOptions requestOptions;
  requestOptions.storeComponentStats = options.storeComponentStats;
  auto request = examples.createRequest(example, requestOptions, loc);
  if (failed(request))
    return failure();
  auto program = runner.load(**request);
  if (failed(program))
    return failure();
  rt::InstanceOptions instanceOptions;
  instanceOptions.model = model;
  auto instance = runner.instantiate(*program, loc, instanceOptions);
  if (failed(instance))
    return failure();
  known = std::move(*instance);
  return known.get();
}

LogicalResult ExampleEvaluator::add(const ExampleQueue::Entry &entry,
                                    Probabilities &sums) {
  Location loc = NameLoc::get(StringAttr::get(runner.getNetwork().getContext(),
                                              "example " + entry.key));
  auto instance = prepare(entry.example, loc);
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
             ? addChain((*minibatch)->get(), **instance, loc, sums)
             : addPlain((*minibatch)->get(), **instance, loc, sums);
}

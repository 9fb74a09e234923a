//===- TrainRun.cpp - Training over one table -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainRun.h"
#include "ModelEvaluation.h"
#include "ObjectiveSum.h"
#include "nnet3/Execution/ModelState.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Tools/Program.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

/// The program for `example`, of which there may have been others like it.
FailureOr<TrainRun::Program> TrainRun::prepare(const AnyExample &example,
                                               Location loc) {
  Program &known = programs[describeStructure(example)];
  if (known)
    return known;
  ExampleRequestOptions requestOptions;
  requestOptions.needModelDerivative = true;
  requestOptions.storeComponentStats = options.training.storeComponentStats;
  auto request = examples.createRequest(example, requestOptions, loc);
  if (failed(request))
    return failure();
  auto program = trainer.prepare(**request);
  if (failed(program))
    return failure();
  known = *program;
  return known;
}

/// The components as the trainer counts them.
LogicalResult TrainRun::findNames() {
  if (!componentNames.empty())
    return success();
  auto model = trainer.getModel();
  if (!model.ok())
    return emitError(network.getLoc()) << model.status().message();
  for (int32_t i = 0; i < (*model)->numComponents(); ++i)
    componentNames.emplace_back((*model)->componentName(i));
  return success();
}

LogicalResult TrainRun::train(const ExampleQueue::Entry &entry) {
  Location loc = NameLoc::get(
      StringAttr::get(network.getContext(), "example " + entry.key));
  auto program = prepare(entry.example, loc);
  if (failed(program))
    return failure();
  auto minibatch = examples.createMinibatch(entry.example, loc);
  if (failed(minibatch))
    return failure();
  auto step = trainer.train(*program, (*minibatch)->get());
  if (!step.ok())
    return emitError(loc) << step.status().message();
  if (failed(findNames()))
    return failure();
  record->add(log.getNumMinibatches(), *step, trainer.getMaxChangeCounts());
  log.add(*step);
  log.printMaxChange(trainer.getMaxChangeCounts(),
                     options.training.maxParamChange, componentNames);
  log.showProgress(entry.fraction);
  if (step->refused)
    printWarning(kName, "Infinite parameter change, will not apply.");
  return success();
}

/// Evaluates the model, and prints and records the objectives.
LogicalResult TrainRun::validate(const rt::Model &model) {
  auto evaluation = ModelEvaluation::create(exportModel(model, network),
                                            options.runner, /*batchnorm=*/true,
                                            /*random=*/true);
  if (failed(evaluation))
    return failure();
  ExampleEvaluator evaluator(*evaluation->runner, /*model=*/nullptr,
                             options.chain, ExampleEvaluator::Options());
  if (failed(check(evaluator.readDenominator(options.denominator))))
    return failure();
  Probabilities sums;
  for (const ExampleQueue::Entry &entry : validation)
    if (failed(evaluator.add(entry, sums)))
      return failure();
  record->addValidation(log.getNumMinibatches(), sums.getObjectives());
  for (const rt::OutputObjective &output : sums.getObjectives())
    printLog(kName, "Validation objective for '" + output.name + "' after " +
                        Twine(log.getNumMinibatches()) + " minibatches is " +
                        showAverage(output) + " over " +
                        showNumber(output.objective.weight) + " frames.");
  return success();
}

/// Records what the model has become.
LogicalResult TrainRun::recordModel() {
  if (options.log.empty() && validation.empty())
    return success();
  auto model = trainer.getModel();
  if (!model.ok())
    return emitError(network.getLoc()) << model.status().message();
  record->addComponents(log.getNumMinibatches(), **model, trainer.getDelta(),
                        trainer.getMaxChangeCounts());
  return validation.empty() ? success() : validate(**model);
}

LogicalResult TrainRun::trainAll() {
  auto queue = ExampleQueue::open(options.examples, options.getTableOptions());
  if (!queue)
    return check(queue.takeError());
  if (failed(skipTrained(**queue)))
    return failure();
  while (true) {
    auto entry = (*queue)->next();
    if (!entry)
      return check(entry.takeError());
    if (!*entry)
      break;
    if (failed(train(**entry)))
      return failure();
    if (log.getNumMinibatches() % options.printInterval == 0 &&
        failed(recordModel()))
      return failure();
    if (failed(saveIfDue(**entry)))
      return failure();
  }
  if (log.getNumMinibatches() == 0)
    return check(makeFileError(options.examples, "there are no examples"));
  return success();
}

LogicalResult TrainRun::write() {
  auto model = trainer.getModel();
  if (!model.ok())
    return emitError(network.getLoc()) << model.status().message();
  OwningOpRef<NetworkOp> trained = exportModel(**model, network);
  if (failed(writeModel(*trained, file->getStream(), options.binary)) ||
      failed(check(file->flush())))
    return failure();
  return check(file->commit());
}

LogicalResult TrainRun::run() {
  auto opened = OutputFile::create(options.trainedModel);
  if (!opened)
    return check(opened.takeError());
  file = std::move(*opened);
  if (failed(check(examples.readDenominator(options.denominator))) ||
      (options.resume && failed(resume())))
    return failure();
  if (!options.validation.empty()) {
    auto read = readAllExamples(network.getContext(), options.validation,
                                options.getTableOptions());
    if (failed(read))
      return failure();
    validation = std::move(*read);
  }
  auto recorded = TrainingRecord::open(options.log, recordBytes);
  if (!recorded)
    return check(recorded.takeError());
  record = std::move(*recorded);
  if (failed(trainAll()) || failed(check(record->close())))
    return failure();
  if (failed(findNames()))
    return failure();
  const bool any = log.printTotal(trainer.getMaxChangeCounts(), componentNames);
  if (failed(write()) || failed(removeCheckpoint()))
    return failure();
  return success(any);
}

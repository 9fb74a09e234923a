//===- TrainRun.cpp - Training on a table of examples ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainRun.h"
#include "ModelEvaluation.h"
#include "ObjectiveSum.h"
#include "nnet3/Execution/ModelState.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Tools/Common/Program.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

/// Returns the program for `example`, which may be cached.
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

/// Finds the names of the components in the trainer's order.
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

FailureOr<rt::TrainingStep> TrainRun::step(StringRef key,
                                           const AnyExample &example) {
  Location loc =
      NameLoc::get(StringAttr::get(network.getContext(), "example " + key));
  auto share = takeShare(example, loc);
  if (failed(share))
    return failure();
  const AnyExample &used = *share ? **share : example;
  auto program = prepare(used, loc);
  if (failed(program))
    return failure();
  auto minibatch = examples.createMinibatch(used, loc);
  if (failed(minibatch))
    return failure();
  auto step = trainer.train(*program, (*minibatch)->get());
  if (!step.ok())
    return emitError(loc) << step.status().message();
  if (failed(findNames()))
    return failure();
  return std::move(*step);
}

void TrainRun::report(const rt::TrainingStep &step,
                      std::optional<double> fraction) {
  record->add(log.getNumMinibatches(), step, trainer.getMaxChangeCounts());
  log.add(step);
  log.printMaxChange(trainer.getMaxChangeCounts(),
                     options.training.maxParamChange, componentNames);
  if (isMain())
    log.showProgress(fraction);
  if (step.refused)
    printWarning(kName, "Infinite parameter change, will not apply.");
}

LogicalResult TrainRun::train(const ExampleQueue::Entry &entry) {
  auto done = step(entry.key, entry.example);
  if (failed(done))
    return failure();
  ++numExamples;
  report(*done, entry.fraction);
  return success();
}

/// Evaluates the model on the validation examples; prints and records the
/// objectives.
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

/// Records the current model.
LogicalResult TrainRun::recordModel() {
  if (!isMain() || (options.log.empty() && validation.empty()))
    return success();
  auto model = trainer.getModel();
  if (!model.ok())
    return emitError(network.getLoc()) << model.status().message();
  record->addComponents(log.getNumMinibatches(), **model, trainer.getDelta(),
                        trainer.getMaxChangeCounts());
  return validation.empty() ? success() : validate(**model);
}

/// Does the periodic work after minibatches. There were `numBefore` minibatches
/// before them.
LogicalResult TrainRun::finishMinibatches(const ExampleQueue::Entry &latest,
                                          int64_t numBefore) {
  if (log.getNumMinibatches() / options.printInterval !=
          numBefore / options.printInterval &&
      failed(recordModel()))
    return failure();
  return saveIfDue(latest);
}

LogicalResult TrainRun::trainOnAll(ExampleQueue &queue) {
  while (true) {
    auto entry = queue.next();
    if (!entry)
      return check(entry.takeError());
    if (!*entry)
      return success();
    const int64_t numBefore = log.getNumMinibatches();
    if (failed(train(**entry)) || failed(finishMinibatches(**entry, numBefore)))
      return failure();
  }
}

LogicalResult TrainRun::trainAll() {
  auto queue = ExampleQueue::open(options.examples, options.getTableOptions());
  if (!queue)
    return check(queue.takeError());
  if (failed(skipTrained(**queue)))
    return failure();
  const bool isAveraging = group && options.averagingInterval > 0;
  if (failed(isAveraging ? trainRounds(**queue) : trainOnAll(**queue)))
    return failure();
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
  if (isMain()) {
    auto opened = OutputFile::create(options.trainedModel);
    if (!opened)
      return check(opened.takeError());
    file = std::move(*opened);
  }
  if (failed(check(examples.readDenominator(options.denominator))) ||
      (options.resume && (failed(resume()) || failed(checkPositions()))))
    return failure();
  if (isMain() && !options.validation.empty()) {
    auto read = readAllExamples(network.getContext(), options.validation,
                                options.getTableOptions());
    if (failed(read))
      return failure();
    validation = std::move(*read);
  }
  auto recorded =
      TrainingRecord::open(isMain() ? options.log : "", recordBytes);
  if (!recorded)
    return check(recorded.takeError());
  record = std::move(*recorded);
  if (failed(trainAll()) || failed(check(record->close())))
    return failure();
  if (failed(findNames()))
    return failure();
  if (group)
    printTraffic();
  const bool any = log.printTotal(trainer.getMaxChangeCounts(), componentNames);
  if (!isMain())
    return success();
  if (!any)
    return check(makeFileError(options.examples,
                               "the weights of the supervision are all 0"));
  return success(succeeded(write()) && succeeded(removeCheckpoint()));
}

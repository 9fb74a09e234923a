//===- TrainMain.cpp - Training over examples -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ExampleQueue.h"
#include "ExampleRequests.h"
#include "TrainOptions.h"
#include "TrainingLog.h"
#include "TrainingRecord.h"
#include "nnet3/Execution/CpuTrainer.h"
#include "nnet3/Execution/CudaTrainer.h"
#include "nnet3/Execution/ModelState.h"
#include "nnet3/Execution/TerminalLine.h"
#include "nnet3/Kaldi/IO/OutputFile.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Target/Kaldi/ModelWriter.h"
#include "nnet3/Tools/NetworkProgram.h"
#include "nnet3/Tools/Train.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

static const char kUsage[] =
    "Trains a network on minibatches, one pass over the table.\n"
    "Usage: nnet3-train [options] MODEL EGS-RSPECIFIER TRAINED-MODEL\n"
    "       nnet3-train [options] MODEL DEN-FST CHAIN-EGS-RSPECIFIER "
    "TRAINED-MODEL\n"
    "\n"
    "MODEL is what nnet3-run reads. Each example of the table is a minibatch "
    "(see nnet3-copy\nmerge-egs). TRAINED-MODEL is a raw model.\n"
    "e.g.: nnet3-train --momentum=0.9 0.raw ark:egs.ark 1.raw\n";

namespace {
/// Training over one table.
class TrainRun {
public:
  TrainRun(NetworkOp network, NnetRunner &interpreter, RequestTrainer &trainer,
           const TrainOptions &options)
      : network(network), trainer(trainer), options(options),
        examples(interpreter, options.chain), log(options.printInterval) {}

  LogicalResult run();

private:
  using Program = std::shared_ptr<const rt::Program>;

  LogicalResult trainAll();
  LogicalResult train(const ExampleQueue::Entry &entry);
  FailureOr<Program> prepare(const AnyExample &example, Location loc);
  LogicalResult findNames();
  LogicalResult write();
  LogicalResult check(llvm::Error error) {
    return emitFileError(network.getContext(), std::move(error));
  }

  NetworkOp network;
  RequestTrainer &trainer;
  const TrainOptions &options;
  ExampleRequests examples;
  TrainingLog log;
  std::vector<std::string> componentNames;
  /// By structure of the example.
  llvm::StringMap<Program> programs;
  std::unique_ptr<OutputFile> file;
  std::unique_ptr<TrainingRecord> record;
};
} // namespace

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
  if (componentNames.empty() && failed(findNames()))
    return failure();
  record->add(log.getNumMinibatches(), *step,
              trainer.getMaxChangeCounts().latest);
  log.add(*step);
  log.printMaxChange(trainer.getMaxChangeCounts(),
                     options.training.maxParamChange, componentNames);
  log.showProgress();
  if (step->refused)
    printWarning("nnet3-train", "Infinite parameter change, will not apply.");
  return success();
}

LogicalResult TrainRun::trainAll() {
  auto queue = ExampleQueue::open(options.examples, options.getTableOptions());
  if (!queue)
    return check(queue.takeError());
  while (true) {
    auto entry = (*queue)->next();
    if (!entry)
      return check(entry.takeError());
    if (!*entry)
      break;
    if (failed(train(**entry)))
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
  auto recorded = TrainingRecord::open(options.log);
  if (!recorded)
    return check(recorded.takeError());
  record = std::move(*recorded);
  if (failed(check(examples.readDenominator(options.denominator))) ||
      failed(trainAll()) || failed(check(record->close())))
    return failure();
  const bool any = log.printTotal(trainer.getMaxChangeCounts(), componentNames);
  if (failed(write()))
    return failure();
  return success(any);
}

static LogicalResult run(MLIRContext *context, const TrainOptions &options) {
  OwningOpRef<ModuleOp> module =
      loadModel(options.model, context, options.initSeed);
  if (!module)
    return failure();
  NetworkOp network = getOnlyNetwork(*module);
  if (!network)
    return failure();
  RunnerOptions runnerOptions;
  runnerOptions.cacheCapacity = options.cacheCapacity;
  runnerOptions.optimization = options.optimization;
  auto interpreter = NnetRunner::create(network, runnerOptions);
  if (failed(interpreter))
    return failure();
  if (options.backend == "interpreter") {
    CpuTrainer trainer(**interpreter, options.training);
    return TrainRun(network, **interpreter, trainer, options).run();
  }
  auto trainer = CudaTrainer::create(**interpreter, options.training);
  if (failed(trainer))
    return failure();
  return TrainRun(network, **interpreter, **trainer, options).run();
}

int mlir::nnet3::trainMain(int argc, char **argv) {
  TrainOptions options;
  return runNetworkProgram(
      kUsage, argc, argv, options,
      [&](MLIRContext *context) { return run(context, options); });
}

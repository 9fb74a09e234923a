//===- TrainMain.cpp - Training over examples -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Checkpoint.h"
#include "ExampleQueue.h"
#include "ExampleRequests.h"
#include "ModelEvaluation.h"
#include "ObjectiveSum.h"
#include "StopSignal.h"
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

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/xxhash.h"

#include <chrono>

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

static constexpr StringRef kName = "nnet3-train";

static const char kUsage[] =
    "Trains a network on minibatches, one pass over the table.\n"
    "Usage: nnet3-train [options] MODEL EGS-RSPECIFIER TRAINED-MODEL\n"
    "       nnet3-train [options] MODEL DEN-FST CHAIN-EGS-RSPECIFIER "
    "TRAINED-MODEL\n"
    "\n"
    "MODEL is what nnet3-run reads. Each example of the table is a minibatch "
    "(see\nnnet3-merge-egs). TRAINED-MODEL is a raw model.\n"
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

  /// Shows all that one minibatch changes for the next ones.
  rt::Status visitState(rt::StateVisitor &visitor);

private:
  using Program = std::shared_ptr<const rt::Program>;
  using Clock = std::chrono::steady_clock;

  LogicalResult resume();
  LogicalResult skipTrained(ExampleQueue &queue);
  LogicalResult trainAll();
  LogicalResult saveIfDue(const ExampleQueue::Entry &latest);
  LogicalResult removeCheckpoint();
  LogicalResult recordModel();
  LogicalResult validate(const rt::Model &model);
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
  std::vector<ExampleQueue::Entry> validation;
  std::unique_ptr<OutputFile> file;
  std::unique_ptr<TrainingRecord> record;
  /// Those of the record at the checkpoint from which this goes on.
  int64_t recordBytes = 0;
  /// What tells the last example before the checkpoint from others.
  std::string lastExample;
  Clock::time_point lastSaved = Clock::now();
};
} // namespace

//===----------------------------------------------------------------------===//
// Checkpoints
//===----------------------------------------------------------------------===//

/// What `values` and `expected` do not agree about.
static rt::Status compareOptions(const std::vector<std::string> &values,
                                 const std::vector<std::string> &expected) {
  for (size_t i = 0; i < expected.size(); ++i)
    if (i >= values.size() || values[i] != expected[i])
      return rt::invalidArgument("expects " + expected[i] + ", but it is of " +
                                 (i < values.size() ? values[i] : "less"));
  if (values.size() > expected.size())
    return rt::invalidArgument("it is of " + values[expected.size()]);
  return rt::Status();
}

rt::Status TrainRun::visitState(rt::StateVisitor &visitor) {
  const std::vector<std::string> expected = options.describe();
  std::vector<std::string> values = expected, last{lastExample};
  rt::Status status = visitor.visit("options", values);
  if (status.ok())
    status = compareOptions(values, expected);
  if (status.ok())
    status = visitor.visit("last_example", last);
  if (status.ok())
    status = visitor.visit("record.bytes", recordBytes);
  if (status.ok())
    status = log.visitState(visitor);
  if (status.ok())
    status = trainer.visitState(visitor);
  if (!status.ok())
    return status;
  if (last.size() != 1 || recordBytes < 0 || log.getNumMinibatches() < 0)
    return rt::invalidArgument("the position in the examples is wrong");
  lastExample = last.front();
  return status;
}

LogicalResult TrainRun::resume() {
  auto found =
      readCheckpoint(options.checkpoint, [&](rt::StateVisitor &visitor) {
        return visitState(visitor);
      });
  if (!found)
    return check(found.takeError());
  if (*found)
    printLog(kName, "Going on after " + Twine(log.getNumMinibatches()) +
                        " minibatches");
  return success();
}

/// The key of an example, and a number that depends on what it is.
static std::string identify(const ExampleQueue::Entry &entry) {
  std::string text = describeStructure(entry.example);
  for (const NnetIo &io : takeRows(entry.example).io) {
    const Matrix full = toFull(io.features);
    text.append(reinterpret_cast<const char *>(full.data.data()),
                full.data.size() * sizeof(float));
  }
  return entry.key + " " + llvm::utohexstr(llvm::xxh3_64bits(text));
}

/// Passes over the examples that the checkpoint comes from.
LogicalResult TrainRun::skipTrained(ExampleQueue &queue) {
  std::optional<ExampleQueue::Entry> last;
  const int64_t count = log.getNumMinibatches();
  for (int64_t i = 0; i < count; ++i) {
    auto entry = queue.next();
    if (!entry)
      return check(entry.takeError());
    if (!*entry)
      return check(makeFileError(options.examples,
                                 "expects the " + Twine(count) +
                                     " examples before the checkpoint, but got "
                                     "only " +
                                     Twine(i)));
    last = std::move(*entry);
  }
  if (!last || identify(*last) == lastExample)
    return success();
  return check(makeFileError(options.examples,
                             "example " + Twine(count) + ", '" + last->key +
                                 "', is not the last one before the "
                                 "checkpoint"));
}

/// Writes a checkpoint if it is time, or if the program is to stop; then fails.
LogicalResult TrainRun::saveIfDue(const ExampleQueue::Entry &latest) {
  if (options.checkpoint.empty())
    return success();
  const bool isStop = isStopRequested();
  const double minutes =
      std::chrono::duration<double>(Clock::now() - lastSaved).count() / 60;
  if (!isStop && minutes < options.checkpointMinutes)
    return success();
  recordBytes = record->getNumBytes();
  lastExample = identify(latest);
  if (failed(check(
          writeCheckpoint(options.checkpoint, [&](rt::StateVisitor &visitor) {
            return visitState(visitor);
          }))))
    return failure();
  lastSaved = Clock::now();
  if (!isStop)
    return success();
  printLog(kName, "Stopped by SIGTERM after " + Twine(log.getNumMinibatches()) +
                      " minibatches; --resume goes on from " +
                      options.checkpoint);
  return failure();
}

LogicalResult TrainRun::removeCheckpoint() {
  if (options.checkpoint.empty())
    return success();
  if (std::error_code error = llvm::sys::fs::remove(options.checkpoint))
    return check(makeFileError(options.checkpoint, error.message()));
  return success();
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

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

static LogicalResult run(MLIRContext *context, const TrainOptions &options) {
  OwningOpRef<ModuleOp> module =
      loadModel(options.model, context, options.initSeed);
  if (!module)
    return failure();
  NetworkOp network = getOnlyNetwork(*module);
  if (!network)
    return failure();
  auto interpreter = NnetRunner::create(network, options.runner);
  if (failed(interpreter))
    return failure();
  if (options.backend == "interpreter") {
    auto trainer = CpuTrainer::create(**interpreter, options.training);
    if (failed(trainer))
      return failure();
    return TrainRun(network, **interpreter, **trainer, options).run();
  }
  auto trainer = CudaTrainer::create(**interpreter, options.training);
  if (failed(trainer))
    return failure();
  return TrainRun(network, **interpreter, **trainer, options).run();
}

int mlir::nnet3::trainMain(int argc, char **argv) {
  TrainOptions options;
  const int status =
      runNetworkProgram(kUsage, argc, argv, options, [&](MLIRContext *context) {
        if (!options.checkpoint.empty())
          catchStopSignal();
        return run(context, options);
      });
  // All files have been closed or removed.
  if (status != 0)
    stopIfRequested();
  return status;
}

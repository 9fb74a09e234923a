//===- TrainMain.cpp - The main function of nnet3-train -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parallel/JoinProcessGroup.h"
#include "StopSignal.h"
#include "TrainRun.h"
#include "nnet3/Execution/CpuTrainer.h"
#include "nnet3/Execution/CudaTrainer.h"
#include "nnet3/Execution/NativeTrainer.h"
#include "nnet3/Tools/Common/ModelFiles.h"
#include "nnet3/Tools/Common/NetworkProgram.h"
#include "nnet3/Tools/Train.h"

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
    "(see\nnnet3-merge-egs). TRAINED-MODEL is a raw model.\n"
    "e.g.: nnet3-train --momentum=0.9 0.raw ark:egs.ark 1.raw\n";

static NativeTrainingOptions getNativeOptions(const TrainOptions &options) {
  constexpr uint64_t kCacheBytes = uint64_t(1) << 30;
  NativeTrainingOptions native;
  native.nativeAfter = options.nativeAfter;
  native.numThreads = options.numThreads;
  if (!options.programCache.empty())
    native.programCache = std::make_shared<ProgramCache>(
        options.programCache, kCacheBytes,
        [](const llvm::Twine &line) { llvm::errs() << line << "\n"; });
  return native;
}

/// Trains with the trainer that `create` makes.
template <typename CreateFn>
static LogicalResult trainWith(NetworkOp network, NnetRunner &interpreter,
                               const TrainOptions &options, ProcessGroup *group,
                               CreateFn create) {
  const bool isAveraging = group && options.averagingInterval > 0;
  const float numProcesses = isAveraging ? float(group->getNumProcesses()) : 1;
  // A checkpoint has the options as given, so that it also fits another number
  // of processes.
  rt::TrainerOptions training = options.training;
  training.l2RegularizeFactor /= numProcesses;
  auto trainer = create(interpreter, training);
  if (failed(trainer))
    return failure();
  if (isAveraging)
    (*trainer)->scaleLearningRates(numProcesses);
  return TrainRun(network, interpreter, **trainer, options, group).run();
}

static FailureOr<std::unique_ptr<RequestTrainer>>
createCudaTrainer(NnetRunner &interpreter, const rt::TrainerOptions &options,
                  int process) {
  auto trainer =
      CudaTrainer::create(interpreter, options, /*api=*/nullptr, process);
  if (failed(trainer))
    return failure();
  return std::unique_ptr<RequestTrainer>(std::move(*trainer));
}

static LogicalResult run(MLIRContext *context, const TrainOptions &options,
                         ProcessGroup *group, CreateCudaTrainerFn createCuda) {
  auto model = loadModelFile(options.model, context, options.initSeed);
  if (failed(model))
    return failure();
  NetworkOp network = model->network;
  auto interpreter = NnetRunner::create(network, options.runner);
  if (failed(interpreter))
    return failure();
  if (options.backend == "interpreter")
    return trainWith(network, **interpreter, options, group,
                     CpuTrainer::create);
  if (options.backend == "native")
    return trainWith(network, **interpreter, options, group,
                     [&](NnetRunner &runner, const auto &training) {
                       return NativeTrainer::create(runner, training,
                                                    getNativeOptions(options));
                     });
  const int process = group ? group->getLocalNumber() : 0;
  return trainWith(network, **interpreter, options, group,
                   [&](NnetRunner &runner, const auto &training) {
                     return createCuda(runner, training, process);
                   });
}

/// Joins the process group and adapts the options to it.
static FailureOr<std::unique_ptr<ProcessGroup>> join(MLIRContext *context,
                                                     TrainOptions &options) {
  auto joined = joinProcessGroup();
  if (!joined)
    return emitFileError(context, joined.takeError());
  ProcessGroup *group = joined->get();
  if (!group)
    return std::move(*joined);
  if (group->getNumber() != 0)
    silenceLog();
  if (options.averagingInterval == 0)
    options.training.exchange = group;
  return std::move(*joined);
}

int mlir::nnet3::trainMain(int argc, char **argv) {
  return trainWithCuda(argc, argv, createCudaTrainer);
}

int mlir::nnet3::trainWithCuda(int argc, char **argv,
                               CreateCudaTrainerFn create) {
  TrainOptions options;
  std::unique_ptr<ProcessGroup> group;
  const int status =
      runNetworkProgram(kUsage, argc, argv, options, [&](MLIRContext *context) {
        auto joined = join(context, options);
        if (failed(joined))
          return LogicalResult(failure());
        group = std::move(*joined);
        if (!options.checkpoint.empty())
          catchStopSignals();
        return run(context, options, group.get(), create);
      });
  // The other processes would wait forever for this one.
  if (status != 0 && group && !isStopRequested())
    group->abort(status);
  // All files have been closed or removed by now.
  if (status != 0)
    stopIfRequested();
  return status;
}

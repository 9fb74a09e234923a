//===- TrainMain.cpp - The main function of nnet3-train -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StopSignal.h"
#include "TrainRun.h"
#include "nnet3/Execution/CpuTrainer.h"
#include "nnet3/Execution/CudaTrainer.h"
#include "nnet3/Tools/ModelFiles.h"
#include "nnet3/Tools/NetworkProgram.h"
#include "nnet3/Tools/Train.h"

using namespace mlir;
using namespace mlir::nnet3;

static const char kUsage[] =
    "Trains a network on minibatches, one pass over the table.\n"
    "Usage: nnet3-train [options] MODEL EGS-RSPECIFIER TRAINED-MODEL\n"
    "       nnet3-train [options] MODEL DEN-FST CHAIN-EGS-RSPECIFIER "
    "TRAINED-MODEL\n"
    "\n"
    "MODEL is what nnet3-run reads. Each example of the table is a minibatch "
    "(see\nnnet3-merge-egs). TRAINED-MODEL is a raw model.\n"
    "e.g.: nnet3-train --momentum=0.9 0.raw ark:egs.ark 1.raw\n";

static LogicalResult run(MLIRContext *context, const TrainOptions &options) {
  auto model = loadModelFile(options.model, context, options.initSeed);
  if (failed(model))
    return failure();
  NetworkOp network = model->network;
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

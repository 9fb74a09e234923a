//===- ComputeProbMain.cpp - Computing objectives over examples -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ExampleEvaluator.h"
#include "ProbOptions.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Tools/Common/ModelFiles.h"
#include "nnet3/Tools/Common/NetworkProgram.h"
#include "nnet3/Tools/Common/TestModes.h"
#include "nnet3/Tools/Train.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

static constexpr StringRef kName = "nnet3-compute-prob";

static const char kUsage[] =
    "Computes the objectives of a network on examples, and its accuracy.\n"
    "Usage: nnet3-compute-prob [options] MODEL EGS-RSPECIFIER\n"
    "       nnet3-compute-prob [options] MODEL DEN-FST CHAIN-EGS-RSPECIFIER\n"
    "\n"
    "MODEL is what nnet3-run reads.\n"
    "e.g.: nnet3-compute-prob final.raw ark:valid.egs\n";

static LogicalResult run(MLIRContext *context, const ProbOptions &options) {
  auto model = loadModelFile(options.model, context);
  if (failed(model))
    return failure();
  NetworkOp network = model->network;
  setTestModes(network, options.batchnormTestMode, options.dropoutTestMode);
  if (options.collapseModel && failed(collapseModel(network)))
    return failure();
  auto runner = NnetRunner::create(network, options.runner);
  if (failed(runner))
    return failure();

  ExampleEvaluator::Options evaluatorOptions;
  evaluatorOptions.accuracy =
      options.computeAccuracy || options.computePerDimAccuracy;
  evaluatorOptions.cacheCapacity = options.runner.cacheCapacity;
  ExampleEvaluator evaluator(**runner, /*model=*/nullptr, options.chain,
                             evaluatorOptions);
  if (llvm::Error error = evaluator.readDenominator(options.denominator))
    return emitFileError(context, std::move(error));
  auto queue = ExampleQueue::open(options.examples, options.getTableOptions());
  if (!queue)
    return emitFileError(context, queue.takeError());
  Probabilities sums;
  bool any = false;
  while (true) {
    auto entry = (*queue)->next();
    if (!entry)
      return emitFileError(context, entry.takeError());
    if (!*entry)
      break;
    any = true;
    if (failed(evaluator.add(**entry, sums)))
      return failure();
  }
  if (sums.print(kName, options.computePerDimAccuracy))
    return success();
  return emitFileError(
      context, makeFileError(options.examples,
                             any ? "the weights of the supervision are all 0"
                                 : "there are no examples"));
}

int mlir::nnet3::computeProbMain(int argc, char **argv) {
  ProbOptions options;
  return runNetworkProgram(
      kUsage, argc, argv, options,
      [&](MLIRContext *context) { return run(context, options); });
}

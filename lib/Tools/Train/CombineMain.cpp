//===- CombineMain.cpp - Combining models to the best average -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModelEvaluation.h"
#include "nnet3/Execution/ModelState.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/Diagnostics.h"
#include "nnet3/Tools/Common/ChainOptions.h"
#include "nnet3/Tools/Common/LoadedModel.h"
#include "nnet3/Tools/Common/NetworkProgram.h"
#include "nnet3/Tools/Common/TestModes.h"
#include "nnet3/Tools/Train.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;
using llvm::Error;

static constexpr StringRef kName = "nnet3-combine";

static const char kUsage[] =
    "Averages the first n of several models, with the n that is best on "
    "examples.\n"
    "Usage: nnet3-combine [options] MODEL1 [MODEL2 ...] EGS-RSPECIFIER "
    "COMBINED-MODEL\n"
    "       nnet3-chain-combine [options] DEN-FST MODEL1 [MODEL2 ...] "
    "CHAIN-EGS-RSPECIFIER\n"
    "         COMBINED-MODEL\n"
    "\n"
    "The newest model is the first. COMBINED-MODEL is a raw model.\n"
    "e.g.: nnet3-combine 35.raw 34.raw 33.raw ark:valid.egs final.raw\n";

namespace {
struct CombineOptions : NetworkProgramOptions {
  explicit CombineOptions(bool isChain) : isChain(isChain) {}

  const bool isChain;
  /// The file of the denominator graph; empty unless examples are chain
  /// examples.
  std::string denominator;
  std::vector<std::string> models;
  std::string examples, combinedModel;
  bool binary = true;
  int32_t maxObjectiveEvaluations = 30;
  bool batchnormTestMode = false;
  bool dropoutTestMode = true;
  rt::ChainTrainingOptions chain;

  void registerOptions(OptionParser &parser) override;
  Error finish(ArrayRef<std::string> positional) override;

private:
  /// Knows which options were given.
  const OptionParser *parser = nullptr;
};

/// Averages models and evaluates the averages.
class CombineRun {
public:
  CombineRun(MLIRContext *context, const CombineOptions &options)
      : context(context), options(options) {}

  LogicalResult run();

private:
  LogicalResult check(Error error) {
    return emitFileError(context, std::move(error));
  }
  LogicalResult addAll(ExampleEvaluator &evaluator, Probabilities &sums);
  FailureOr<double> evaluate();
  LogicalResult averageAll();
  LogicalResult computeStatistics();

  MLIRContext *context;
  const CombineOptions &options;
  std::vector<ExampleQueue::Entry> examples;
  /// The average of the models so far.
  LoadedModel average;
  std::unique_ptr<rt::Model> best;
  size_t numBest = 0;
  double firstObjective = 0, bestObjective = 0;
};
} // namespace

void CombineOptions::registerOptions(OptionParser &parser) {
  ProgramOptions::registerOptions(parser);
  this->parser = &parser;
  parser.add("binary", &binary, "Write the model in binary");
  parser.beginGroup("Objectives");
  parser.add("max-objective-evaluations", &maxObjectiveEvaluations,
             "Evaluate at most so often; several models are added at a time "
             "where there are more");
  parser.add("batchnorm-test-mode", &batchnormTestMode,
             "Put batch norm in test mode");
  parser.add("dropout-test-mode", &dropoutTestMode, "Put dropout in test mode");
  parser.beginGroup("Chain models");
  registerChainOptions(parser, chain);
  registerRunnerOptions(parser);
}

Error CombineOptions::finish(ArrayRef<std::string> positional) {
  if (Error error = finishRunnerOptions())
    return error;
  if (Error error = expectAtLeast("max-objective-evaluations", 1,
                                  maxObjectiveEvaluations))
    return error;
  if (positional.size() < (isChain ? 4 : 3))
    return optionError("expects models, examples and a model to write; see "
                       "--help");
  if (isChain) {
    denominator = positional.front();
    positional = positional.drop_front();
  }
  models = positional.drop_back(2).vec();
  examples = positional.drop_back().back();
  combinedModel = positional.back();
  if (!isChain)
    return refuseChainOptions(*parser);
  chain.applyDerivWeights = false;
  return finishChainOptions(chain);
}

LogicalResult CombineRun::addAll(ExampleEvaluator &evaluator,
                                 Probabilities &sums) {
  if (failed(check(evaluator.readDenominator(options.denominator))))
    return failure();
  for (const ExampleQueue::Entry &entry : examples)
    if (failed(evaluator.add(entry, sums)))
      return failure();
  return success();
}

/// Computes the objective of the average.
FailureOr<double> CombineRun::evaluate() {
  // In test mode, the scale and offset of batch norm are computed from its
  // statistics when the model is loaded.
  auto evaluation = ModelEvaluation::create(
      exportModel(*average.parameters, average.network), options.runner,
      options.batchnormTestMode, options.dropoutTestMode);
  if (failed(evaluation))
    return failure();
  ExampleEvaluator evaluator(*evaluation->runner, /*model=*/nullptr,
                             options.chain, ExampleEvaluator::Options());
  Probabilities sums;
  if (failed(addAll(evaluator, sums)))
    return failure();
  const auto [value, weight] =
      options.isChain ? sums.getTotal() : sums.getSum("output");
  if (weight == 0)
    return emitError(average.network.getLoc())
           << "the examples have no supervision";
  return value / weight;
}

LogicalResult CombineRun::averageAll() {
  const size_t numModels = options.models.size();
  const size_t interval =
      llvm::divideCeil(numModels, size_t(options.maxObjectiveEvaluations));
  auto objective = evaluate();
  if (failed(objective))
    return failure();
  printLog(kName, "objective function using the last model is " +
                      showNumber(*objective));
  firstObjective = bestObjective = *objective;
  numBest = 1;
  auto copy = average.copyParameters();
  if (failed(copy))
    return failure();
  best = std::move(*copy);
  for (size_t n = 1; n < numModels; ++n) {
    const std::string &path = options.models[n];
    auto model = LoadedModel::load(path, context);
    if (failed(model) || failed(model->checkIsLike(average, path)))
      return failure();
    average.parameters->scale(float(n) / (n + 1));
    average.parameters->add(1.0f / (n + 1), *model->parameters);
    if (n % interval != 0 && n + 1 != numModels)
      continue;
    objective = evaluate();
    if (failed(objective))
      return failure();
    printLog(kName, "Combining last " + Twine(n + 1) +
                        " models, objective function is " +
                        showNumber(*objective));
    // A NaN never wins (spec: nnet3bin.md 10).
    if (!(*objective > bestObjective) && !std::isnan(bestObjective))
      continue;
    bestObjective = *objective;
    numBest = n + 1;
    best->setZero();
    best->add(1, *average.parameters);
  }
  if (!std::isfinite(bestObjective))
    return check(makeFileError(options.examples,
                               "the objective is not finite with any average "
                               "of the models"));
  printLog(kName, "Combining " + Twine(numBest) +
                      " nnets, objective function changed from " +
                      showNumber(firstObjective) + " to " +
                      showNumber(bestObjective));
  return success();
}

static bool hasXentOutput(NetworkOp network) {
  return llvm::any_of(network.getOps<OutputNodeOp>(), [](OutputNodeOp node) {
    return node.getName().contains("-xent");
  });
}

/// Computes the statistics of the best average again: the averaged statistics
/// do not describe its activations.
LogicalResult CombineRun::computeStatistics() {
  best->zeroStatistics();
  auto evaluation =
      ModelEvaluation::create(average.network.clone(), options.runner,
                              /*batchnorm=*/false, options.dropoutTestMode);
  if (failed(evaluation))
    return failure();
  // A cross-entropy branch gets statistics only if it is computed.
  rt::ChainTrainingOptions chain = options.chain;
  if (options.isChain && chain.xentRegularize == 0 &&
      hasXentOutput(average.network))
    chain.xentRegularize = 0.1f;
  ExampleEvaluator::Options evaluatorOptions;
  evaluatorOptions.storeComponentStats = true;
  ExampleEvaluator evaluator(*evaluation->runner, best.get(), chain,
                             evaluatorOptions);
  Probabilities sums;
  return addAll(evaluator, sums);
}

LogicalResult CombineRun::run() {
  auto read =
      readAllExamples(context, options.examples, options.getTableOptions());
  if (failed(read))
    return failure();
  examples = std::move(*read);
  auto first =
      LoadedModel::load(options.models.front(), context, options.runner);
  if (failed(first))
    return failure();
  average = std::move(*first);
  if (failed(averageAll()))
    return failure();
  if (hasBatchNorm(average.network) && failed(computeStatistics()))
    return failure();
  return writeRawModel(options.combinedModel, average.network, *best,
                       options.binary);
}

static int combine(bool isChain, int argc, char **argv) {
  CombineOptions options(isChain);
  return runNetworkProgram(
      kUsage, argc, argv, options,
      [&](MLIRContext *context) { return CombineRun(context, options).run(); });
}

int mlir::nnet3::combineMain(int argc, char **argv) {
  return combine(/*isChain=*/false, argc, argv);
}

int mlir::nnet3::chainCombineMain(int argc, char **argv) {
  return combine(/*isChain=*/true, argc, argv);
}

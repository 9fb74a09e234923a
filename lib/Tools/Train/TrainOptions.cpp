//===- TrainOptions.cpp - The command line of nnet3-train -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainOptions.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Tools/Common/ChainOptions.h"
#include "nnet3/Tools/Common/SharedOptions.h"

#include "llvm/ADT/StringSwitch.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;
using llvm::Error;
using llvm::Twine;

void TrainOptions::registerOptions(OptionParser &parser) {
  ProgramOptions::registerOptions(parser);
  this->parser = &parser;
  parser.add("init-seed", &initSeed,
             "Seed of the parameters, where the model is a config");
  parser.add("binary", &binary, "Write the model in binary");
  parser.add("backend", &backend,
             "interpreter|native|cuda: what computes; native compiles to code "
             "for this machine, cuda to code for a GPU");
  parser.add("native-after", &nativeAfter,
             "With --backend=native: the interpreter computes so many "
             "minibatches, while code is compiled");
  parser.add("num-threads", &numThreads,
             "With --backend=native: threads that compute a minibatch "
             "together; the model does not depend on their number");
  parser.add("program-cache", &programCache,
             "Folder in which --backend=native keeps machine code from run to "
             "run");
  parser.beginGroup("Training");
  parser.add("print-interval", &printInterval,
             "Minibatches of a line about the objective");
  parser.add("log", &log,
             "File for a line of JSON about each minibatch, for nnet3-plot");
  parser.add("valid-egs", &validation,
             "Table of examples on which the model is evaluated every "
             "--print-interval minibatches, in test mode");
  parser.add("store-component-stats", &training.storeComponentStats,
             "Keep statistics of nonlinearities");
  registerTrainerOptions(parser, training);
  parser.add("random-draws", &randomDraws,
             "normal|zero|high: zero makes all that happens with a probability "
             "happen (dropout, self-repair, constraints), high none of it");
  parser.beginGroup("Checkpoints");
  parser.add("checkpoint", &checkpoint,
             "File for the state of the training, written now and then and at "
             "SIGTERM, SIGINT and SIGHUP; it is removed at the end");
  parser.add("checkpoint-minutes", &checkpointMinutes,
             "Minutes between checkpoints; 0 writes one after each minibatch");
  parser.add("resume", &resume,
             "Go on from the checkpoint, if there is one, to the same bytes");
  parser.beginGroup("Several processes (mpirun)");
  parser.add("averaging-interval", &averagingInterval,
             "Minibatches that each process trains on alone before all average "
             "their models; 0: all share each minibatch");
  parser.beginGroup("Chain training");
  registerChainOptions(parser, chain);
  parser.add("apply-deriv-weights", &chain.applyDerivWeights,
             "Use the weights that examples have for derivatives");
  registerRunnerOptions(parser);
  parser.addIgnoredString("read-cache", "Accepted for compatibility");
  parser.addIgnoredString("write-cache", "Accepted for compatibility");
  parser.addIgnoredBool("binary-write-cache", "Accepted for compatibility");
}

Error TrainOptions::finish(llvm::ArrayRef<std::string> positional) {
  if (Error error =
          expectOneOf("backend", backend, {"interpreter", "native", "cuda"}))
    return error;
  if (Error error =
          expectOneOf("random-draws", randomDraws, {"normal", "zero", "high"}))
    return error;
  training.randomDraws = llvm::StringSwitch<rt::RandomDraws>(randomDraws)
                             .Case("zero", rt::RandomDraws::Zero)
                             .Case("high", rt::RandomDraws::High)
                             .Default(rt::RandomDraws::Normal);
  if (Error error = finishRunnerOptions())
    return error;
  if (Error error = expectAtLeast("native-after", 0, nativeAfter))
    return error;
  if (Error error = expectAtLeast("num-threads", 1, numThreads))
    return error;
  if (Error error =
          expectAtMost("num-threads", kernel::kMaxThreads, numThreads))
    return error;
  if (parser->wasGiven("native-after") && backend != "native")
    return optionError("option '--native-after' needs --backend=native");
  if (numThreads > 1 && backend != "native")
    return optionError("option '--num-threads' needs --backend=native");
  if (!programCache.empty() && backend != "native")
    return optionError("option '--program-cache' needs --backend=native");
  if (Error error = expectAtLeast("print-interval", 1, printInterval))
    return error;
  if (Error error = expectAtLeast("checkpoint-minutes", 0, checkpointMinutes))
    return error;
  if (Error error = expectAtLeast("averaging-interval", 0, averagingInterval))
    return error;
  if (resume && checkpoint.empty())
    return optionError("option '--resume' needs --checkpoint");
  if (parser->wasGiven("checkpoint-minutes") && checkpoint.empty())
    return optionError("option '--checkpoint-minutes' needs --checkpoint");
  if (positional.size() != 3 && positional.size() != 4)
    return makeFileError("", "expects 3 arguments, or 4 for chain training, "
                             "but got " +
                                 Twine(positional.size()));
  model = findModelFile(positional.front());
  examples = *std::prev(positional.end(), 2);
  trainedModel = positional.back();
  if (positional.size() == 3)
    return refuseChainOptions(*parser);
  denominator = positional[1];
  chain.randomDraws = training.randomDraws;
  return finishChainOptions(chain);
}

std::vector<std::string> TrainOptions::describe() const {
  std::vector<std::string> result;
  auto add = [&](llvm::StringRef name, double value) {
    result.push_back((name + "=" + showNumber(value, /*digits=*/17)).str());
  };
  add("srand", double(training.seed));
  add("store-component-stats", training.storeComponentStats);
  add("zero-component-stats", training.zeroComponentStats);
  add("momentum", training.momentum);
  add("l2-regularize-factor", training.l2RegularizeFactor);
  add("max-param-change", training.maxParamChange);
  add("batchnorm-stats-scale", training.batchnormStatsScale);
  add("backstitch-training-scale", training.backstitchTrainingScale);
  add("backstitch-training-interval", training.backstitchTrainingInterval);
  add("averaging-interval", averagingInterval);
  result.push_back("random-draws=" + randomDraws);
  // Machine code rounds differently.
  result.push_back("backend=" + backend);
  if (backend == "native")
    result.push_back("native-after=" + std::to_string(nativeAfter));
  if (denominator.empty())
    return result;
  add("l2-regularize", chain.objective.l2Regularize);
  add("out-of-range-regularize", chain.objective.outOfRangeRegularize);
  add("leaky-hmm-coefficient", chain.objective.leakyHmmCoefficient);
  add("xent-regularize", chain.xentRegularize);
  add("apply-deriv-weights", chain.applyDerivWeights);
  return result;
}

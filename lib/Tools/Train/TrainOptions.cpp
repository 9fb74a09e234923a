//===- TrainOptions.cpp - The command line of nnet3-train -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrainOptions.h"
#include "ChainOptions.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Tools/SharedOptions.h"

#include "llvm/ADT/StringSwitch.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;
using llvm::Error;
using llvm::Twine;

void TrainOptions::registerOptions(OptionParser &parser) {
  ProgramOptions::registerOptions(parser);
  parser.add("init-seed", &initSeed,
             "Seed of the parameters, where the model is a config");
  parser.add("binary", &binary, "Write the model in binary");
  parser.add("backend", &backend,
             "interpreter|cuda: what computes; cuda compiles to code for the "
             "first GPU");
  parser.add("use-gpu", &useGpu,
             "yes|no|optional|wait: accepted for compatibility; see --backend");
  parser.beginGroup("Training");
  parser.add("print-interval", &printInterval,
             "Minibatches of a line about the objective");
  parser.add("log", &log, "File for a line of JSON about each minibatch");
  parser.add("store-component-stats", &training.storeComponentStats,
             "Keep statistics of nonlinearities");
  registerTrainerOptions(parser, training);
  parser.add("random-draws", &randomDraws,
             "normal|zero|high: zero makes all that happens with a probability "
             "happen (dropout, self-repair, constraints), high none of it");
  parser.beginGroup("Chain training");
  registerChainOptions(parser, chain);
  parser.add("apply-deriv-weights", &chain.applyDerivWeights,
             "Use the weights that examples have for derivatives");
  parser.beginGroup("Compatibility");
  parser.addIgnoredString("read-cache", "Accepted for compatibility");
  parser.addIgnoredString("write-cache", "Accepted for compatibility");
  parser.addIgnoredBool("binary-write-cache", "Accepted for compatibility");
  registerCompilerOptions(parser, optimization, cacheCapacity);
}

Error TrainOptions::finish(llvm::ArrayRef<std::string> positional) {
  if (Error error = expectOneOf("backend", backend, {"interpreter", "cuda"}))
    return error;
  if (Error error =
          expectOneOf("use-gpu", useGpu, {"yes", "no", "optional", "wait"}))
    return error;
  if (Error error =
          expectOneOf("random-draws", randomDraws, {"normal", "zero", "high"}))
    return error;
  training.randomDraws = llvm::StringSwitch<rt::RandomDraws>(randomDraws)
                             .Case("zero", rt::RandomDraws::Zero)
                             .Case("high", rt::RandomDraws::High)
                             .Default(rt::RandomDraws::Normal);
  if (training.randomDraws != rt::RandomDraws::Normal && backend == "cuda")
    return makeFileError("",
                         "option '--random-draws' needs --backend=interpreter");
  if (Error error = expectAtLeast("compiler.cache-capacity", 1, cacheCapacity))
    return error;
  if (Error error = expectAtLeast("print-interval", 1, printInterval))
    return error;
  if (positional.size() != 3 && positional.size() != 4)
    return makeFileError("", "expects 3 arguments, or 4 for chain training, "
                             "but got " +
                                 Twine(positional.size()));
  model = findModelFile(positional.front());
  examples = *std::prev(positional.end(), 2);
  trainedModel = positional.back();
  if (positional.size() == 3)
    return Error::success();
  denominator = positional[1];
  if (backend == "cuda")
    return makeFileError("", "chain training needs --backend=interpreter");
  chain.randomDraws = training.randomDraws;
  return finishChainOptions(chain);
}

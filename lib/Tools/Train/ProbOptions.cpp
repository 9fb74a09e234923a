//===- ProbOptions.cpp - The command line of nnet3-compute-prob -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProbOptions.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "nnet3/Target/Kaldi/LoadModel.h"
#include "nnet3/Tools/Common/ChainOptions.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Twine;

void ProbOptions::registerOptions(OptionParser &parser) {
  ProgramOptions::registerOptions(parser);
  this->parser = &parser;
  parser.beginGroup("Objectives");
  parser.add("batchnorm-test-mode", &batchnormTestMode,
             "Put batch norm in test mode");
  parser.add("dropout-test-mode", &dropoutTestMode, "Put dropout in test mode");
  parser.add("collapse-model", &collapseModel,
             "Merge components where that saves work");
  parser.add("compute-accuracy", &computeAccuracy,
             "Print how often the best column is that of the supervision");
  parser.add("compute-per-dim-accuracy", &computePerDimAccuracy,
             "Print that for each column of the last example's supervision");
  parser.beginGroup("Chain models");
  registerChainOptions(parser, chain);
  registerRunnerOptions(parser);
}

Error ProbOptions::finish(llvm::ArrayRef<std::string> positional) {
  if (Error error = finishRunnerOptions())
    return error;
  if (positional.size() != 2 && positional.size() != 3)
    return makeFileError("", "expects 2 arguments, or 3 for chain models, but "
                             "got " +
                                 Twine(positional.size()));
  model = findModelFile(positional.front());
  examples = positional.back();
  if (positional.size() == 2)
    return refuseChainOptions(*parser);
  denominator = positional[1];
  chain.applyDerivWeights = false;
  return finishChainOptions(chain);
}

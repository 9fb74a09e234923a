//===- ChainOptions.cpp - Options of chain training -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/ChainOptions.h"
#include "nnet3/Kaldi/IO/KaldiError.h"

#include <thread>

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

void mlir::nnet3::registerChainOptions(OptionParser &parser,
                                       rt::ChainTrainingOptions &options) {
  parser.add("l2-regularize", &options.objective.l2Regularize,
             "Scale of the squared output, which is kept small");
  parser.add("out-of-range-regularize", &options.objective.outOfRangeRegularize,
             "Scale of the penalty of outputs beyond plus and minus 30");
  parser.add("leaky-hmm-coefficient", &options.objective.leakyHmmCoefficient,
             "Probability of leaving to any state of the denominator graph");
  parser.add("xent-regularize", &options.xentRegularize,
             "Scale of the derivative of the outputs NAME-xent; 0 = none");
  parser.add("numerator-graph-threads", &options.objective.numThreads,
             "Threads over sequences; 0 = all cores");
}

llvm::Error mlir::nnet3::finishChainOptions(rt::ChainTrainingOptions &options) {
  const float leak = options.objective.leakyHmmCoefficient;
  if (!(leak > 0 && leak < 1))
    return makeFileError("", "option '--leaky-hmm-coefficient' expects a "
                             "number between 0 and 1, but got " +
                                 std::to_string(leak));
  int32_t &threads = options.objective.numThreads;
  if (threads < 0)
    return makeFileError("", "option '--numerator-graph-threads' expects at "
                             "least 0, but got " +
                                 llvm::Twine(threads));
  if (threads == 0)
    threads = int32_t(std::thread::hardware_concurrency());
  return llvm::Error::success();
}

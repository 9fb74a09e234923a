//===- ChainOptions.cpp - Options of chain training -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/ChainOptions.h"
#include "nnet3/Tools/Common/Program.h"

#include <thread>

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
    return optionError("option '--leaky-hmm-coefficient' expects a number "
                       "between 0 and 1, but got " +
                       showNumber(leak));
  int32_t &threads = options.objective.numThreads;
  const std::pair<llvm::StringRef, double> scales[] = {
      {"l2-regularize", options.objective.l2Regularize},
      {"out-of-range-regularize", options.objective.outOfRangeRegularize},
      {"xent-regularize", options.xentRegularize},
      {"numerator-graph-threads", threads}};
  for (auto [name, value] : scales)
    if (llvm::Error error = expectAtLeast(name, 0, value))
      return error;
  if (threads == 0)
    threads = int32_t(std::thread::hardware_concurrency());
  return llvm::Error::success();
}

llvm::Error mlir::nnet3::refuseChainOptions(const OptionParser &parser) {
  for (llvm::StringRef name :
       {"l2-regularize", "out-of-range-regularize", "leaky-hmm-coefficient",
        "xent-regularize", "numerator-graph-threads", "apply-deriv-weights"})
    if (parser.wasGiven(name))
      return optionError("option '--" + name +
                         "' needs the file of a denominator graph among the "
                         "arguments");
  return llvm::Error::success();
}

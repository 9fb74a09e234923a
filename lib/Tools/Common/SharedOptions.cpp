//===- SharedOptions.cpp - Options shared by programs ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/SharedOptions.h"

using namespace mlir::nnet3;
using llvm::StringRef;

void mlir::nnet3::registerCompilerOptions(OptionParser &parser,
                                          OptimizeOptions &optimization,
                                          int32_t &cacheCapacity) {
  parser.beginGroup("Compilation of requests");
  optimization.forEach([&](StringRef name, bool &value, StringRef help) {
    parser.add("optimization." + name.str(), &value,
               "Optimisation: " + help.str());
  });
  optimization.forEachNumber(
      [&](StringRef name, int32_t &value, StringRef help) {
        parser.add("optimization." + name.str(), &value,
                   "Optimisation: " + help.str());
      });
  StringRef help = "Accepted for compatibility; results do not depend on it";
  parser.addIgnoredBool("compiler.use-shortcut", help);
  parser.add("compiler.cache-capacity", &cacheCapacity,
             "How many compiled requests are kept in memory");
  parser.addIgnoredBool("computation.debug", help);
}

void mlir::nnet3::registerTrainerOptions(OptionParser &parser,
                                         ::nnet3::rt::TrainerOptions &options) {
  parser.add("srand", &options.seed, "Seed of training steps");
  parser.add("zero-component-stats", &options.zeroComponentStats,
             "Statistics are zero when training begins");
  parser.add("momentum", &options.momentum, "Momentum, from 0 to below 1");
  parser.add("l2-regularize-factor", &options.l2RegularizeFactor,
             "Factor of the components' l2-regularize");
  parser.add("max-param-change", &options.maxParamChange,
             "Largest 2-norm of the change in one step; 0 for no limit");
  parser.add("batchnorm-stats-scale", &options.batchnormStatsScale,
             "What multiplies batch norm's statistics after each step");
  parser.add("backstitch-training-scale", &options.backstitchTrainingScale,
             "Scale of backstitch; 0 for none");
  parser.add("backstitch-training-interval",
             &options.backstitchTrainingInterval,
             "Backstitch in every so many steps");
}

//===- TrainOptions.h - The command line of nnet3-train ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_TRAINOPTIONS_H
#define LIB_TOOLS_TRAIN_TRAINOPTIONS_H

#include "nnet3/Tools/NetworkProgram.h"
#include "nnet3/runtime/ChainSupervisor.h"
#include "nnet3/runtime/Trainer.h"

namespace mlir::nnet3 {

/// Everything that can be said to nnet3-train.
struct TrainOptions : NetworkProgramOptions {
  std::string model, examples, trainedModel;
  /// The file of the denominator graph; empty where training is not chain
  /// training.
  std::string denominator;
  /// File for lines of JSON; empty for none.
  std::string log;
  /// Table of examples to evaluate the model on; empty for none.
  std::string validation;
  /// File for the state, and how often it is written; empty for none.
  std::string checkpoint;
  float checkpointMinutes = 10;
  bool resume = false;
  std::string backend = "interpreter";
  /// Steps of the native backend that the interpreter computes.
  int32_t nativeAfter = 10;
  /// Threads of the native backend.
  int32_t numThreads = 1;
  /// Folder for machine code of earlier runs; empty for none.
  std::string programCache;
  std::string randomDraws = "normal";
  uint64_t initSeed = 0;
  bool binary = true;
  /// Minibatches after which several processes average their models; 0 for
  /// processes that each have a part of each minibatch.
  int32_t averagingInterval = 0;
  /// Minibatches of a line about progress.
  int32_t printInterval = 100;
  ::nnet3::rt::TrainerOptions training;
  ::nnet3::rt::ChainTrainingOptions chain;

  void registerOptions(OptionParser &parser) override;
  llvm::Error finish(llvm::ArrayRef<std::string> positional) override;

  /// All that the numbers of the trained model depend on, files excepted.
  std::vector<std::string> describe() const;
};

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_TRAINOPTIONS_H

//===- TrainOptions.h - The command line of nnet3-train ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_TRAINOPTIONS_H
#define LIB_TOOLS_TRAIN_TRAINOPTIONS_H

#include "nnet3/Tools/Common/NetworkProgram.h"
#include "nnet3/runtime/ChainSupervisor.h"
#include "nnet3/runtime/Trainer.h"

namespace mlir::nnet3 {

/// The options of nnet3-train.
struct TrainOptions : NetworkProgramOptions {
  std::string model, examples, trainedModel;
  /// The file of the denominator graph; empty except for chain training.
  std::string denominator;
  /// File for JSON lines; empty means none.
  std::string log;
  /// Table of examples for validation; empty means none.
  std::string validation;
  /// File for checkpoints (empty means none), and the time between two of them.
  std::string checkpoint;
  float checkpointMinutes = 10;
  bool resume = false;
  std::string backend = "interpreter";
  /// Initial steps of the native backend that the interpreter computes.
  int32_t nativeAfter = 10;
  /// Threads of the native backend.
  int32_t numThreads = 1;
  /// Folder for cached machine code; empty means none.
  std::string programCache;
  std::string randomDraws = "normal";
  uint64_t initSeed = 0;
  bool binary = true;
  /// Minibatches between two averages of the processes' models; 0 means that
  /// each process computes a part of every minibatch.
  int32_t averagingInterval = 0;
  /// Minibatches per progress line.
  int32_t printInterval = 100;
  ::nnet3::rt::TrainerOptions training;
  ::nnet3::rt::ChainTrainingOptions chain;

  void registerOptions(OptionParser &parser) override;
  llvm::Error finish(llvm::ArrayRef<std::string> positional) override;

  /// Returns all options that affect the trained model, except file names.
  std::vector<std::string> describe() const;

private:
  /// Knows which options were given.
  const OptionParser *parser = nullptr;
};

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_TRAINOPTIONS_H

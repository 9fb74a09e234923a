//===- ProbOptions.h - The command line of nnet3-compute-prob ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TOOLS_TRAIN_PROBOPTIONS_H
#define LIB_TOOLS_TRAIN_PROBOPTIONS_H

#include "nnet3/Tools/Common/NetworkProgram.h"
#include "nnet3/runtime/ChainSupervisor.h"

namespace mlir::nnet3 {

/// The options of nnet3-compute-prob.
struct ProbOptions : NetworkProgramOptions {
  std::string model, examples;
  /// The file of the denominator graph; empty unless examples are chain
  /// examples.
  std::string denominator;
  bool batchnormTestMode = true;
  bool dropoutTestMode = true;
  bool collapseModel = true;
  bool computeAccuracy = true;
  bool computePerDimAccuracy = false;
  ::nnet3::rt::ChainTrainingOptions chain;

  void registerOptions(OptionParser &parser) override;
  llvm::Error finish(llvm::ArrayRef<std::string> positional) override;

private:
  /// Knows which options were given.
  const OptionParser *parser = nullptr;
};

} // namespace mlir::nnet3

#endif // LIB_TOOLS_TRAIN_PROBOPTIONS_H

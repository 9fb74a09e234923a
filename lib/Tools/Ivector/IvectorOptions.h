//===- IvectorOptions.h - The command line of nnet3-ivector -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_LIB_TOOLS_IVECTOR_IVECTOROPTIONS_H
#define NNET3_LIB_TOOLS_IVECTOR_IVECTOROPTIONS_H

#include "nnet3/Tools/Common/Program.h"

namespace mlir::nnet3 {

/// The options of the program; most are passed to the extractor.
struct IvectorProgramOptions : ProgramOptions {
  std::string speakers, features, ivectors;
  std::string frameWeights;
  int32_t lengthTolerance = 0;
  bool isGreedy = false, repeat = false;

  void registerOptions(OptionParser &parser) override;
  llvm::Error finish(llvm::ArrayRef<std::string> positional) override;

  /// Returns the extractor's options.
  std::vector<std::string> getArguments() const;

private:
  std::string ldaMatrix, globalCmvnStats, cmvnConfig, spliceConfig, diagUbm,
      ivectorExtractor;
  int32_t period = 10, numGselect = 5;
  float minPost = 0.025f, posteriorScale = 0.1f, maxCount = 0,
        maxRememberedFrames = 1000;
  bool useMostRecent = true, normalisedStatistics = false, exactSolve = false;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_TOOLS_IVECTOR_IVECTOROPTIONS_H

//===- UtteranceOptions.h - Options for tables of features ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COMMON_UTTERANCEOPTIONS_H
#define NNET3_TOOLS_COMMON_UTTERANCEOPTIONS_H

#include "nnet3/Execution/UtteranceComputer.h"
#include "nnet3/Tools/Common/OptionParser.h"

namespace mlir::nnet3 {

/// The options of programs that run a network on a table of features (spec:
/// nnet3bin.md 7).
struct UtteranceOptions {
  /// Specifiers of tables; empty for none.
  std::string ivectors, utt2spk, onlineIvectors;
  ComputeOptions compute;

  /// Registers the options for i-vectors, chunks and their context.
  void registerInputOptions(OptionParser &parser);
  /// Registers the options for the output.
  void registerOutputOptions(OptionParser &parser);
  /// Checks that the options are consistent.
  llvm::Error finishUtteranceOptions() const;
};

/// Checks that there are i-vectors if and only if the network has an input for
/// them. `model` is the name of the model's file.
LogicalResult checkIvectors(const RequestRunner &runner,
                            const UtteranceOptions &options,
                            llvm::StringRef model);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COMMON_UTTERANCEOPTIONS_H

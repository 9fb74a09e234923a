//===- UtteranceOptions.h - How programs cut utterances ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_UTTERANCEOPTIONS_H
#define NNET3_TOOLS_UTTERANCEOPTIONS_H

#include "nnet3/Execution/UtteranceComputer.h"
#include "nnet3/Tools/OptionParser.h"

namespace mlir::nnet3 {

/// The options of programs that run a network over a table of features (spec:
/// nnet3bin.md 7).
struct UtteranceOptions {
  /// Tables; empty for none.
  std::string ivectors, utt2spk, onlineIvectors;
  ComputeOptions compute;

  /// Registers those about i-vectors, chunks and their context.
  void registerInputOptions(OptionParser &parser);
  /// Registers those about the output.
  void registerOutputOptions(OptionParser &parser);
  /// Checks that everything fits together.
  llvm::Error finishUtteranceOptions() const;
};

/// Checks that there are i-vectors if the network has an input for them, and no
/// others. `model` is the name of its file.
LogicalResult checkIvectors(const RequestRunner &runner,
                            const UtteranceOptions &options,
                            llvm::StringRef model);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_UTTERANCEOPTIONS_H

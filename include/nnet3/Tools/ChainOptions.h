//===- ChainOptions.h - The options of chain training -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_CHAINOPTIONS_H
#define NNET3_TOOLS_CHAINOPTIONS_H

#include "nnet3/Tools/OptionParser.h"
#include "nnet3/runtime/ChainSupervisor.h"

namespace mlir::nnet3 {

/// Kaldi's options of chain objectives (spec: chain.md 8).
void registerChainOptions(OptionParser &parser,
                          ::nnet3::rt::ChainTrainingOptions &options);

/// Checks what was given, and finds the number of cores if that is wanted.
llvm::Error finishChainOptions(::nnet3::rt::ChainTrainingOptions &options);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_CHAINOPTIONS_H

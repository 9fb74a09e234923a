//===- ChainOptions.h - The options of chain training -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COMMON_CHAINOPTIONS_H
#define NNET3_TOOLS_COMMON_CHAINOPTIONS_H

#include "nnet3/Tools/Common/OptionParser.h"
#include "nnet3/runtime/ChainSupervisor.h"

namespace mlir::nnet3 {

/// Registers Kaldi's options of chain objectives (spec: chain.md 8).
void registerChainOptions(OptionParser &parser,
                          ::nnet3::rt::ChainTrainingOptions &options);

/// Checks the options of a program that has a denominator graph, and determines
/// the number of cores if requested.
llvm::Error finishChainOptions(::nnet3::rt::ChainTrainingOptions &options);

/// Fails if an option of chain training was given to a program that has no
/// denominator graph, where it would have no effect.
llvm::Error refuseChainOptions(const OptionParser &parser);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COMMON_CHAINOPTIONS_H

//===- SharedOptions.h - Options that several programs have -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_SHAREDOPTIONS_H
#define NNET3_TOOLS_SHAREDOPTIONS_H

#include "nnet3/Optimize/Pipeline.h"
#include "nnet3/Tools/OptionParser.h"
#include "nnet3/runtime/Trainer.h"

namespace mlir::nnet3 {

/// Kaldi's options of the compiler and executor. Those that say how, not what,
/// is computed are accepted, so that scripts that give them keep working.
void registerCompilerOptions(OptionParser &parser,
                             OptimizeOptions &optimization,
                             int32_t &cacheCapacity);

/// Kaldi's options of training steps (spec: nnet3bin.md 9).
void registerTrainerOptions(OptionParser &parser,
                            ::nnet3::rt::TrainerOptions &options);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_SHAREDOPTIONS_H

//===- SharedOptions.h - Options of several programs ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COMMON_SHAREDOPTIONS_H
#define NNET3_TOOLS_COMMON_SHAREDOPTIONS_H

#include "nnet3/Optimize/Pipeline.h"
#include "nnet3/Tools/Common/OptionParser.h"
#include "nnet3/runtime/Trainer.h"

namespace mlir::nnet3 {

/// Registers Kaldi's options of the compiler and executor. Options that do not
/// affect results are accepted without effect, so that existing scripts work.
void registerCompilerOptions(OptionParser &parser,
                             OptimizeOptions &optimization,
                             int32_t &cacheCapacity);

/// Registers Kaldi's options of training steps (spec: nnet3bin.md 9).
void registerTrainerOptions(OptionParser &parser,
                            ::nnet3::rt::TrainerOptions &options);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COMMON_SHAREDOPTIONS_H

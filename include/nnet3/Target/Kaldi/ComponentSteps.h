//===- ComponentSteps.h - Component types by short names --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TARGET_KALDI_COMPONENTSTEPS_H
#define NNET3_TARGET_KALDI_COMPONENTSTEPS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::nnet3 {

/// Returns Kaldi's name of the component type that `step`, such as "relu",
/// denotes in the names of layers and components. Empty if there is none.
llvm::StringRef findStepType(llvm::StringRef step);

/// Returns the name of the operation of that type; empty if there is none.
llvm::StringRef findStepOperation(llvm::StringRef step);

} // namespace mlir::nnet3

#endif // NNET3_TARGET_KALDI_COMPONENTSTEPS_H

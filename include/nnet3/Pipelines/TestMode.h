//===- TestMode.h - Models that run for inference ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_PIPELINES_TESTMODE_H
#define NNET3_PIPELINES_TESTMODE_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace mlir::nnet3 {

/// Prints a note that components run in test mode, if `network`, which was read
/// from the file `model`, has components in training mode.
void noteTestMode(NetworkOp network, llvm::StringRef model);

/// Sets batch norm and dropout of `network`, which was read from the file
/// `model`, to test mode (spec: nnet3bin.md 1), and prints the note if that
/// changes anything.
llvm::LogicalResult setTestMode(NetworkOp network, llvm::StringRef model);

} // namespace mlir::nnet3

#endif // NNET3_PIPELINES_TESTMODE_H

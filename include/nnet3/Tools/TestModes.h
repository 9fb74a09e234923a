//===- TestModes.h - Components in test mode --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_TESTMODES_H
#define NNET3_TOOLS_TESTMODES_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace mlir::nnet3 {

/// Puts batch norm, and what is random, in test mode.
void setTestModes(NetworkOp network, bool batchnorm, bool random);

/// Whether there are components that compute otherwise in test mode without
/// being random.
bool hasBatchNorm(NetworkOp network);

/// Merges components, as Kaldi's programs for inference do (spec: nnet3bin.md
/// 6). Emits errors.
LogicalResult collapseModel(NetworkOp network);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_TESTMODES_H

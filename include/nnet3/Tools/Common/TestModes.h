//===- TestModes.h - Components in test mode --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_COMMON_TESTMODES_H
#define NNET3_TOOLS_COMMON_TESTMODES_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace mlir::nnet3 {

/// Sets batch norm, if `batchnorm`, and random components, if `random`, to test
/// mode.
void setTestModes(NetworkOp network, bool batchnorm, bool random);

/// Whether there are components with a test mode that are not random, such as
/// batch norm.
bool hasBatchNorm(NetworkOp network);

/// Merges components like Kaldi's programs for inference (spec: nnet3bin.md 6).
/// Emits errors.
LogicalResult collapseModel(NetworkOp network);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_COMMON_TESTMODES_H

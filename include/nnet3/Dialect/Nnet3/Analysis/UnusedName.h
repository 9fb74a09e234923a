//===- UnusedName.h - Names for new nodes and components --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_ANALYSIS_UNUSEDNAME_H
#define NNET3_DIALECT_NNET3_ANALYSIS_UNUSEDNAME_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

namespace mlir::nnet3 {

/// Appends `_` to `name` until no node and no component of `network` has that
/// name.
std::string getUnusedName(NetworkOp network, std::string name);

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_ANALYSIS_UNUSEDNAME_H

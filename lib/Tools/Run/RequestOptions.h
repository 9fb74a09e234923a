//===- RequestOptions.h - Checking requests against options -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_RUN_REQUESTOPTIONS_H
#define NNET3_TOOLS_RUN_REQUESTOPTIONS_H

#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Tools/RunOptions.h"

namespace mlir::nnet3 {

/// Removes outputs and derivatives that `options` do not ask for. If no
/// derivatives are left, only the forward pass is computed.
void dropUnwanted(RequestOp request, const RunOptions &options);

/// Checks that `options` provide everything that `request` needs, and nothing
/// else. Emits an error for the first violation.
llvm::LogicalResult checkOptions(RequestOp request, const RunOptions &options);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_RUN_REQUESTOPTIONS_H

//===- RequestOptions.h - What of a request the options want ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_RUN_REQUESTOPTIONS_H
#define NNET3_TOOLS_RUN_REQUESTOPTIONS_H

#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Tools/RunOptions.h"

namespace mlir::nnet3 {

/// Takes from `request` what `options` do not want: without any derivative
/// among them, only the forward computation is left.
void dropUnwanted(RequestOp request, const RunOptions &options);

/// Checks that `options` give everything that `request` takes, and nothing that
/// it does not foresee. Emits an error for the first thing that is wrong.
llvm::LogicalResult checkOptions(RequestOp request, const RunOptions &options);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_RUN_REQUESTOPTIONS_H

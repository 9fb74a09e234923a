//===- RequestOptions.h - What of a request the options want ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_LIB_PIPELINES_REQUESTOPTIONS_H
#define NNET3_LIB_PIPELINES_REQUESTOPTIONS_H

#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Pipelines/RunOptions.h"

namespace nnet3 {

/// Takes from `request` what `options` do not want: without any derivative
/// among them, only the forward computation is left.
void dropUnwanted(mlir::nnet3::RequestOp request, const RunOptions &options);

/// Checks that `options` give everything that `request` takes, and nothing that
/// it does not foresee. Emits an error for the first thing that is wrong.
llvm::LogicalResult checkOptions(mlir::nnet3::RequestOp request,
                                 const RunOptions &options);

} // namespace nnet3

#endif // NNET3_LIB_PIPELINES_REQUESTOPTIONS_H

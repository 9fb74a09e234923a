//===- MiniRequest.h - Requests reduced to two sequences --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_SHORTCUT_MINIREQUEST_H
#define NNET3_SHORTCUT_MINIREQUEST_H

#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3 {

/// Returns a copy of `request` for two sequences in the same layout, which is
/// in no block. getNumSequences() must have a result for `request`.
OwningOpRef<RequestOp> createMiniRequest(RequestOp request);

} // namespace mlir::nnet3

#endif // NNET3_SHORTCUT_MINIREQUEST_H

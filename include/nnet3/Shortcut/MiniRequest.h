//===- MiniRequest.h - A request for two of its sequences -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_SHORTCUT_MINIREQUEST_H
#define NNET3_SHORTCUT_MINIREQUEST_H

#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3 {

/// A copy of `request`, which getNumSequences has a number for, that has two
/// sequences in place of as many, in the same layout; it is in no block.
OwningOpRef<RequestOp> createMiniRequest(RequestOp request);

} // namespace mlir::nnet3

#endif // NNET3_SHORTCUT_MINIREQUEST_H

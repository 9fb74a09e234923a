//===- SequenceBlock.h - Requests for a block of sequences ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_SEQUENCEBLOCK_H
#define NNET3_COMPILE_SEQUENCEBLOCK_H

#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3 {

/// Returns a copy of `request` for its first `blockSize` sequences, which is
/// not in a module. The rows of `request` must be ordered by sequence.
OwningOpRef<RequestOp> getFirstSequences(RequestOp request, int64_t blockSize);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_SEQUENCEBLOCK_H

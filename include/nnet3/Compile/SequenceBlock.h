//===- SequenceBlock.h - Requests for some of the sequences -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_SEQUENCEBLOCK_H
#define NNET3_COMPILE_SEQUENCEBLOCK_H

#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3 {

/// A copy of `request`, in no module, for its first `blockSize` sequences.
/// `request` lists the rows of one sequence after the other.
OwningOpRef<RequestOp> getFirstSequences(RequestOp request, int64_t blockSize);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_SEQUENCEBLOCK_H

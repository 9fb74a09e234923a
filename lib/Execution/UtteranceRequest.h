//===- UtteranceRequest.h - The request for a chunk -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_PIPELINES_UTTERANCEREQUEST_H
#define LIB_PIPELINES_UTTERANCEREQUEST_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Execution/ChunkPlan.h"

#include "mlir/IR/OwningOpRef.h"

namespace mlir::nnet3 {

/// Creates the request that computes `chunk` with `network`, with outputs
/// `factor` frames apart, and with an i-vector if `hasIvector`. Times are
/// shifted so that the first output is at 0: chunks of equal shape have equal
/// requests. The request computes `numSequences` such chunks at once; the rows
/// of a chunk are contiguous.
OwningOpRef<RequestOp> createUtteranceRequest(NetworkOp network,
                                              const Chunk &chunk,
                                              int64_t factor, bool hasIvector,
                                              int32_t numSequences = 1);

} // namespace mlir::nnet3

#endif // LIB_PIPELINES_UTTERANCEREQUEST_H

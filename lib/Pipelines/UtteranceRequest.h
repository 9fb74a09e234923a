//===- UtteranceRequest.h - The request for a chunk -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_PIPELINES_UTTERANCEREQUEST_H
#define LIB_PIPELINES_UTTERANCEREQUEST_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"
#include "nnet3/Pipelines/ChunkPlan.h"

#include "mlir/IR/OwningOpRef.h"

namespace nnet3 {

/// What computes `chunk` with `network`, with outputs `factor` frames apart and
/// an i-vector if `hasIvector`. Times are shifted so that the first output is
/// at 0: chunks of equal shape have equal requests.
mlir::OwningOpRef<mlir::nnet3::RequestOp>
createUtteranceRequest(mlir::nnet3::NetworkOp network, const Chunk &chunk,
                       int64_t factor, bool hasIvector);

} // namespace nnet3

#endif // LIB_PIPELINES_UTTERANCEREQUEST_H

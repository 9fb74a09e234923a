//===- RecurrentReads.h - What recurrences read of themselves ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_RECURRENTREADS_H
#define NNET3_COMPILE_RECURRENTREADS_H

#include "nnet3/Compile/NodeTable.h"

namespace mlir::nnet3 {

/// A row of `reader` reads one of `source` that is so many frames later.
struct RecurrentRead {
  int32_t reader, source;
  int64_t frames;
};

/// The reads between the nodes of an epoch, `members`, for the rows of one
/// modulus of each reader.
SmallVector<RecurrentRead> getRecurrentReads(const NodeTable &nodes,
                                             const NodeEpochs &epochs,
                                             ArrayRef<int32_t> members);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_RECURRENTREADS_H

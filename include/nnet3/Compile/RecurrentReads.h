//===- RecurrentReads.h - Reads within recurrences --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_RECURRENTREADS_H
#define NNET3_COMPILE_RECURRENTREADS_H

#include "nnet3/Compile/NodeTable.h"

namespace mlir::nnet3 {

/// A row of `reader` reads a row of `source` that is `frames` frames later.
struct RecurrentRead {
  int32_t reader, source;
  int64_t frames;
};

/// Returns the reads between `members`, the nodes of one epoch, for the rows of
/// each reader within one time modulus.
SmallVector<RecurrentRead> getRecurrentReads(const NodeTable &nodes,
                                             const NodeEpochs &epochs,
                                             ArrayRef<int32_t> members);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_RECURRENTREADS_H

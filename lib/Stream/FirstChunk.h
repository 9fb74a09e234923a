//===- FirstChunk.h - Whether a chunk may begin a stream --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_STREAM_FIRSTCHUNK_H
#define NNET3_LIB_STREAM_FIRSTCHUNK_H

#include "nnet3/Dialect/Nnet3/IR/StreamOps.h"
#include "nnet3/Stream/StreamPlan.h"

namespace mlir::nnet3 {

/// Finds out how short the first chunk of a stream may be: its outputs must be
/// computable, and what later chunks need must be there behind it. A row of the
/// state that is not computable from the first chunk, because it lies before
/// the stream, is zero. That is what its readers see of an absent row only if
/// they read it as IfDefined, or can do with any of the rows that they read;
/// other rows must be computable.
class FirstChunk {
public:
  FirstChunk(const NodeTable &nodes, const StreamPlan &plan);

  /// Whether a stream can begin with a chunk of so many frames.
  bool canHave(StreamOp stream, int64_t numFrames) const;

private:
  const NodeTable &nodes;
  /// Whether rows are read that need not be there. If there are none, the
  /// network's context is all that an output needs.
  bool hasOptionalReads = false;
  /// Rows of the state that must be computable.
  SmallVector<RowHistory> needed;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_STREAM_FIRSTCHUNK_H

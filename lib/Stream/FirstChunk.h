//===- FirstChunk.h - Whether a chunk may begin a stream --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_STREAM_FIRSTCHUNK_H
#define NNET3_LIB_STREAM_FIRSTCHUNK_H

#include "nnet3/Dialect/Nnet3/IR/StreamOps.h"
#include "nnet3/Stream/StreamPlan.h"

namespace mlir::nnet3 {

/// Finds out how short the first chunk of a stream may be. A row of the state
/// that is not computable from the first chunk, because it lies before the
/// stream, is zero. That is what its readers see of an absent row only if they
/// read it as IfDefined, or can do with any of the rows that they read; other
/// rows must be computable.
class FirstChunk {
public:
  FirstChunk(const NodeTable &nodes, const StreamPlan &plan);

  /// Whether a chunk of so many frames leaves the state that later ones need.
  bool canHave(StreamOp stream, int64_t numFrames) const;

private:
  const NodeTable &nodes;
  /// What must be computable; none if that is always so.
  SmallVector<RowHistory> needed;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_STREAM_FIRSTCHUNK_H

//===- FirstChunk.h - Whether a chunk may begin a stream --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_STREAM_FIRSTCHUNK_H
#define NNET3_LIB_STREAM_FIRSTCHUNK_H

#include "nnet3/Dialect/Nnet3/IR/StreamOps.h"
#include "nnet3/Stream/StreamPlan.h"

namespace mlir::nnet3 {

/// Finds out how short the first chunk of a stream may be. Its outputs must be
/// computable, and so must the state for later chunks. A row of the state that
/// is not computable, because it is before the start of the stream, is zero.
/// This is correct only if its readers treat absent rows as zeros: they use
/// IfDefined, or read any available rows of a range. All other rows of the
/// state must be computable.
class FirstChunk {
public:
  FirstChunk(const NodeTable &nodes, const StreamPlan &plan);

  /// Returns nothing if a stream can begin with a chunk of `numFrames` frames;
  /// otherwise a row that such a chunk must compute, but does not.
  std::optional<Cindex> findMissing(StreamOp stream, int64_t numFrames) const;

private:
  const NodeTable &nodes;
  /// Whether some node has optional reads. If not, the network's context is
  /// sufficient for any chunk.
  bool hasOptionalReads = false;
  /// Rows of the state that must be computable.
  SmallVector<RowHistory> needed;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_STREAM_FIRSTCHUNK_H

//===- StreamPlan.h - The state of a stream ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stream computes its outputs chunk by chunk. A chunk computes the rows that
// its outputs need, except rows of earlier chunks. The rows that later chunks
// read are the state (spec: looped.md 5). The plan finds the state from the
// index maps of the network, without compiling a chunk.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_STREAM_STREAMPLAN_H
#define NNET3_STREAM_STREAMPLAN_H

#include "nnet3/Compile/Context.h"

namespace mlir::nnet3 {

/// How a network is streamed.
struct StreamOptions {
  /// Frames of each chunk, in ascending order; multiples of the subsampling
  /// factor, the network's modulus and the period of i-vectors.
  SmallVector<int64_t> chunks;
  /// There is an output for every so many frames.
  int64_t frameSubsamplingFactor = 1;
  /// Input frames before the first output, beyond the network's own context.
  int64_t extraLeftContextInitial = 0;
  /// There is an i-vector for every so many frames; 0: for as many as the
  /// network reads one, as nnet3-compile has it.
  int64_t ivectorPeriod = 1;
  /// How many streams a chunk computes at once, in ascending order: there are
  /// requests for each number. Empty: for one.
  SmallVector<int64_t> sequences;
  /// Statistics over a window that reaches back so many frames or more are kept
  /// as their sum, which takes an utterance to be no longer; 0: none are.
  int64_t maxFrames = 10000;
  /// Computes a recurrence that runs backward in each chunk for itself.
  bool allowChunkedRecurrence = false;
};

/// Rows of an input or component node that later chunks read. Times count from
/// the first output of the chunk that comes next.
struct RowHistory {
  int32_t node = -1;
  SmallVector<Index> rows;
};

/// What does not depend on the lengths of chunks.
struct StreamPlan {
  /// Frames before the first output, and behind the last output of a chunk.
  int64_t left = 0, right = 0;
  /// Whether outputs depend on where chunks end.
  bool dependsOnChunks = false;
  /// In the order of the nodes.
  SmallVector<RowHistory> histories;
};

/// The plan for a network with the given context. Emits an error at the node
/// that cannot be streamed, if there is one: one that depends on all frames to
/// come, unless chunks may be computed on their own.
FailureOr<StreamPlan> planStream(NetworkOp network, const NodeTable &nodes,
                                 const NetworkContext &context,
                                 const StreamOptions &options);

/// How many frames behind the last output of a chunk there must be: the right
/// context, and more if i-vectors are read further ahead than frames are. Fails
/// where no number of frames would do, or where `planStream` does.
FailureOr<int64_t> findRightContext(NetworkOp network, const NodeTable &nodes,
                                    const NetworkContext &context,
                                    const StreamOptions &options);

/// For each of `pools`, nodes that pool statistics: how much later the last row
/// of the node that is computed in a chunk is than the last statistics that are
/// computable then. None if that is not known. Fails where `planStream` does.
FailureOr<SmallVector<std::optional<int64_t>>>
findPoolingLags(NetworkOp network, const NodeTable &nodes,
                const NetworkContext &context, const StreamOptions &options,
                ArrayRef<int32_t> pools);

} // namespace mlir::nnet3

#endif // NNET3_STREAM_STREAMPLAN_H

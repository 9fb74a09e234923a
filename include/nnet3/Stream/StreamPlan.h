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

/// Options of streams.
struct StreamOptions {
  /// Frames of each chunk, in ascending order; multiples of the subsampling
  /// factor, the network's modulus and the period of i-vectors.
  SmallVector<int64_t> chunks;
  /// Number of input frames for each output.
  int64_t frameSubsamplingFactor = 1;
  /// Input frames before the first output, beyond the network's own context.
  int64_t extraLeftContextInitial = 0;
  /// Number of frames for each i-vector; 0: as often as the network reads one,
  /// like nnet3-compile.
  int64_t ivectorPeriod = 1;
  /// Numbers of streams that a request computes at once, ascending; empty
  /// for 1.
  SmallVector<int64_t> sequences;
  /// Maximum length of an utterance. Statistics over a window that reaches back
  /// at least this number of frames are kept as a running sum; 0: none.
  int64_t maxFrames = 10000;
  /// Compute a backward recurrence separately in each chunk.
  bool allowChunkedRecurrence = false;
};

/// Rows of an input or component node that later chunks read. Times are
/// relative to the first output of the next chunk.
struct RowHistory {
  int32_t node = -1;
  SmallVector<Index> rows;
};

/// The properties of a stream that do not depend on chunk lengths.
struct StreamPlan {
  /// Number of frames before the first output, and after the last output of a
  /// chunk.
  int64_t left = 0, right = 0;
  /// The first node whose rows depend on the chunk lengths, because it reads
  /// rows after the right context if they are available; -1 if there is none.
  int32_t chunkDependent = -1;
  /// If there is none: the first node whose row for the last output of an
  /// utterance reads a row after the right context of this output, if a frame
  /// or its padding is there. With subsampling or periods of statistics, the
  /// last chunk has such frames, and a request for the whole utterance does
  /// not. -1 if there is none.
  int32_t endDependent = -1;
  /// The state, in the order of the nodes.
  SmallVector<RowHistory> histories;
};

/// Plans the stream of a network with the given context. Emits an error at a
/// node that cannot be streamed, because it depends on all later frames, unless
/// `allowChunkedRecurrence` is set.
FailureOr<StreamPlan> planStream(NetworkOp network, const NodeTable &nodes,
                                 const NetworkContext &context,
                                 const StreamOptions &options);

/// Returns the necessary number of frames after the last output of a chunk: the
/// right context, or more if i-vectors are read further ahead than frames.
/// Emits an error if no number is sufficient, or if `planStream` would.
FailureOr<int64_t> findRightContext(NetworkOp network, const NodeTable &nodes,
                                    const NetworkContext &context,
                                    const StreamOptions &options);

/// Returns for each of `pools`, nodes that pool statistics, the time by which
/// the last row of the node in a chunk is later than the last statistics that
/// are computable then; nullopt if unknown. Emits an error if `planStream`
/// would.
FailureOr<SmallVector<std::optional<int64_t>>>
findPoolingLags(NetworkOp network, const NodeTable &nodes,
                const NetworkContext &context, const StreamOptions &options,
                ArrayRef<int32_t> pools);

} // namespace mlir::nnet3

#endif // NNET3_STREAM_STREAMPLAN_H

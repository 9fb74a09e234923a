//===- RunningSums.h - Statistics of all frames so far ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_STREAM_RUNNINGSUMS_H
#define NNET3_LIB_STREAM_RUNNINGSUMS_H

#include "nnet3/Stream/StreamPlan.h"

namespace mlir::nnet3 {

/// Replaces the input of each statistics pooling whose window always reaches
/// back to the beginning of the utterance by one row, a running sum, which is a
/// recurrence. `original` is the network before its fixed times were rounded,
/// `nodes` the current one. Returns true if any was replaced; fails if the
/// stream cannot be planned.
FailureOr<bool> keepRunningSums(NetworkOp network, const NodeTable &original,
                                const NodeTable &nodes,
                                const NetworkContext &context,
                                const StreamOptions &options);

} // namespace mlir::nnet3

#endif // NNET3_LIB_STREAM_RUNNINGSUMS_H

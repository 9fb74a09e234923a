//===- RunningSums.h - Statistics of all frames so far ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_STREAM_RUNNINGSUMS_H
#define NNET3_LIB_STREAM_RUNNINGSUMS_H

#include "nnet3/Stream/StreamPlan.h"

namespace mlir::nnet3 {

/// Has each pooling of statistics whose window reaches to the beginning of any
/// utterance read one row, their running sum, which is a recurrence. `original`
/// is the network as it was before its fixed times were rounded, `nodes` as it
/// is. Whether there were any; fails where the stream cannot be planned.
FailureOr<bool> keepRunningSums(NetworkOp network, const NodeTable &original,
                                const NodeTable &nodes,
                                const NetworkContext &context,
                                const StreamOptions &options);

} // namespace mlir::nnet3

#endif // NNET3_LIB_STREAM_RUNNINGSUMS_H

//===- OptionChecks.h - The options of a stream -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_STREAM_OPTIONCHECKS_H
#define NNET3_LIB_STREAM_OPTIONCHECKS_H

#include "nnet3/Stream/StreamPlan.h"

namespace mlir::nnet3 {

/// Emits an error at the network if a number is out of its range.
LogicalResult checkOptions(NetworkOp network, const StreamOptions &options);

/// Rounds up the chunks to what the network, whose modulus is given, the
/// outputs and the i-vectors repeat themselves after, and sorts them. Emits an
/// error if they become too long.
LogicalResult roundChunks(NetworkOp network, int64_t modulus,
                          StreamOptions &options);

/// Emits an error if chunks with so many frames around them have more rows than
/// a request can have.
LogicalResult checkRows(NetworkOp network, int64_t context,
                        const StreamOptions &options);

/// How far apart i-vectors are unless the user says so: as far as the chunks
/// and what the network reads of them allow.
int64_t findIvectorPeriod(const NodeTable &nodes, const StreamOptions &options);

} // namespace mlir::nnet3

#endif // NNET3_LIB_STREAM_OPTIONCHECKS_H

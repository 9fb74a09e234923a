//===- OptionChecks.h - Options of a stream ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_STREAM_OPTIONCHECKS_H
#define NNET3_LIB_STREAM_OPTIONCHECKS_H

#include "nnet3/Stream/StreamPlan.h"

namespace mlir::nnet3 {

/// Emits an error at the network if an option is out of range.
LogicalResult checkOptions(NetworkOp network, const StreamOptions &options);

/// Rounds the chunk lengths up to a common multiple of the network's modulus,
/// the subsampling factor and the i-vector period, and sorts them. Emits an
/// error if a chunk becomes too long.
LogicalResult roundChunks(NetworkOp network, int64_t modulus,
                          StreamOptions &options);

/// Emits an error if a chunk with `context` frames around it has more rows than
/// a request can have.
LogicalResult checkRows(NetworkOp network, int64_t context,
                        const StreamOptions &options);

/// Returns the default i-vector period in frames: the longest that the chunks
/// and the network's reads of i-vectors allow.
int64_t findIvectorPeriod(const NodeTable &nodes, const StreamOptions &options);

} // namespace mlir::nnet3

#endif // NNET3_LIB_STREAM_OPTIONCHECKS_H

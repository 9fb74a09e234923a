//===- RequestStride.h - Requests with equal sequences ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_SHORTCUT_REQUESTSTRIDE_H
#define NNET3_SHORTCUT_REQUESTSTRIDE_H

#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

#include <string>

namespace mlir::nnet3 {

/// The regular layout of a list of rows for the sequences 0, 1, ...
/// (shortcut.md 3): blocks of `stride` rows for one sequence after the other,
/// with the same (t, x) for all.
struct SequenceStride {
  int64_t stride = 0;
  int64_t numSequences = 0;
};

/// Returns the stride of a list; nullopt with a `reason` if it has none. If
/// `indexes` are ranges, the time does not depend on the number of frames.
std::optional<SequenceStride> findSequenceStride(IndexesAttr indexes,
                                                 std::string &reason);

/// Returns the rows of `indexes`, which have `stride`, for the sequences 0,
/// ..., `numSequences` - 1 (shortcut.md 4).
IndexRows withSequences(IndexesAttr indexes, int64_t stride,
                        int64_t numSequences);

/// The reason why the shortcut does not support a request.
struct Obstacle {
  Operation *op = nullptr; ///< the request, or one of its inputs or outputs
  std::string reason;
};

/// Returns the number of sequences of a request if the shortcut supports it
/// (shortcut.md 2): if it is more than two, the same for all inputs and
/// outputs, and each of them has a stride. Otherwise returns nullopt with the
/// `obstacle`.
std::optional<int64_t> getNumSequences(RequestOp request, Obstacle &obstacle);

} // namespace mlir::nnet3

#endif // NNET3_SHORTCUT_REQUESTSTRIDE_H

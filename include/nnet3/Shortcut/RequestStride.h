//===- RequestStride.h - Requests that are alike for all n ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_SHORTCUT_REQUESTSTRIDE_H
#define NNET3_SHORTCUT_REQUESTSTRIDE_H

#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

#include <string>

namespace mlir::nnet3 {

/// How a list of rows repeats itself for the sequences 0, 1, ... (shortcut.md
/// 3): blocks of `stride` rows of each sequence in turn, the same (t, x) for
/// all.
struct SequenceStride {
  int64_t stride = 0;
  int64_t numSequences = 0;
};

/// The stride of a list; nothing, and the reason, if it has none. Takes time
/// that does not depend on the number of frames if `indexes` is a product.
std::optional<SequenceStride> findSequenceStride(IndexesAttr indexes,
                                                 std::string &reason);

/// The rows of `indexes`, which has `stride`, for the sequences 0, ...,
/// `numSequences` - 1 (shortcut.md 4).
IndexRows withSequences(IndexesAttr indexes, int64_t stride,
                        int64_t numSequences);

/// Why a request has to be compiled as it is.
struct Obstacle {
  Operation *op = nullptr; ///< the request, or one of its inputs or outputs
  std::string reason;
};

/// The number of sequences of a request that the shortcut serves
/// (shortcut.md 2): more than two, the same in all of its inputs and outputs,
/// each of which has a stride. Nothing, and the obstacle, for others.
std::optional<int64_t> getNumSequences(RequestOp request, Obstacle &obstacle);

} // namespace mlir::nnet3

#endif // NNET3_SHORTCUT_REQUESTSTRIDE_H

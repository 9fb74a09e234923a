//===- FewerFrames.h - Requests for fewer frames ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_LOOPS_FEWERFRAMES_H
#define NNET3_LIB_LOOPS_FEWERFRAMES_H

#include "nnet3/Compile/NodeTable.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

namespace mlir::nnet3 {

/// How many frames can be left out of a request, so that what is compiled goes
/// through the same steps, only fewer of them. Where the first and the last
/// steps of a network take longer to become alike, fewer have to be left out.
struct FewerFrames {
  /// Frames behind which network and request are the same again, and
  /// recurrences have done two steps.
  int64_t period;
  /// How many periods can be left out; at least 2.
  int64_t count;
  int64_t frames; ///< of the request

  /// Whether the request without `left` periods is worth being compiled, behind
  /// all those without `count`, ..., `left` + 1 periods: in all they have at
  /// most half as many frames as the request itself.
  bool isWorth(int64_t left) const {
    const int64_t number = count - left + 1;
    return left > 0 && 2 * number * (frames - count * period) +
                               number * (number - 1) * period <
                           frames;
  }

  /// Nothing if the network has no recurrence, or the request has not enough
  /// frames at equal distances.
  static std::optional<FewerFrames> get(RequestOp request,
                                        const NodeTable &nodes);
};

/// The request without the last `frames` frames of each input and output that
/// has more than one. `frames` is a multiple of a request's period.
OwningOpRef<RequestOp> createShorter(RequestOp request, int64_t frames);

} // namespace mlir::nnet3

#endif // NNET3_LIB_LOOPS_FEWERFRAMES_H

//===- FewerFrames.h - Requests for fewer frames ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_LIB_LOOPS_FEWERFRAMES_H
#define NNET3_LIB_LOOPS_FEWERFRAMES_H

#include "nnet3/Compile/NodeTable.h"
#include "nnet3/Dialect/Nnet3/IR/RequestOps.h"

namespace mlir::nnet3 {

/// Number of frames that can be removed from a request such that the shorter
/// computation has the same steps, only fewer. Networks whose first and last
/// steps differ from the others for longer allow fewer.
struct FewerFrames {
  /// What the rows of an input or output become without frames at the end.
  enum class Rows {
    Fixed,  ///< the same rows, such as the state before a chunk of a stream
    Moved,  ///< rows that are earlier, such as the state after a chunk
    Shorter ///< the last rows are removed
  };

  /// Frames after which network and request repeat and recurrences have done an
  /// even number of steps.
  int64_t period;
  /// Largest number of periods that can be removed; at least 2.
  int64_t count;
  int64_t frames;         ///< of the request
  SmallVector<Rows> rows; ///< of each input and output

  /// Whether it is worth compiling the request without `left` periods after
  /// having compiled those without `count`, ..., `left` + 1 periods: in total
  /// they have at most half as many frames as the request.
  bool isWorth(int64_t left) const {
    const int64_t number = count - left + 1;
    return left > 0 && 2 * number * (frames - count * period) +
                               number * (number - 1) * period <
                           frames;
  }

  /// Returns nothing if the network has no recurrence, or if the request has
  /// too few equally spaced frames. Outputs keep `minOutputPeriods` periods at
  /// least.
  static std::optional<FewerFrames>
  get(RequestOp request, const NodeTable &nodes, int64_t minOutputPeriods);
};

/// Creates the request without `numPeriods` periods at the end.
OwningOpRef<RequestOp>
createShorter(RequestOp request, const FewerFrames &fewer, int64_t numPeriods);

} // namespace mlir::nnet3

#endif // NNET3_LIB_LOOPS_FEWERFRAMES_H

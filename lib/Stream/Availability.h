//===- Availability.h - Rows computable from the frames so far --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the middle of a stream all frames up to some time are given. Then each
// node is computable up to some time, which follows from the index maps of the
// network without listing rows.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_LIB_STREAM_AVAILABILITY_H
#define NNET3_LIB_STREAM_AVAILABILITY_H

#include "TimeFrontier.h"
#include "nnet3/Compile/NodeTable.h"

#include <map>

namespace mlir::nnet3 {

/// Tells which rows are computable from the inputs so far.
class Availability {
public:
  explicit Availability(const NodeTable &nodes)
      : nodes(nodes.withoutOptionalReads()) {}

  /// Sets the given rows of an input node.
  void setInput(int32_t node, TimeFrontier times) {
    frontiers[{node, 0}] = std::move(times);
  }

  /// Returns true if the row is computable now.
  bool isNow(const Cindex &row) {
    return getFrontier(row).contains(row.index.t);
  }
  /// Returns true if the row is computable after any number of frames.
  bool isEver(const Cindex &row) {
    return getFrontier(row).containsLike(row.index.t);
  }

  /// Returns the times of a node's rows, at one value of x, that are
  /// computable.
  const TimeFrontier &getFrontier(int32_t node, int32_t x) {
    return getFrontier(Cindex{node, {0, 0, x}});
  }

private:
  using Lane = std::pair<int32_t, int32_t>; // node and x
  /// Bounds of the last computable time, over the sources of a row.
  struct Bounds {
    int64_t first = TimeFrontier::kAlways, last = TimeFrontier::kNever;
  };

  const TimeFrontier &getFrontier(const Cindex &row);
  void add(const Lane &lane);
  SmallVector<Cindex> getSources(const Lane &lane) const;
  TimeFrontier compute(const Lane &lane);
  int64_t findLast(const Lane &lane, int64_t residue, int64_t modulus);
  Bounds getBounds(ArrayRef<Cindex> sources, int64_t t);

  /// The nodes without optional reads: IfDefined must not make a row
  /// computable.
  NodeTable nodes;
  std::map<Lane, TimeFrontier> frontiers;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_STREAM_AVAILABILITY_H

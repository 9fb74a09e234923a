//===- Demand.h - Rows that the outputs so far need -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the middle of a stream, all outputs before time 0 have been computed,
// which required the rows of each node up to some time.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_LIB_STREAM_DEMAND_H
#define NNET3_LIB_STREAM_DEMAND_H

#include "Availability.h"

#include <set>

namespace mlir::nnet3 {

/// Tells which rows have been computed or, for input nodes, read.
class Demand {
public:
  using Lane = std::pair<int32_t, int32_t>; // node and x

  Demand(const NodeTable &nodes, Availability &availability)
      : nodes(nodes), availability(availability) {}

  /// Sets the required rows of an output node, or the given rows of an input
  /// node.
  void set(int32_t node, TimeFrontier times);
  /// Finds all rows that the required outputs need. Returns false if the
  /// network reads rows at too many values of x.
  bool propagate();

  /// Returns the frontiers by node and x.
  const std::map<Lane, TimeFrontier> &getFrontiers() const { return frontiers; }
  bool contains(const Cindex &row) const;
  /// Returns the number of frames after which the reads of a lane's rows
  /// repeat, including whether the rows read have been computed.
  int64_t getPeriod(const Lane &lane) const;
  /// Returns true if the last rows of the node use fewer rows than earlier
  /// ones, because the others are after the frames so far.
  bool endsEarly(int32_t node) const { return early.contains(node); }

  /// Returns the first node for which endsEarly() holds; -1 if there is none.
  int32_t findEarly() const {
    return early.empty() ? -1 : *llvm::min_element(early);
  }

private:
  static constexpr size_t kMaxLanes = 1 << 16;

  void refine(const Lane &lane);
  void demand(const Lane &lane);
  void demandResidue(const Lane &lane, int64_t residue, int64_t period);
  bool demandSources(const Lane &lane, int64_t t);
  bool demandRange(const Lane &lane, int64_t t);

  const NodeTable &nodes;
  Availability &availability;
  std::map<Lane, TimeFrontier> frontiers;
  DenseSet<int32_t> early;
  /// The worklist of lanes, later nodes first: a node follows its sources
  /// except in recurrences, so most lanes are visited once.
  std::set<Lane, std::greater<Lane>> queue;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_STREAM_DEMAND_H

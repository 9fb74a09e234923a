//===- Demand.h - Rows that the outputs so far need -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the middle of a stream, all outputs before time 0 have been computed, and
// with them the rows of each node up to some time.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_LIB_STREAM_DEMAND_H
#define NNET3_LIB_STREAM_DEMAND_H

#include "Availability.h"

#include <set>

namespace mlir::nnet3 {

/// The rows that have been computed, those of input nodes included.
class Demand {
public:
  using Lane = std::pair<int32_t, int32_t>; // node and x

  Demand(const NodeTable &nodes, Availability &availability)
      : nodes(nodes), availability(availability) {}

  /// Wants the rows of an output node, or has those of an input node.
  void set(int32_t node, TimeFrontier times);
  /// Finds the rows that what is wanted needs; false if the network reads rows
  /// at more values of x than any has.
  bool propagate();

  /// Of each node and x.
  const std::map<Lane, TimeFrontier> &getFrontiers() const { return frontiers; }
  bool contains(const Cindex &row) const;
  /// After how many frames it repeats itself which rows those of a lane read,
  /// and whether these have been computed.
  int64_t getPeriod(const Lane &lane) const;
  /// Whether the last rows of the node could not read all that earlier ones
  /// did, because it lies behind the frames so far.
  bool endsEarly(int32_t node) const { return early.contains(node); }

  /// Whether that is so for any node.
  bool endsEarly() const { return !early.empty(); }

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
  /// The lanes to look at, those of later nodes first: a node is behind what it
  /// reads, but for recurrences, so that most lanes are looked at once.
  std::set<Lane, std::greater<Lane>> queue;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_STREAM_DEMAND_H

//===- CindexTable.h - Dense numbers for Cindexes ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_CINDEXTABLE_H
#define NNET3_COMPILE_CINDEXTABLE_H

#include "nnet3/Compile/NodeTable.h"

#include "llvm/ADT/DenseMap.h"
#include <unordered_map>

namespace mlir::nnet3 {

/// Maps Cindexes to dense numbers. The times of a node are mostly close
/// together, so a lookup is an array access; outliers are hashed.
class CindexTable {
public:
  /// The numbers of the rows of one node with equal n and x.
  struct Lane {
    int32_t n = 0, x = 0;
    int64_t first = 0;        ///< t of ids[0]
    std::vector<int32_t> ids; ///< -1 for times without a row

    Index at(size_t slot) const { return {n, int32_t(first + slot), x}; }
  };

  explicit CindexTable(int32_t numNodes) : nodes(numNodes) {}

  /// Number of `cindex`, or -1.
  int32_t find(const Cindex &cindex) const {
    const int32_t *slot = findSlot(cindex);
    return slot ? *slot : -1;
  }
  /// Number of `cindex`, which is `next` if it is new.
  int32_t findOrInsert(const Cindex &cindex, int32_t next);

  /// The lanes of a node; with the outliers they have all its rows.
  ArrayRef<Lane> getLanes(int32_t node) const { return nodes[node].lanes; }
  SmallVector<Index> getOutliers(int32_t node) const;
  /// Number of rows of a node.
  int64_t count(int32_t node) const;

  /// Inserts the rows in slots `begin`, `begin` + `step`, ... before `end` of
  /// `lane` into the lane of `target`, which belongs to another node, shifted
  /// in time so that slot `begin` becomes `target`. Does nothing and returns
  /// false if that lane would become sparse. All numbers must be 0.
  bool insertShifted(const Lane &lane, size_t begin, size_t end, size_t step,
                     const Cindex &target);
  /// Copies all rows of node `from` to node `to`, which has none.
  void copyNode(int32_t from, int32_t to);
  /// Appends the Cindexes of a node to `rows` in ascending order, and makes
  /// their positions in `rows` their numbers.
  void number(int32_t node, std::vector<Cindex> &rows);

private:
  struct NodeLanes {
    SmallVector<Lane, 1> lanes;
    /// The position of each lane by its n and x, if there are many lanes.
    std::unordered_map<uint64_t, int32_t> laneOf;
    mutable int32_t last = 0;
  };

  /// Returns a pointer to the number of `cindex`; null if it has none.
  int32_t *findSlot(const Cindex &cindex) const;
  /// The same for a row outside of the lanes.
  int32_t *findOutlier(const Cindex &cindex) const;
  Lane *findLane(int32_t node, const Index &index) const;
  Lane &getLane(int32_t node, const Index &index);

  std::vector<NodeLanes> nodes;
  DenseMap<std::pair<int32_t, Index>, int32_t> outliers;
};

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_CINDEXTABLE_H

//===- CindexTable.h - Dense numbers for Cindexes ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_CINDEXTABLE_H
#define NNET3_COMPILE_CINDEXTABLE_H

#include "nnet3/Compile/NodeTable.h"

#include "llvm/ADT/DenseMap.h"
#include <unordered_map>

namespace mlir::nnet3 {

/// Dense numbers for Cindexes. Times of one node lie close together, so a
/// lookup is an array access; outliers are hashed.
class CindexTable {
public:
  /// The rows of one node with the same n and x.
  struct Lane {
    int32_t n = 0, x = 0;
    int64_t first = 0;        ///< t of ids[0]
    std::vector<int32_t> ids; ///< -1 where there is no row

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

  /// Gives the rows in slots `begin`, `begin` + `step`, ... before `end` of
  /// `lane` to the lane of another node that `target` belongs to, each as far
  /// away in time as `target` is from slot `begin`. False, and nothing done, if
  /// that lane would become sparse. All numbers must be 0.
  bool insertShifted(const Lane &lane, size_t begin, size_t end, size_t step,
                     const Cindex &target);
  /// Gives node `to`, which has no rows, those of node `from`.
  void copyNode(int32_t from, int32_t to);
  /// Appends the Cindexes of a node to `rows`, in their order; their positions
  /// there become their numbers.
  void number(int32_t node, std::vector<Cindex> &rows);

private:
  struct NodeLanes {
    SmallVector<Lane, 1> lanes;
    /// By n and x, when there are many. Any number may be a key.
    std::unordered_map<uint64_t, int32_t> laneOf;
    mutable int32_t last = 0;
  };

  /// Where the number of `cindex` is; null if it has none.
  int32_t *findSlot(const Cindex &cindex) const;
  Lane *findLane(int32_t node, const Index &index) const;
  Lane &getLane(int32_t node, const Index &index);

  std::vector<NodeLanes> nodes;
  DenseMap<std::pair<int32_t, Index>, int32_t> outliers;
};

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_CINDEXTABLE_H
